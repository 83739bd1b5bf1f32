import type { Fact, JsonObject, JsonValue, PlayedLine, Player, TapeIdentity, TapeLine } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { recordsOf } from '../records.js';
import { present, stringAt } from '../shape.js';
import { penFor } from '../pen.js';
import { type ClaudeState, initialState } from './state.js';

/** What stands beside a sub-agent's file, `agent-<id>.meta.json`: which call started it, and as what. Every field is optional. */
function described(agentId: string, raw: JsonObject): Omit<Extract<Fact, { type: 'agent.described' }>, 'tape' | 'ordinal' | 'line'> {
  return present({
    type: 'agent.described' as const, agentId, kind: 'sub' as const, role: stringAt(raw, 'agentType'), description: stringAt(raw, 'description'), parentCall: stringAt(raw, 'toolUseId'), model: stringAt(raw, 'model'),
  });
}

class ClaudeAgentMetaPlayer implements Player {
  readonly #identity: TapeIdentity;
  readonly #state: ClaudeState = initialState();

  constructor(identity: TapeIdentity, checkpoint?: JsonValue) {
    this.#identity = identity;
    const next = isJsonObject(checkpoint) ? checkpoint['nextOrdinal'] : undefined;
    if (typeof next === 'number') this.#state.nextOrdinal = next;
  }

  checkpoint(): JsonValue {
    return { nextOrdinal: this.#state.nextOrdinal };
  }

  play(line: TapeLine): PlayedLine {
    const found = recordsOf(line);
    const pen = penFor(this.#identity.tape, this.#state, { dialect: 'claude', line, records: found.records });
    for (const raw of found.records) pen.write(described(this.#identity.namedThreadId ?? '', raw));
    if (found.isBlank) return { facts: [], account: { verdict: 'blank' } };
    if (found.records.length) return { facts: pen.facts, account: present({ verdict: 'played' as const, type: 'agent-meta', repairs: found.repairs.length ? found.repairs : undefined }) };
    return { facts: [], account: present({ verdict: 'damaged' as const, damage: found.damage }) };
  }
}

/** A player for the side tape of one sub-agent; the identity's thread id is the agent's. */
export function createClaudeAgentMetaPlayer(identity: TapeIdentity, checkpoint?: JsonValue): Player {
  return new ClaudeAgentMetaPlayer(identity, checkpoint);
}
