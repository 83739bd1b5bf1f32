import { emptyContext, foldContext, historyOf } from '@tapefold/context';
import { History } from '@tapefold/threads';
import { TranscriptFold, type TranscriptView, plansAnswer, settleTranscript, transcriptAnswer, userMessagesAnswer } from '@tapefold/transcript/fold';
import { pieceReader } from '../files/piece-reader.js';
import type { ShelfThread } from '../files/shelf.js';
import { type StoredOutline, modelFactsOf, outlineOver, parsedOutline } from '../source/stored-outline.js';
import { OutlinedTranscript } from '../transcripts/outlined-transcript.js';
import type { HistoryDump, ThreadStore } from '../thread-store.js';
import { differentPages } from './different-pages.js';
import { firstDifference, plain } from './first-difference.js';
import type { Afresh } from './fold-afresh.js';

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

/** Compares what a thread is answered with by its rows with what it is by the fresh fold: the first difference, as a sentence. Answers that rows of a later state gave are not compared. Throws `StoreError`. */
export async function differentAnswers(store: ThreadStore, { thread, dump: { checkpoint: known, outline: blocks }, fresh }: { readonly thread: ShelfThread; readonly dump: HistoryDump; readonly fresh: Afresh }): Promise<string | undefined> {
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
