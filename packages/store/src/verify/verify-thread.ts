import { emptyContext, foldContext, historyOf } from '@tapefold/context';
import { TapeError } from '@tapefold/tapes';
import { History, type RecordList, type Row, type RowsSnapshot } from '@tapefold/threads';
import { TranscriptFold, type TranscriptView, plansAnswer, settleTranscript, transcriptAnswer, userMessagesAnswer } from '@tapefold/transcript/fold';
import { StoreError } from '../errors.js';
import { pieceReader } from '../files/piece-reader.js';
import type { ShelfThread } from '../files/shelf.js';
import { historyName } from '../indexing/plan-history.js';
import { outlineOf } from '../rows/outline.js';
import { type StoredOutline, modelFactsOf, outlineOver, parsedOutline } from '../source/stored-outline.js';
import { OutlinedTranscript } from '../transcripts/outlined-transcript.js';
import { type HistoryDump, ROWS_VERSION, type ThreadStore } from '../thread-store.js';
import { differentMap } from './different-map.js';
import { differentPages } from './different-pages.js';
import { firstDifference, plain } from './first-difference.js';
import { Afresh } from './fold-afresh.js';

function differentRows(kind: string, expected: readonly Pick<Row, 'key'>[], actual: readonly Pick<Row, 'key'>[]): string | undefined {
  const byKey = new Map(actual.map((row) => [row.key, row]));
  if (byKey.size < actual.length) return `a ${kind} is in the index twice`;
  for (const row of expected) {
    const other = byKey.get(row.key);
    if (!other) return `${kind} ${row.key} is missing in the index`;
    const found = firstDifference(plain(row), plain(other), `${kind} ${row.key}`);
    if (found !== undefined) return found;
    byKey.delete(row.key);
  }
  const [more] = byKey.keys();
  return more === undefined ? undefined : `${kind} ${more} is in the index and not in the files`;
}

/** All records as one list: blocks, then the newest. */
function joined(blocks: readonly RecordList[], tail: RecordList): RecordList {
  const lists = [...blocks, tail];
  let from = 0;
  const tapes = lists.flatMap((list) => {
    const shifted = list.tapes.map((each) => ({ tape: each.tape, from: each.from + from }));
    from += list.starts.length;
    return shifted;
  }).filter((each, i, all) => each.tape !== all[i - 1]?.tape);
  const all = (pick: (list: RecordList) => readonly number[]): number[] => lists.flatMap((list) => [...pick(list)]);
  return { starts: all((list) => list.starts), ordinals: all((list) => list.ordinals), offsets: all((list) => list.offsets), tapes, last: tail.last };
}

function differentStates(fresh: Afresh, dump: HistoryDump): string | undefined {
  const { state, player } = dump.checkpoint;
  const snapshot: RowsSnapshot = fresh.rows.snapshot();
  const { head, position, lastAt } = state;
  return firstDifference(plain({ head: fresh.head, position: fresh.position, lastAt: fresh.lastAt }), plain({ head, position, lastAt }))
    ?? differentRows('turn', snapshot.turns, dump.turns) ?? differentRows('item', snapshot.items, dump.items) ?? differentRows('step', snapshot.steps, dump.steps)
    ?? differentRows('notice', snapshot.notices, dump.notices) ?? differentRows('spoken record', snapshot.realtime, dump.realtime)
    ?? firstDifference(fresh.records.slice(0, fresh.records.length), joined(dump.records, state.records), 'records')
    ?? (player === null ? undefined : firstDifference(plain(fresh.player), JSON.parse(player) as unknown, 'player'))
    ?? fresh.differentStart ?? differentOutlines(fresh, dump);
}

function differentOutlines({ outline }: Afresh, dump: HistoryDump): string | undefined {
  const whole = (blocks: HistoryDump['outline']): unknown => {
    const parts = blocks.map(outlineOf);
    return plain({ blocks: blocks.map(({ from }) => from), facts: parts.flatMap(({ facts }) => facts), entries: parts.flatMap(({ entries }) => entries) });
  };
  return firstDifference(plain(outline.state), plain(dump.checkpoint.state.outline), 'state of the outline') ?? firstDifference(whole(outline.changed()), whole(dump.outline), 'outline');
}

/** Turns of a page of a transcript that is compared, and pages. */
const TURNS = 3;
const TRANSCRIPT_PAGES = 4;

const answered = (view: TranscriptView) => ({ agentId: 'main', snapshot: settleTranscript(view), hasModes: view.hasModes });

/** Compares the newest pages of a transcript, as they are answered, with those of the fold of all facts. */
async function differentTranscripts(fresh: Afresh, outlined: OutlinedTranscript): Promise<string | undefined> {
  const whole = fresh.transcript.view();
  for (let page = 0, beforeTurn: string | undefined; page < TRANSCRIPT_PAGES; page++) {
    const of = { page: { pageSize: TURNS, beforeTurn }, agents: [] };
    const expected = transcriptAnswer(answered(whole), of);
    const found = firstDifference(plain(expected), plain(transcriptAnswer(answered(await outlined.page(of.page)), of)), 'transcript');
    if (found !== undefined || !expected.has_more) return found;
    beforeTurn = expected.items.find((item) => item.kind === 'turn')?.turnId;
  }
  return undefined;
}

