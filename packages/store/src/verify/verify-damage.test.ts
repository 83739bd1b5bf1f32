import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyHome, folder, index, newStore, put, verified } from '../indexing/grown-home.suite.js';
import { indexTexts } from '../search/text-indexer.js';
import type { Sqlite } from '../sqlite/database.js';
import { deflated, inflated } from '../sqlite/deflated.js';
import { rowTables } from '../sqlite/schema.js';
import { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HomeRef } from '../thread-source.js';
import type { VerifyResult } from './verify-thread.js';

/** A thread with more lines than a block of records has. */
function longThread(): HomeRef {
  const home: HomeRef = { program: 'codex', path: folder() };
  const id = '01990000-0000-7000-8000-0000000000aa';
  const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp: '2026-01-01T00:00:00.000Z', type, payload })}\n`;
  const lines = Array.from({ length: 600 }, (_, i) => line('event_msg', { type: 'agent_message', message: `word ${i}` }));
  const text = line('session_meta', { id, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/w', originator: 'codex', cli_version: '1', source: 'cli' }) + line('event_msg', { type: 'user_message', message: 'words' }) + lines.join('');
  put(join(home.path, `sessions/2026/01/01/rollout-2026-01-01T00-00-00-${id}.jsonl`), text, Date.UTC(2026, 0, 1));
  return home;
}

/** Homes that together have rows in every table. */
const names = ['kimi/recorded/2.1.0/api-error/home', 'handmade/16-ext', 'handmade/11-misc', 'handmade/2-exec'];
const homes = [...everyHome().filter(({ name }) => names.includes(name)).map(({ home }) => home), longThread()];

/** Changes one row, by SQL or by hand. */
type Damage = string | ((db: Sqlite) => void);

/** Writes the deflated column of the first row that has it anew. */
const inDeflated = (table: string, column: string, change: (text: string) => string): Damage => (db) => {
  const row = db.prepare<[], { id: number; bytes: Buffer }>(`SELECT id, ${column} AS bytes FROM ${table} WHERE ${column} IS NOT NULL AND length(${column}) > 60 ORDER BY id LIMIT 1`).get();
  if (!row) throw new Error(`nothing to damage in ${table}`);
  db.prepare(`UPDATE ${table} SET ${column} = ? WHERE id = ?`).run(deflated(change(inflated(row.bytes))), row.id);
};
/** A column of one row that fits a condition. */
const set = (table: string, assignment: string, where = 'true'): Damage => `UPDATE ${table} SET ${assignment} WHERE id = (SELECT id FROM ${table} WHERE ${where} ORDER BY id LIMIT 1)`;
/** A member of the state of one history. */
const state = (path: string, value: string): Damage => set('histories', `state = json_set(state, '${path}', ${value})`);
const gone = (table: string, where = 'true'): Damage => `DELETE FROM ${table} WHERE id = (SELECT id FROM ${table} WHERE ${where} ORDER BY id LIMIT 1)`;
/** The same row once more, behind all others of its thread. */
const twice = (table: string, columns: string): Damage => `INSERT INTO ${table} (id, ${columns}) SELECT id + 100000, ${columns} FROM ${table} LIMIT 1`;

const damages: readonly (readonly [what: string, damage: Damage, named: RegExp])[] = [
  ['a turn that is gone', gone('turns'), /^turn .* is missing in the index$/],
  ['what a turn says', set('turns', `state = json_set(state, '$.touched', 77)`), /^turn .*touched: /],
  ['the id of a turn', set('turns', `turn_id = 'another'`), /^turn .*id: .* "another" in the index$/],
  ['whether a turn counts', set('turns', 'live = 1 - live'), /^column live of turns/],
  ['the last word of a turn', set('turns', 'last_word = NULL', 'last_word IS NOT NULL'), /^column last_word of turns/],
  ['the end of a turn', set('turns', 'ended = NULL', 'ended IS NOT NULL'), /^column ended of turns/],
  ['an item that is gone', gone('items'), /^item .* is missing in the index$/],
  ['the body of an item', set('items', `body = '{"kind":"message"}'`), /^item .*body/],
  ['a body that is no JSON', set('items', `body = 'no'`), /^what the index has of it cannot be read back: .*JSON/],
  ['a body that is not deflated', set('items', `body = x'00'`), /^what the index has of it cannot be read back: /],
  ['the state of an item', set('items', 'state = NULL', 'state IS NOT NULL'), /^item /],
  ['the turn of an item', set('items', 'turn = NULL', 'turn IS NOT NULL'), /^item .*turn: /],
  ['the step of an item', set('items', 'step = id', 'step IS NULL'), /^item .*step: /],
  ['the order of an item', set('items', 'ord = NULL', 'ord IS NOT NULL'), /^item .*order/],
  ['the id of an item', set('items', `item_id = 'another'`), /^item .*id: .* "another" in the index$/],
  ['the place of an item', set('items', 'place = 0', 'place = 1'), /^column place of items/],
  ['the kind of an item', set('items', `kind = 'another'`), /^column kind of items/],
  ['the native turn of an item', set('items', `turn_id = 'another'`), /^column turn_id of items/],
  ['how an item was', set('items', 'past = NULL', 'past IS NOT NULL'), /^item .*(earlier|growth)/],
  ['a step that is gone', gone('steps'), /^step .* is missing in the index$/],
  ['the times of a step', set('steps', `state = '[]'`), /^step /],
  ['whether a step counts', set('steps', 'live = 1 - live'), /^column live of steps/],
  ['a notice that is gone', gone('notices'), /^notice .* is missing in the index$/],
  ['what a notice says', set('notices', `state = json_set(state, '$.at', 'never')`), /^notice .*at: /],
  ['a notice too many', twice('notices', 'state'), /^a notice is in the index twice$/],
  ['where a notice stands', set('notices', 'id = id + 100000'), /^column id of notices/],
  ['a spoken record that is gone', gone('realtime'), /^spoken record .* is missing in the index$/],
  ['what a spoken record says', set('realtime', `state = json_set(state, '$.damage', 1)`), /^spoken record .*damage/],
  ['numbers of records', set('records', `list = json_set(list, '$[1][3]', 5)`), /^records\.ordinals/],
  ['the number of a block of records', set('records', 'ordinal = ordinal + 1'), /^column ordinal of records/],
  ['a block of records that is gone', gone('records'), /^records/],
  ['facts of an outline', inDeflated('outline', 'facts', () => '[]'), /^outline/],
  ['entries of the model in an outline', inDeflated('outline', 'entries', (text) => text.replace(/"list":\[\[\d+/, '"list":[[77777')), /^outline/],
  ['an outline that is gone', gone('outline'), /^outline/],
  ['where a place to play from is', set('starts', 'byte = byte + 1'), /^the place to play from at byte \d+ of file \d+ is where no line begins$/],
  ['which file a place to play from is in', set('starts', 'segment = segment + 1'), /^the place to play from at byte \d+ of file \d+ is where no line begins$/],
  ['the player at a place to play from', inDeflated('starts', 'player', () => '{}'), /^the place to play from at byte /],
  ['a place to play from too many', twice('starts', 'segment, byte, player'), /^two places to play from are at the same byte$/],
  ['the checkpoint of the player', set('histories', `player = '{}'`, 'player IS NOT NULL'), /^player/],
  ['the head at the checkpoint', set('histories', `state = json_set(state, '$.head.damage', 1)`), /^head\.damage/],
  ['the position of the checkpoint', set('histories', `state = json_set(state, '$.position', 1)`), /^position: /],
  ['the state of the outline', set('histories', `state = json_set(state, '$.outline.damage', 1)`), /^state of the outline/],
  ['the newest records', set('histories', `state = json_set(state, '$.records.last', 9)`), /^records/],
  ['the newest records, all of them', state('$.records', `json('{}')`), /^records/],
  ['the bytes of the checkpoint', state('$.bytes', '1'), /^checkpoint\.bytes: \d+ from the files, 1 in the index$/],
  ['all bytes', state('$.totalBytes', '5'), /^checkpoint\.totalBytes: \d+ from the files, 5 in the index$/],
  ['where the checkpoint is', state('$.segments[0].bytes', `json_extract(state, '$.segments[0].bytes') - 100`), /^the checkpoint is at byte \d+ of file 1, where no line ends/],
  ['a checkpoint behind the end', state('$.segments[0].bytes', `json_extract(state, '$.segments[0].bytes') + 100`), /^the checkpoint is at byte \d+ of file 1, where no line ends/],
  ['the size of a file', state('$.segments[0].sizeBytes', `json_extract(state, '$.segments[0].sizeBytes') - 100`), /^checkpoint\.segments\.0\.sizeBytes: /],
  ['how a file begins', state('$.segments[0].headHash', `'zzz'`), /^checkpoint\.segments\.0\.headHash: /],
  ['how a file ends', state('$.segments[0].tailHash', `'zzz'`), /^checkpoint\.segments\.0\.tailHash: /],
  ['how far changes were applied', state('$.appliedTo', `json_extract(state, '$.appliedTo') - 3`), /^checkpoint\.appliedTo: /],
  ['whether it is whole', state('$.isWhole', `json('false')`), /^checkpoint\.isWhole: true from the files, false in the index$/],
  ['whether its end is loose', state('$.hasLooseEnd', `json('true')`), /^checkpoint\.hasLooseEnd: false from the files, true in the index$/],
  ['problems', state('$.problems', `json('["zzz"]')`), /^checkpoint\.problems\.0: nothing from the files, "zzz" in the index$/],
  ['a member too many', state('$.damage', '1'), /^checkpoint\.damage: /],
  ['a head that is none', state('$.head', `json('{}')`), /^what the index has of it cannot be read back: head of its state is \{\}$/],
  ['files that are none', state('$.segments', `json('[{}]')`), /^what the index has of it cannot be read back: segments of its state is \[\{\}\]$/],
  ['a state that is no JSON', set('histories', `state = 'no'`), /^what the index has of it cannot be read back: .*JSON/],
  ['a checkpoint without its player', set('histories', 'player = NULL', 'player IS NOT NULL'), /^player: /],
  ['every place to play from', (db) => db.exec('DELETE FROM starts'), /^the place to play from at the beginning of file 1 is missing in the index$/],
  ['a place to play from without its player', set('starts', 'player = NULL', 'byte > 0'), /^the place to play from at byte \d+\.player: /],
  ['when a file was written', state('$.segments[0].mtimeMs', '5'), /^its files changed since it was indexed: run `tapefold index`$/],
  ['text that is not in the search', (db) => db.exec('DELETE FROM search_text WHERE rowid = (SELECT MIN(id) FROM search_text_docsize)'), /is not in the search index$/],
];

/** What is wrong in the first home where anything is. */
async function firstWrong(store: SqliteStore): Promise<readonly VerifyResult[]> {
  for (const home of homes) {
    const { wrong } = await verified(store, [home]);
    if (wrong.length > 0) return wrong;
  }
  return [];
}

describe('[R-ONE-2] verify names damage in', () => {
  const template = join(folder(), 'index.db');
  beforeAll(async () => {
    const store = await newStore({}, template);
    for (const home of homes) await index(store, [home], { steps: { commitBytes: 1_000_000, chunkBytes: 2_000, startBytes: 2_000 } });
    await indexTexts(store);
    await store.close();
  });
  const stores: SqliteStore[] = [];
  const copy = (): SqliteStore => {
    const path = join(folder(), 'index.db');
    copyFileSync(template, path);
    const store = new SqliteStore(path, { nowMs: () => Date.now() });
    stores.push(store);
    return store;
  };
  afterAll(() => Promise.all(stores.map((store) => store.close())));

  it('nothing where there is none, and every table has rows', async () => {
    const store = copy();
    for (const table of rowTables) expect(store.db.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get(), table).toBeGreaterThan(0);
    expect(await firstWrong(store)).toEqual([]);
  });

  it.each(damages)('%s', async (_, damage, named) => {
    const store = copy();
    if (typeof damage === 'string') expect(store.db.prepare(damage).run().changes).toBe(1);
    else damage(store.db);
    expect(await firstWrong(store)).toMatchObject([{ state: 'differs', difference: expect.stringMatching(named) }]);
  });
});
