import { RpcServer, copyOfHome, recordedHomes } from '@tapefold/testing';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folders: string[] = [];
afterAll(() => { for (const folder of folders) rmSync(folder, { recursive: true, force: true }); });

/** Every file and folder of a home: size, times, mode, and what is in it. */
function stateOf(home: string): Record<string, string> {
  const names = ['.', ...readdirSync(home, { recursive: true, encoding: 'utf8' }).sort()];
  return Object.fromEntries(names.map((name) => {
    const path = join(home, name);
    const stat = statSync(path, { bigint: true });
    const content = stat.isDirectory() ? 'folder' : createHash('sha256').update(readFileSync(path)).digest('hex');
    return [name, `${content} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.mode} ${stat.ino}`];
  }));
}

/** A call of every method, good and bad, read or not. */
function calls(threadId: string): [string, object][] {
  const everything = { sourceKinds: ['cli', 'vscode', 'exec', 'subAgent'], modelProviders: [] };
  const reads: [string, object][] = [
    ['account/read', {}], ['thread/list', {}], ['thread/list', { ...everything, archived: true }], ['thread/loaded/list', {}], ['thread/read', { threadId }], ['thread/read', { threadId, includeTurns: true }],
    ['thread/turns/list', { threadId }], ['thread/turns/list', { threadId, itemsView: 'full', sortDirection: 'asc', limit: 100 }], ['thread/items/list', { threadId }],
    ['thread/items/read', { threadId, turnId: 'x', itemIds: ['item-1'] }], ['thread/timeline/list', { threadId }], ['thread/search', { searchTerm: 'q' }], ['thread/searchOccurrences', { threadId, searchTerm: 'q' }],
  ];
  const refused = ['thread/start', 'thread/resume', 'thread/archive', 'thread/unarchive', 'thread/delete', 'thread/name/set', 'thread/fork', 'thread/revert', 'turn/start', 'thread/readState/update', 'rollout/compress'];
  return [...reads, ...refused.map((method): [string, object] => [method, { threadId }])];
}

describe('[R-RPC-2] [R-TAPE-6] reading touches nothing', () => {
  it('homes are the same before and after every method, to the byte and to the nanosecond', async () => {
    const chosen = recordedHomes().filter(({ name }) => /8-archived|11-misc|17-zst|22-lines|live-paginated|revert-twice|0\.20\.0\/exec-basic|0\.1\.\d+\/tui-basic/.test(name));
    expect(chosen.length).toBeGreaterThanOrEqual(8);
    for (const { name, threadIds } of chosen) {
      const home = copyOfHome(name);
      folders.push(home);
      for (const file of readdirSync(home, { recursive: true, encoding: 'utf8' })) utimesSync(join(home, file), 1_700_000_000, 1_700_000_000);
      const before = stateOf(home);
      const server = new RpcServer(home);
      await server.initialize();
      for (const threadId of [threadIds[0] ?? '01990000-0000-7000-8000-00000000ffff', '01990000-0000-7000-8000-00000000ffff']) {
        for (const [method, params] of calls(threadId)) {
          await server.call(method, params);
          expect(stateOf(home), `${name} after ${method}`).toEqual(before);
        }
      }
      expect(await server.end()).toBe(0);
      expect(stateOf(home), `${name} at the end`).toEqual(before);
    }
  }, 60_000);

  it('a home that does not exist is not made', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tapefold-none-'));
    folders.push(folder);
    const server = new RpcServer(join(folder, 'none'));
    expect(await server.end()).toBe(1);
    expect(server.stderr).toContain('does not exist');
    expect(readdirSync(folder)).toEqual([]);
  });
});