/** Compares what people said, and plans, with what the fold of all facts has of them. */
async function differentExtracts(fresh: Afresh, outlined: OutlinedTranscript): Promise<string | undefined> {
  const whole = answered(fresh.transcript.view());
  return firstDifference(plain(userMessagesAnswer([whole])), plain(userMessagesAnswer([answered(await outlined.openings())])), 'user messages')
    ?? firstDifference(plain(plansAnswer(whole)), plain(plansAnswer(answered(await outlined.plans()))), 'plans');
}

/** Compares the model's history by the outline with that by all facts. */
async function differentModelHistories({ context }: Afresh, outline: StoredOutline): Promise<string | undefined> {
  let state = emptyContext;
  for await (const { position, fact } of modelFactsOf(outline)) state = foldContext(state, fact, position);
  return firstDifference(plain(historyOf(context)), plain(historyOf(state)), 'history of the model');
}

/** What verifying one thread came to: `difference` is the first one, as a sentence; `notIndexed`: there is nothing to compare. */
export interface VerifyResult {
  readonly threadId: string;
  readonly path: string;
  readonly state: 'equal' | 'differs' | 'notIndexed';
  readonly difference?: string | undefined;
}

/** Compares the map of its turns, where it has one, and folds the thread afresh, as far as its rows go, and compares rows, record numbers, the checkpoint, outline and places to play from, pages of turns, items and transcripts, user messages, plans and the model's history, the columns that rows are found by, and the index of text. Memory: the thread. */
export async function verifyThread(store: ThreadStore, thread: ShelfThread): Promise<VerifyResult> {
  const about = { threadId: thread.threadId, path: thread.file.path };
  if (thread.segments().segments.length === 0) return { ...about, state: 'equal' };
  try {
    const mapped = await differentMap(store, thread);
    if (mapped !== undefined) return { ...about, state: 'differs', difference: mapped };
    const dump = await store.dump(historyName(thread));
    if (!dump || dump.checkpoint.rowsVersion !== ROWS_VERSION) return { ...about, state: 'notIndexed' };
    return { ...about, ...await compared(store, { thread, dump }) };
  } catch (cause) {
    // Rows that were written meanwhile are those of another state: they are not compared.
    if (cause instanceof StoreError && cause.code === 'rewritten') return { ...about, state: 'equal' };
    if (isUnreadable(cause)) return { ...about, state: 'differs', difference: `what the index has of it cannot be read back: ${cause.message}` };
    if (!(cause instanceof TapeError)) throw cause;
    return { ...about, state: 'differs', difference: cause.message };
  }
}

/** Text that is no JSON, or bytes that are not deflated; kept texts of turns say so with what they found. */
function isUnreadable(cause: unknown): cause is Error {
  if (cause instanceof StoreError && cause.code === 'storeDamaged') return cause.detail.cause instanceof Error && cause.detail.cause.name !== 'SqliteError';
  return cause instanceof SyntaxError || (cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && cause.code.startsWith('Z_'));
}

async function compared(store: ThreadStore, { thread, dump }: { readonly thread: ShelfThread; readonly dump: HistoryDump }): Promise<Pick<VerifyResult, 'state' | 'difference'>> {
  const { checkpoint: known } = dump;
  const { segments } = thread.segments();
  const fresh = await new Afresh(thread, dump.starts).fold(known.state.segments.map((stamp, i) => ({ ...(segments[i] as (typeof segments)[number]), endOffset: stamp.bytes })));
  const difference = differentStates(fresh, dump) ?? await store.misfit(dump) ?? await differentAnswers(store, { thread, dump, fresh });
  return { state: difference === undefined ? 'equal' : 'differs', difference };
}

/** Answers that rows of a later state gave are not compared. */
async function differentAnswers(store: ThreadStore, { thread, dump: { checkpoint: known, outline: blocks }, fresh }: { readonly thread: ShelfThread; readonly dump: HistoryDump; readonly fresh: Afresh }): Promise<string | undefined> {
  const readPiece = pieceReader(thread.shelf.byTape);
  const object = thread.object(fresh.head);
  const stored = await store.open(known.name, { thread: object, readPiece });
  const memory = new History({ thread: object, head: fresh.head, rows: fresh.rows, placeOf: fresh.records.placeOf, marks: fresh.records, readPiece });
  const outline = outlineOver(parsedOutline({ entry: known, blocks }), { store, thread });
  const outlined = new OutlinedTranscript(outline, { newFold: (part) => new TranscriptFold({ part }), whole: (fact) => fact });
  const difference = (stored && await differentPages(memory, stored.history)) ?? await differentTranscripts(fresh, outlined) ?? await differentExtracts(fresh, outlined)
    ?? await differentModelHistories(fresh, outline);
  return (await store.entry(known.name))?.version === known.version ? difference : undefined;
}
