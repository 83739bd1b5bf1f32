import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TranscriptItem, paginateTurns, transcriptQuerySchema, turnOrdinal } from '../index.js';

/** Turns in order with markers between them, before them, and behind them. */
const timelines: fc.Arbitrary<readonly TranscriptItem[]> = fc.tuple(fc.nat({ max: 2 }), fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat({ max: 2 })), { maxLength: 8 })).map(([head, turns]) => {
  let [ordinal, count] = [-1, 0];
  const markers = (n: number): TranscriptItem[] => Array.from({ length: n }, () => ({ kind: 'marker', markerId: `m${(count += 1)}`, marker: 'goal' }));
  return [...markers(head), ...turns.flatMap(([step, behind]): TranscriptItem[] => [{ kind: 'turn', turnId: `t${(ordinal += step)}`, ordinal, state: 'completed', origin: { kind: 'user' }, steps: [] }, ...markers(behind)])];
});
const turnIds = (items: readonly TranscriptItem[]): string[] => items.flatMap((item) => (item.kind === 'turn' ? [item.turnId] : []));

describe('[R-OPS-10] pages of turns', () => {
  it('backwards are the whole timeline, each item once, in order', () => fc.assert(fc.property(timelines, fc.integer({ min: 1, max: 4 }), (items, pageSize) => {
    let [all, beforeTurn, pages]: [TranscriptItem[], string | undefined, number] = [[], undefined, 0];
    for (let hasMore = true; hasMore; pages += 1) {
      const page = paginateTurns(items, { beforeTurn, pageSize });
      expect(turnIds(page.items).length).toBeLessThanOrEqual(pageSize);
      all = [...page.items, ...all];
      [beforeTurn, hasMore] = [turnIds(page.items)[0], page.hasMore];
    }
    expect(all).toEqual(items);
    expect(pages).toBe(Math.max(1, Math.ceil(turnIds(items).length / pageSize)));
  })));

  it('forwards from a turn are all that follows it', () => fc.assert(fc.property(timelines, fc.integer({ min: 1, max: 4 }), fc.nat({ max: 20 }), (items, pageSize, from) => {
    let [all, afterTurn, hasMore]: [TranscriptItem[], string, boolean] = [[], `t${from}`, true];
    while (hasMore) {
      const page = paginateTurns(items, { afterTurn, pageSize });
      all = [...all, ...page.items];
      [afterTurn, hasMore] = [turnIds(page.items).at(-1) ?? afterTurn, page.hasMore];
    }
    const first = items.findIndex((item) => item.kind === 'turn' && item.ordinal > from);
    expect(all).toEqual(first < 0 ? [] : items.slice(first));
  })));

  it('hold one turn at least, twenty where nobody says; a cursor counts by its number only', () => {
    const items: TranscriptItem[] = Array.from({ length: 30 }, (_, ordinal) => ({ kind: 'turn', turnId: `t${ordinal}`, ordinal, state: 'completed', origin: { kind: 'user' }, steps: [] }));
    expect(paginateTurns(items, {}).items).toHaveLength(20);
    expect(turnIds(paginateTurns(items, { pageSize: 0 }).items)).toEqual(['t29']);
    expect(turnIds(paginateTurns(items, { beforeTurn: 'x3', pageSize: 2 }).items)).toEqual(['t1', 't2']);
    expect(paginateTurns(items, { beforeTurn: 'garbage' })).toEqual({ items: [], hasMore: false });
    expect(turnOrdinal('garbage')).toBe(0);
  });

  it('are asked for with one cursor, and for 1 to 100 turns', () => {
    const asks = (query: object) => transcriptQuerySchema.safeParse({ agent_id: 'main', ...query });
    expect(asks({}).data).toEqual({ agent_id: 'main', page_size: 20 });
    expect(asks({ page_size: '100', before_turn: 't3' }).data).toEqual({ agent_id: 'main', page_size: 100, before_turn: 't3' });
    for (const query of [{ page_size: '0' }, { page_size: 101 }, { page_size: 1.5 }, { before_turn: 't1', after_turn: 't0' }, { before_turn: '' }]) expect(asks(query).success).toBe(false);
  });
});
