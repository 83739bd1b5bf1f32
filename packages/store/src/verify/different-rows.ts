import type { RecordList, Row, RowsSnapshot } from '@tapefold/threads';
import type { ShelfThread } from '../files/shelf.js';
import { outlineOf } from '../rows/outline.js';
import type { HistoryDump, HistoryState } from '../thread-store.js';
import { differentEnd, differentFiles, newestRecords } from './different-state.js';
import { firstDifference, plain } from './first-difference.js';
import type { Afresh } from './fold-afresh.js';

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

/** Compares rows, checkpoint, places to play from and outline of a thread with what its files come to: the first difference, as a sentence. Throws `TapeError`. */
export function differentStates(fresh: Afresh, thread: ShelfThread, dump: HistoryDump): string | undefined {
  const { state, player } = dump.checkpoint;
  const snapshot: RowsSnapshot = fresh.rows.snapshot();
  const { head, position, lastAt } = state;
  return differentEnd(fresh, state.segments)
    ?? firstDifference(plain({ head: fresh.head, position: fresh.position, lastAt: fresh.lastAt }), plain({ head, position, lastAt }))
    ?? differentRows('turn', snapshot.turns, dump.turns) ?? differentRows('item', snapshot.items, dump.items) ?? differentRows('step', snapshot.steps, dump.steps)
    ?? differentRows('notice', snapshot.notices, dump.notices) ?? differentRows('spoken record', snapshot.realtime, dump.realtime)
    ?? firstDifference(plain(newestRecords(fresh)), plain(state.records), 'records')
    ?? firstDifference(fresh.records.slice(0, fresh.records.length), joined(dump.records, state.records), 'records')
    ?? fresh.starts.difference ?? differentOutlines(fresh, dump) ?? differentFiles(fresh, thread, state)
    ?? firstDifference(plain(isGoneOnWith(thread, state) ? fresh.player : null), player === null ? null : (JSON.parse(player) as unknown), 'player');
}

/** Whether the indexer goes on from the checkpoint when the file grows; else it plays it anew. */
function isGoneOnWith(thread: ShelfThread, { segments: { length }, hasLooseEnd }: HistoryState): boolean {
  return thread.segments().segments[length - 1]?.file.form === 'lines' && !hasLooseEnd;
}

function differentOutlines({ outline }: Afresh, dump: HistoryDump): string | undefined {
  const whole = (blocks: HistoryDump['outline']): unknown => {
    const parts = blocks.map(outlineOf);
    return plain({ blocks: blocks.map(({ from }) => from), facts: parts.flatMap(({ facts }) => facts), entries: parts.flatMap(({ entries }) => entries) });
  };
  return firstDifference(plain(outline.state), plain(dump.checkpoint.state.outline), 'state of the outline') ?? firstDifference(whole(outline.changed()), whole(dump.outline), 'outline');
}
