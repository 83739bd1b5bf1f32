import { createNativePlayer } from '@tapefold/dialects';
import { type Recorder, openTape } from '@tapefold/tapes';
import { type AgentTranscriptSnapshot, redactSnapshotForGrade } from '@tapefold/transcript';
import { TranscriptFold, settleTranscript } from '@tapefold/transcript/fold';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { type LiveServer, type TestClient, until } from './live-server.suite.js';

/** Something that happens to a session, or to who follows it; `of` picks among what there is, `text` is what is said. */
export type Move = { readonly move: 'message' | 'call' | 'undo' | 'endTurn' | 'cut' | 'pause' | 'restart' | 'kill' | 'join' | 'older'; readonly of: number; readonly text: string };

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What a client shows, in the order in which a server tells it. */
export function shown({ session }: TestClient, agentId: string): AgentTranscriptSnapshot {
  const { items, tasks, interactions, attachments, todos, prompts, meta } = session.state(agentId)!.synced.transcript;
  return { items: [...items], tasks: [...tasks.values()], interactions: [...interactions.values()], attachments: [...attachments.values()], todos: [...todos.values()], prompts: [...prompts.values()], meta };
}

/** A recorder with its tape, and the fold of what is on it. */
export class Recorded {
  readonly fold = new TranscriptFold();
  recorder!: Recorder;
  #turn: ReturnType<Recorder['turn']> | undefined;
  #step: ReturnType<ReturnType<Recorder['turn']>['step']> | undefined;

  async open(server: LiveServer, home: string, threadId: string): Promise<void> {
    this.recorder = await openTape({
      home, threadId, createPlayer: createNativePlayer, agent: { name: 'test' },
      onFact: (fact) => { this.fold.load(fact); server.bus.facts(threadId, [fact]); },
      onDelta: (delta) => server.bus.delta(threadId, delta), onDropped: (dropped) => server.bus.dropped(threadId, dropped),
    });
  }

  async make({ move, text, of }: Move): Promise<void> {
    switch (move) {
      case 'message': {
        const message = this.#inStep().message();
        for (const char of text) message.delta(char);
        if (of === 0) message.drop(); else await message.complete();
        return;
      }
      case 'call': {
        const call = this.#inStep().call({ name: 'run', input: { text } });
        if (of > 2) await call.complete({ output: text });
        return;
      }
      case 'endTurn': this.end(); return;
      case 'undo': this.end(); this.recorder.undo(); return;
      default: return;
    }
  }

  /** What there is to see when nothing runs any more: what no record ends is shown as what it is. */
  settled(): AgentTranscriptSnapshot { return settleTranscript(this.fold.view()); }

  end(): void {
    this.#turn?.end();
    this.#turn = undefined;
    this.#step = undefined;
  }

  #inStep(): ReturnType<ReturnType<Recorder['turn']>['step']> {
    this.#turn ??= this.recorder.turn('go on');
    this.#step ??= this.#turn.step();
    return this.#step;
  }
}

/** What a reader at the client's grade sees of a state. */
const seenBy = ({ session }: TestClient, agentId: string, state: AgentTranscriptSnapshot): unknown => plain(redactSnapshotForGrade(session.state(agentId)!.synced.grade, state));

/** Waits until the client is up to date with an agent and has paged to the beginning; it has to show this then. */
export async function expectInStep(client: TestClient, expected: AgentTranscriptSnapshot, agentId = 'main'): Promise<void> {
  const { session, transport } = client;
  transport.pause(false);
  await until('a client that is in step', () => {
    if (!session.state(agentId)) return false;
    session.askOlder(agentId);
    const state = session.state(agentId);
    return state?.kind === 'live' && state.synced.firstTurn === -Infinity && isDeepStrictEqual(plain(shown(client, agentId)), seenBy(client, agentId, expected));
  }).catch(() => undefined);
  expect(session.agents()).toContain(agentId);
  expect(plain(shown(client, agentId))).toEqual(seenBy(client, agentId, expected));
}
