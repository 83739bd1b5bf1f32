import { type ContextState, deriveRequest, emptyContext, foldContext, plainProfile } from '@tapefold/context';
import { createNativePlayer } from '@tapefold/dialects';
import type { DroppedText, Fact, TextDelta } from '@tapefold/facts';
import { checkFacts } from '@tapefold/testing';
import { emptyThreadHead, foldThread, settleThread, ThreadRows } from '@tapefold/threads';
import { readFileSync } from 'node:fs';
import { type RecorderOptions, openTape } from './open-tape.js';
import type { Recorder } from './recorder.js';

/** A recorder under test, and all that it told. */
export interface Watched {
  readonly tape: Recorder;
  readonly facts: Fact[];
  readonly deltas: TextDelta[];
  readonly dropped: DroppedText[];
  /** What the model reads next, folded as an agent folds it. */
  readonly context: () => ContextState;
}

let clock = Date.UTC(2026, 0, 1);
/** A clock that goes on by a second at each look. */
const tick = (): number => (clock += 1_000);

export async function watched(home: string, options: Partial<RecorderOptions> = {}): Promise<Watched> {
  const facts: Fact[] = [];
  const deltas: TextDelta[] = [];
  const dropped: DroppedText[] = [];
  let context = emptyContext;
  const tape = await openTape({
    home, createPlayer: createNativePlayer, agent: { name: 'test-agent', version: '1.2' }, now: tick,
    onFact: (fact, ordinal) => { facts.push(fact); context = foldContext(context, fact, ordinal); },
    onDelta: (delta) => void deltas.push(delta), onDropped: (item) => void dropped.push(item), ...options,
  });
  return { tape, facts, deltas, dropped, context: () => context };
}

/** The facts of a tape as any reader gets them; every law of players holds for it, references too. */
export function readBack(path: string): Fact[] {
  return checkFacts((checkpoint) => createNativePlayer({ tape: 'native/unnamed' }, checkpoint), readFileSync(path)).facts;
}

/** The request that the model gets next, as short words. */
export function requestOf({ tape, context }: Pick<Watched, 'tape' | 'context'>): string[] {
  const { body } = deriveRequest(context(), { profile: plainProfile('responses'), reader: { value: tape.value } });
  const items = ('input' in body ? body.input : []) as unknown as readonly { type: string; role?: string; content?: readonly { text: string }[]; arguments?: string; output?: string }[];
  return items.map(({ type, role = '', content = [], ...call }) => (type === 'message' ? `${role}: ${content.map(({ text }) => text).join('')}` : `${type} ${JSON.stringify(call.arguments ?? call.output)}`));
}

/** The settled thread, as short words: turns with their items. */
export function threadOf(facts: readonly Fact[]): string[] {
  const rows = new ThreadRows();
  let head = emptyThreadHead;
  facts.forEach((fact, position) => {
    const folded = foldThread(head, fact, position);
    head = folded.head;
    rows.apply(folded.changes);
  });
  return settleThread(head, rows).map((turn) => `${turn.id} ${turn.status}: ${turn.items.map((item) => `${item.id}=${item.type}`).join(' ')}`);
}
