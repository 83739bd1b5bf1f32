import { recordedHomes } from '@tapefold/testing';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileSource } from '../../index.js';

type Json = Readonly<Record<string, unknown>>;
interface Told { readonly threadId: string; readonly turnId: string; readonly item: Json }

const scenarios = recordedHomes().flatMap(({ name, home }) => {
  const trace = join(home, '../live.jsonl');
  return existsSync(trace) ? [{ name, home, trace }] : [];
});

/** The items that the real app-server told as completed while it ran them. */
function toldIn(trace: string): Told[] {
  const lines = readFileSync(trace, 'utf8').trim().split('\n').map((line) => (JSON.parse(line) as { readonly msg: { readonly method?: string; readonly params?: Told } }).msg);
  return lines.flatMap(({ method, params }) => (method === 'item/completed' && params ? [params] : []));
}

const differing = (told: Json, read: Json): string[] => [...new Set([...Object.keys(told), ...Object.keys(read)])].filter((key) => JSON.stringify(told[key]) !== JSON.stringify(read[key]));

/** Calls that Codex writes down for the model only: of how they ran the file says what the model was told. */
const callsOnly = ['command', 'commandActions', 'completedAtMs', 'startedAtMs'].map((key) => `commandExecution.${key}`);
/** Legacy threads hold no times of items and no processes. */
const legacy = [...callsOnly, 'commandExecution.processId', 'commandExecution.source', 'fileChange.completedAtMs', 'fileChange.startedAtMs'];
const known: Readonly<Record<string, readonly string[]>> = {
  'recorded/0.171/approval-cancel': [...callsOnly, 'commandExecution.aggregatedOutput', 'commandExecution.outcome', 'commandExecution.status'],
  'recorded/0.171/approval-decline': [...callsOnly, 'commandExecution.aggregatedOutput'],
  'recorded/0.171/legacy-mode': legacy,
  'recorded/0.171/legacy-rich': [...legacy, 'commandExecution.aggregatedOutput', 'webSearch.completedAtMs', 'webSearch.startedAtMs'],
  // The file keeps 64 kB of an output, and the one who watched got all of it.
  'recorded/0.171/shell': ['commandExecution.aggregatedOutput'],
};

describe('items that a running Codex told, beside what the finished files say', () => {
  it('[R-OPS-8] [R-THR-3] are the same, field by field, but for what the files do not hold', async () => {
    const differences: Record<string, Set<string>> = {};
    let compared = 0;
    for (const { name, home, trace } of scenarios) {
      const source = createFileSource([{ program: 'codex', path: home }]);
      const told = toldIn(trace);
      for (const threadId of new Set(told.map((each) => each.threadId))) {
        const { thread } = await source.read(threadId);
        const read = new Map(thread.turns.flatMap(({ id, items }) => items.map((item) => [`${id} ${item.id}`, JSON.parse(JSON.stringify(item)) as Json] as const)));
        for (const { turnId, item } of told.filter((each) => each.threadId === threadId)) {
          const same = read.get(`${turnId} ${String(item['id'])}`);
          // Legacy threads number most items anew when they are read, and what was rolled back is not there any more.
          if (!same) continue;
          compared += 1;
          for (const key of differing(item, same)) (differences[name] ??= new Set()).add(`${String(item['type'])}.${key}`);
        }
      }
    }
    expect(compared).toBeGreaterThanOrEqual(200);
    const sorted = (of: Readonly<Record<string, Iterable<string>>>): unknown => Object.fromEntries(Object.entries(of).map(([name, keys]) => [name, [...keys].sort()]));
    expect(sorted(differences)).toEqual(sorted(known));
  });
});
