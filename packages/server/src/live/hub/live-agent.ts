import type { Fact } from '@tapefold/facts';
import type { AgentTranscriptSnapshot, TranscriptOperation } from '@tapefold/transcript';
import { type DroppedText, type RunningTranscript, type TextDelta, type TranscriptFold, LiveTranscript, operationsBetween, settleTranscript } from '@tapefold/transcript/fold';
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
 * One agent of a live session. While it runs, facts and deltas go to its channel as they come; when it stops, what is left open is settled for those who
 * watch, and taken back when it goes on.
 */
export class LiveAgent {
  readonly channel: AgentChannel;
  #fold: TranscriptFold;
  #live: LiveTranscript;
  #activity: Activity;

  constructor(of: { readonly fold: TranscriptFold; readonly channel: AgentChannel; readonly activity: Activity }) {
    this.channel = of.channel;
    this.#fold = of.fold;
    this.#live = new LiveTranscript(of.fold, of.channel.agent.agentId);
    this.#activity = of.activity;
  }

  get activity(): Activity { return this.#activity; }

  /** Facts in order; an agent that writes some runs. */
  facts(facts: readonly Fact[], activity: Activity): void {
    const ops = [...this.#resume(activity), ...facts.flatMap((fact) => this.#live.fact(fact))];
    this.channel.push(ops);
  }

  delta(delta: TextDelta): void {
    this.channel.push([...this.#resume({ isRunning: true, certainty: 'known' }), ...this.#live.delta(delta)]);
  }

  drop(dropped: DroppedText): void { this.channel.push(this.#live.drop(dropped)); }

  /** It stopped, or its source knows better than before whether it runs. */
  settle(activity: Activity): void {
    const before = this.#activity;
    this.#activity = activity;
    if (before.isRunning === activity.isRunning) return;
    if (activity.isRunning) return this.channel.push(this.#unsettled(before));
    this.channel.push(operationsBetween(this.channel.snapshot(), shownSnapshot(this.#fold, activity), this.channel.agent.agentId));
  }

  /** The tape was rewritten: another fold, from its start. */
  replace(fold: TranscriptFold, activity: Activity): void {
    this.#fold = fold;
    this.#live = new LiveTranscript(fold, this.channel.agent.agentId);
    this.#activity = activity;
    this.channel.replace(shownSnapshot(fold, activity));
  }

  #resume(activity: Activity): readonly TranscriptOperation[] {
    const before = this.#activity;
    this.#activity = activity;
    return before.isRunning || !activity.isRunning ? [] : this.#unsettled(before);
  }

  #unsettled(before: Activity): readonly TranscriptOperation[] {
    return operationsBetween(shownSnapshot(this.#fold, before), shownSnapshot(this.#fold, this.#activity), this.channel.agent.agentId);
  }
}
