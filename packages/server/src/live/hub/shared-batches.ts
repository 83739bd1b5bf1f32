import { type NumberedBatch, type TranscriptGrade, filterOpsForGrade } from '@tapefold/transcript';
import type { Batch } from '../live-source.js';
import type { AgentChannel } from './agent-channel.js';

/** The newest batch of each agent as each grade sees it: made once, however many readers there are. Readers get the same object, so that whoever writes it out can do that once, too. */
export class SharedBatches {
  readonly #newest = new Map<AgentChannel, { readonly batch: NumberedBatch; readonly byGrade: Map<TranscriptGrade, Batch | undefined> }>();

  /** Undefined where the grade sees nothing of it. */
  of(channel: AgentChannel, batch: NumberedBatch, grade: TranscriptGrade): Batch | undefined {
    let entry = this.#newest.get(channel);
    if (entry?.batch !== batch) this.#newest.set(channel, (entry = { batch, byGrade: new Map() }));
    if (!entry.byGrade.has(grade)) entry.byGrade.set(grade, filtered(channel, batch, grade));
    return entry.byGrade.get(grade);
  }

  /** An agent is gone. */
  drop(channel: AgentChannel): void { this.#newest.delete(channel); }
}

function filtered(channel: AgentChannel, { seq, ops }: NumberedBatch, grade: TranscriptGrade): Batch | undefined {
  const seen = filterOpsForGrade(grade, ops);
  return seen.length === 0 ? undefined : { agentId: channel.agent.agentId, ops: seen, seq, epoch: channel.epoch };
}
