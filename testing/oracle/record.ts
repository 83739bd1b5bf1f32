import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RpcServer } from './rpc-client.js';

type Params = Readonly<Record<string, unknown>>;
interface Page { readonly data?: readonly { readonly id: string }[]; readonly nextCursor?: string | null; readonly error?: unknown }

const sourceKinds = ['cli', 'vscode', 'exec', 'appServer', 'subAgent', 'subAgentReview', 'subAgentCompact', 'subAgentThreadSpawn', 'subAgentOther', 'unknown'];
const everything = { sourceKinds, modelProviders: [] };
const lists: Readonly<Record<string, Params>> = {
  default: {}, all: everything, archived: { ...everything, archived: true }, updated: { ...everything, sortKey: 'updated_at' },
  ascending: { ...everything, sortDirection: 'asc' }, onePerPage: { ...everything, limit: 1 },
};

async function call(server: RpcServer, method: string, params: Params): Promise<Page> {
  const { result, error } = await server.call(method, params);
  return error ? { error } : (result as Page);
}

async function pages(server: RpcServer, method: string, base: Params): Promise<Page[]> {
  const all: Page[] = [];
  const seen = new Set<string>();
  for (let cursor: string | null = null; ;) {
    const page: Page = await call(server, method, cursor === null ? base : { ...base, cursor });
    all.push(page);
    if (page.error !== undefined || !page.nextCursor || seen.has(page.nextCursor)) return all;
    cursor = page.nextCursor;
    seen.add(cursor);
  }
}

async function recordThread(server: RpcServer, threadId: string): Promise<Params> {
  const turns = (params: Params): Promise<Page[]> => pages(server, 'thread/turns/list', { threadId, ...params });
  const items = (params: Params): Promise<Page[]> => pages(server, 'thread/items/list', { threadId, limit: 50, ...params });
  const inOrder = { sortDirection: 'asc', limit: 50 };
  const [meta, read, notLoaded, summary, full, newestTwoByTwo, oldestFirst, newestFirst] = await Promise.all([
    call(server, 'thread/read', { threadId }), call(server, 'thread/read', { threadId, includeTurns: true }), turns({ itemsView: 'notLoaded', ...inOrder }), turns({ itemsView: 'summary', ...inOrder }),
    turns({ itemsView: 'full', ...inOrder }), turns({ limit: 2 }), items({}), items({ sortDirection: 'desc' }),
  ]);
  return { meta, read, turns: { notLoaded, summary, full, newestTwoByTwo }, items: { oldestFirst, newestFirst } };
}

/** Asks the built server what `rpc-record.mjs` asks, and writes down the same files; `tapefoldHome`: where its index is. Returns the ids of the threads. */
export async function recordHome(home: string, out: string, tapefoldHome?: string): Promise<readonly string[]> {
  mkdirSync(out, { recursive: true });
  const save = (name: string, value: unknown): void => writeFileSync(join(out, `${name}.json`), JSON.stringify(value));
  const server = new RpcServer(home, undefined, tapefoldHome);
  await server.initialize();
  const answers = await Promise.all(Object.entries(lists).map(async ([name, params]) => [name, await pages(server, 'thread/list', params)] as const));
  const list = Object.fromEntries(answers);
  save('thread-list', list);
  const ids = [...new Set([...(list['all'] ?? []), ...(list['archived'] ?? [])].flatMap(({ data = [] }) => data.map(({ id }) => id)))];
  await Promise.all(ids.map(async (id) => save(id, await recordThread(server, id))));
  const code = await server.end();
  if (code !== 0) throw new Error(`the server ended with ${code}: ${server.stderr}`);
  return ids;
}
