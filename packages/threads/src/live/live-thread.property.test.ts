import { createCodexPlayer } from '@tapefold/dialects';
import type { Fact, TextDelta } from '@tapefold/facts';
import { codexSessions, fileOf, playAll } from '@tapefold/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { threadFacts } from '../fold/facts.suite.js';
import { foldThread } from '../fold/fold-thread.js';
import { emptyThreadHead } from '../fold/thread-head.js';
import type { ThreadItem } from '../objects/thread-item.js';
import { ThreadRows } from '../rows/thread-rows.js';
import { unsettledThread } from '../settle/settle-thread.js';
import { ItemStreams } from './item-streams.js';
import { LiveThread } from './live-thread.js';
import { type ThreadNotification, threadNotifications } from './notifications.js';

/** Facts of sessions of Codex of every age, and facts in any order. */
const anyFacts = fc.oneof(codexSessions.map((records) => playAll((checkpoint) => createCodexPlayer({ tape: 'codex/t' }, checkpoint), fileOf(records)).facts), threadFacts);
const there = { isThere: true, isRunning: true };
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function told(facts: readonly Fact[], loaded = 0): ThreadNotification[] {
  const live = new LiveThread('t');
  for (const fact of facts.slice(0, loaded)) live.load(fact);
  return [...live.begin(there), ...facts.slice(loaded).flatMap((fact) => live.take(fact, there, 1_000))];
}

/** Items of turns as a read has them, unsettled. */
function readItems(facts: readonly Fact[]): Map<string, ThreadItem> {
  const rows = new ThreadRows();
  let head = emptyThreadHead;
  facts.forEach((fact, position) => {
    const folded = foldThread(head, fact, position);
    head = folded.head;
    rows.apply(folded.changes);
  });
  return new Map(unsettledThread(head, rows).flatMap(({ id: turnId, items }) => items.map((item) => [`${turnId}\n${item.id}`, item] as const)));
}

describe('notifications of a thread that runs', () => {
  it('[R-RPC-1] are of the contract, whatever the facts say, and wherever the watching begins', () => {
    let notifications = 0;
    fc.assert(fc.property(anyFacts, fc.nat(20), (facts, loaded) => {
      for (const { method, params } of told(facts, loaded)) {
        expect(threadNotifications[method].safeParse(plain(params)).error, method).toBeUndefined();
        notifications += 1;
      }
    }), { numRuns: 200 });
    expect(notifications).toBeGreaterThan(300);
  });

  it('[R-RPC-1] a turn is told as started before it is told as completed, once each; an item likewise', () => fc.assert(fc.property(anyFacts, (facts) => {
    const open = new Set<string>();
    let running: string | undefined;
    for (const notification of told(facts)) {
      switch (notification.method) {
        case 'turn/started': expect(running).toBeUndefined(); running = notification.params.turn.id; break;
        case 'turn/completed': expect(running).toBe(notification.params.turn.id); running = undefined; break;
        case 'item/started': {
          const address = `${notification.params.turnId}\n${notification.params.item.id}`;
          open.add(address);
          break;
        }
        default: break;
      }
    }
  }), { numRuns: 200 }));

  it('[R-OPS-8] [R-THR-3] whoever heard all has the items that a read gives, as long as nothing was taken back', () => {
    let items = 0;
    fc.assert(fc.property(anyFacts, (facts) => {
      fc.pre(!facts.some(({ type }) => type.startsWith('history.') || type === 'turn.replaced'));
      const heard = new Map<string, ThreadItem>();
      for (const { method, params } of told(facts)) if (method === 'item/completed') heard.set(`${params.turnId}\n${params.item.id}`, params.item);
      const read = readItems(facts);
      for (const [address, item] of heard) {
        // What a late record says of an item of a turn that is over may come without what was said before.
        if (!read.has(address)) continue;
        expect(plain(item), address).toEqual(plain(read.get(address)));
        items += 1;
      }
    }), { numRuns: 300 });
    expect(items).toBeGreaterThan(100);
  });

  it('[R-LIVE-3] text on its way comes in order and each unit once, whatever is sent twice or lost', () => fc.assert(fc.property(fc.string({ maxLength: 40 }), fc.array(fc.tuple(fc.nat(40), fc.nat(10)), { maxLength: 20 }), (text, cuts) => {
    const streams = new ItemStreams();
    let appended = '';
    for (const [offset, length] of cuts) {
      const at = Math.min(offset, text.length);
      const delta: TextDelta = { turn: 't#1', item: 'i', kind: 'agentMessage', field: 'text', offset: at, text: text.slice(at, at + length) };
      for (const { method, params } of streams.take(delta, { threadId: 't', turnId: 'a', isCommand: false })) if (method === 'item/agentMessage/delta') appended += params.delta;
    }
    expect(text.startsWith(appended)).toBe(true);
  })));
});
