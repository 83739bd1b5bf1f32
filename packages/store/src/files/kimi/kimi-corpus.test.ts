import { ledgerAddsUp } from '@tapefold/facts';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { ThreadSource } from '../../thread-source.js';
import { createFileSource } from '../file-source.js';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'tapefold-kimi-corpus-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const uuid = (n: number): string => `0199a000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const isOfCli = (path: string): boolean => !/"created_at"|^\{"type":"[a-z_]+\./m.test(readFileSync(path, 'utf8').slice(0, 2_000));

/** Files that lie loose, as a home: each the log of a session of its family, or the history of one. */
function homeOver(name: string, files: readonly string[]): string {
  const home = join(scratch, name);
  for (const [i, path] of files.entries()) {
    const isHistory = /kc\d+|kw005/.test(path);
    const place = isOfCli(path) ? `sessions/0123456789abcdef0123456789abcdef/${uuid(i)}/${isHistory ? 'context' : 'wire'}.jsonl` : `sessions/wd_w_0123456789ab/session_${uuid(i)}/agents/main/wire.jsonl`;
    mkdirSync(join(home, place, '..'), { recursive: true });
    cpSync(path, join(home, place));
  }
  return home;
}

function filesBelow(path: string, pattern: RegExp): string[] {
  return existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => pattern.test(name)).sort().map((name) => join(path, name)) : [];
}

const recorded = join(root, 'fixtures/kimi/recorded/2.1.0');
const scenarios = readdirSync(recorded);
const logsBelow = (home: string): number => filesBelow(home, /(?:^|\/)(?:wire|context)\.jsonl$/).length;
const sourceOf = (home: string): ThreadSource => createFileSource([{ program: 'kimi', path: home }]);

const homes: readonly (readonly [name: string, home: string])[] = [
  ...scenarios.map((name) => [`recorded/${name}`, join(recorded, name, 'home')] as const),
  ['handmade', join(root, 'fixtures/kimi/handmade/home')],
  ['cases', homeOver('cases', filesBelow(join(root, 'fixtures/kimi/cases'), /wire\.jsonl$/))],
  ['samples/kimi', join(root, 'samples/kimi')], ['samples/kimi-cli', join(root, 'samples/kimi-cli')],
  ...[join(root, '../shared/corpus/real/kimi')].filter(existsSync).map((path) => ['real', homeOver('real', filesBelow(path, /\.jsonl$/))] as const),
];

describe.each(homes)('%s', (_, home) => {
  it('[R-DIA-2] [R-TAPE-2] every log opens through the source, and its ledger adds up', async () => {
    const source = sourceOf(home);
    const ids = new Set<string>();
    let reports = 0;
    for await (const { ledger, threadId, problem } of source.report()) {
      expect(problem).toBeUndefined();
      expect(ledgerAddsUp(ledger)).toBe(true);
      ids.add(threadId ?? '');
      reports += 1;
    }
    // Of log and history of one agent one is read.
    const beside = filesBelow(home, /context\.jsonl$/).filter((path) => existsSync(path.replace(/context\.jsonl$/, 'wire.jsonl'))).length;
    expect([reports, ids.size]).toEqual([logsBelow(home) - beside + (home.includes('samples/kimi-cli') ? 1 : 0), reports]);
    for (const id of ids) {
      const { thread, program } = await source.read(id);
      expect([thread.id, program]).toEqual([id, 'kimi']);
    }
  }, 60_000);

  it('[R-TAPE-6] every listed thread tells in a list what reading it whole tells, where the list says it', async () => {
    const source = sourceOf(home);
    const { rows, problems } = await source.list({ hasSubAgents: true, archived: 'too' });
    expect(problems).toEqual([]);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const { thread: { turns, ...whole } } = await source.read(row.thread.id);
      const last = turns.at(-1)?.status ?? 'empty';
      const isTold = row.lastTurn !== undefined && row.turnCount !== undefined;
      // Where nothing ends the last turn, the list says that it is open.
      const told = row.lastTurn === 'open' ? ['interrupted', 'completed'].includes(last) : row.lastTurn === last;
      expect([row.turnCount ?? turns.length, !isTold || told], `${row.path} ${String(row.lastTurn)} ${last}`).toEqual([turns.length, true]);
      expect({ ...row.thread, turns: null }, row.path).toEqual({ ...whole, turns: null });
    }
  }, 60_000);
});

interface Listed { readonly id: string; readonly workspace_id: string; readonly title: string; readonly created_at: string; readonly updated_at: string; readonly archived: boolean; readonly archived_at?: string; readonly last_prompt?: string; readonly last_turn_reason?: string; readonly metadata: { readonly cwd: string } }

const goldenOf = (scenario: string): string => join(recorded, scenario, 'golden/cold.sessions-with-archived.json');
const reasons = { completed: 'completed', interrupted: 'cancelled', failed: 'failed' } as const;
const iso = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : new Date(ms).toISOString());

describe.each(scenarios.filter((scenario) => existsSync(goldenOf(scenario))))('what the real server lists of recorded/%s', (scenario) => {
  const golden = JSON.parse(readFileSync(goldenOf(scenario), 'utf8')) as { readonly data: { readonly items: readonly Listed[] } };

  it('[R-TAPE-6] is what we list: the same sessions with the same titles, times, folders and ends', async () => {
    const { rows } = await sourceOf(join(recorded, scenario, 'home')).list({ archived: 'too' });
    const ours = new Map(rows.map(({ kimi, thread, isArchived }) => [kimi?.sessionId ?? '', { kimi, thread, isArchived }]));
    // The recorded answer is of one page; what it names we have, and as it says it.
    for (const listed of golden.data.items) {
      const own = ours.get(listed.id);
      expect({
        workspace_id: own?.kimi?.workspaceId, title: own?.kimi?.title ?? '', created_at: iso(own?.kimi?.createdAtMs), updated_at: iso(own?.kimi?.updatedAtMs), archived: own?.isArchived, archived_at: iso(own?.kimi?.archivedAtMs), last_prompt: own?.kimi?.lastPrompt,
        last_turn_reason: own?.kimi?.lastTurn && own.kimi.lastTurn in reasons ? reasons[own.kimi.lastTurn as keyof typeof reasons] : undefined, cwd: own?.thread.cwd,
      }, listed.id).toEqual({
        workspace_id: listed.workspace_id, title: listed.title, created_at: listed.created_at, updated_at: listed.updated_at, archived: listed.archived, archived_at: listed.archived_at, last_prompt: listed.last_prompt, last_turn_reason: listed.last_turn_reason, cwd: listed.metadata.cwd,
      });
    }
    const order = rows.map(({ kimi }) => kimi?.sessionId).filter((id) => golden.data.items.some((listed) => listed.id === id));
    expect(order).toEqual(golden.data.items.map(({ id }) => id));
  });
});
