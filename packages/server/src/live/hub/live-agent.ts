import type { DroppedText, Fact, TextDelta } from '@tapefold/facts';
import type { AgentTranscriptSnapshot } from '@tapefold/transcript';
import { type RunningTranscript, type TranscriptFold, LiveTranscript, operationsBetween, settleTranscript } from '@tapefold/transcript/fold';
import type { AgentChannel } from './agent-channel.js';

/** Whether an agent runs, as its source knows it. `certainty`: its own word (a lock, a recorder that is connected), or a guess from a file that was just written. */
export interface Activity {
  readonly isRunning: boolean;
  readonly certainty: 'known' | 'guessed';
}

const withActivity = (snapshot: AgentTranscriptSnapshot, { isRunning }: Activity): AgentTranscriptSnapshot => ({ ...snapshot, meta: { ...snapshot.meta, activity: isRunning ? 'turn' : 'idle' } });

/** What a reader sees: while the agent runs, what is open in its newest turn stays open; what else is open is settled. */
export function shownSnapshot(fold: TranscriptFold, activity: Activity): AgentTranscriptSnapshot {
  const running: RunningTranscript | undefined = activity.isRunning ? {} : undefined;
  return withActivity(settleTranscript(fold.view(), running ? { running } : {}), activity);
}

/**
 * One agent of a live session. Law: while it runs, its channel has what its facts and its text on the way make; while it does not, the settled view of its
 * facts. What lies between the two is told when it stops and when it goes on.
 */
export class LiveAgent {
  readonly channel: AgentChannel;
  #fold: TranscriptFold;
  #live: LiveTranscript;
  #activity: Activity;

  constructor(of: { readonly fold: TranscriptFold; readonly channel: AgentChannel; readonly activity: Activity }) {
    this.channel = of.channel;
    this.#fold = of.fold;
    this.#live = this.#begin();
    this.#activity = of.activity;
  }

  /** Facts in order, and whether the agent runs behind them. */
  facts(facts: readonly Fact[], activity: Activity): void {
    const ops = facts.flatMap((fact) => this.#live.fact(fact));
    const { isRunning } = this.#activity;
    // Also those that change nothing: readers that were sent no text on its way hear of it by them.
    if (isRunning) this.channel.push(ops);
    this.#activity = activity;
    if (!isRunning || !activity.isRunning) this.#show();
  }

  /** Text on its way: who says some, in a turn that is open, runs. */
  delta(delta: TextDelta): void {
    const ops = this.#live.delta(delta);
    if (ops.length === 0) return;
    this.settle({ isRunning: true, certainty: 'known' });
    this.channel.push(ops);
  }

  drop(dropped: DroppedText): void { this.channel.push(this.#live.drop(dropped)); }

  /** It goes on or stopped, or its source knows better than before whether it runs. */
  settle(activity: Activity): void {
    const { isRunning } = this.#activity;
    this.#activity = activity;
    if (activity.isRunning !== isRunning) this.#show();
  }

  /** The tape was rewritten: another fold, from its start. */
  replace(fold: TranscriptFold, activity: Activity): void {
    this.#fold = fold;
    this.#live = this.#begin();
    this.#activity = activity;
    this.channel.replace(shownSnapshot(fold, activity));
  }

  /** Tells what the channel does not have yet of what a reader sees. Text that no fact holds ends with the run. */
  #show(): void {
    if (!this.#activity.isRunning && this.#live.isStreaming) this.#live = this.#begin();
    this.channel.push(operationsBetween(this.channel.snapshot(), shownSnapshot(this.#fold, this.#activity), this.channel.agent.agentId));
  }

  #begin(): LiveTranscript { return new LiveTranscript(this.#fold, this.channel.agent.agentId); }
}
