import { emptySearch, searchTables } from '../search/tables.js';
import { turnTextTables } from '../turn-texts/tables.js';

/**
 * Number of the newest schema, kept as `user_version`. An older database is upgraded by the steps from its number on. A step may empty the row tables: rows are
 * a cache of tapes.
 */
export const SCHEMA_VERSION = 9;

/**
 * The oldest schema whose programs can go on with a database of this one, kept in it: who goes back to an older Tapefold keeps the index down to there. A step that only adds what older programs know
 * nothing of, and do not make wrong, leaves it; any other raises it to its own number. Programs of before 8 know of no such number.
 */
export const ROLLBACK_FLOOR = 8;

/** The oldest schema that can be upgraded; an older database is made anew. */
export const OLDEST_UPGRADABLE = 1;

/*
 * Row ids of turns, items, steps, notices, realtime, records, outline and starts: history * 2^33 + position (`rowIdOf`), so that a history is one range of each table, in order.
 */
const tables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- one row: who may write
CREATE TABLE lease (id INTEGER PRIMARY KEY CHECK (id = 1), token TEXT NOT NULL, pid INTEGER NOT NULL, host TEXT NOT NULL, since_ms INTEGER NOT NULL, beat_ms INTEGER NOT NULL);

CREATE TABLE histories (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,          -- tape and thread
  generation INTEGER NOT NULL,        -- raised by a rebuild
  version INTEGER NOT NULL,           -- raised by every commit
  rows_version INTEGER NOT NULL,      -- ROWS_VERSION that made the rows
  state TEXT NOT NULL,                -- HistoryState
  player TEXT                         -- checkpoint of the last segment's player; NULL where the form cannot be gone on with
);

CREATE TABLE turns (
  id INTEGER PRIMARY KEY,
  turn_id TEXT NOT NULL,              -- native id, repeats
  live INTEGER NOT NULL,              -- part of the history now
  last_word INTEGER,                  -- row id of the newest end, outlook or compaction
  ended INTEGER,                      -- row id of the end that counts
  state TEXT NOT NULL
);
CREATE INDEX turns_by_native ON turns (turn_id);
CREATE INDEX turns_by_word ON turns (last_word) WHERE last_word IS NOT NULL;
CREATE INDEX turns_by_end ON turns (ended) WHERE ended IS NOT NULL;

CREATE TABLE items (
  id INTEGER PRIMARY KEY,
  place INTEGER NOT NULL,             -- ITEM_PLACE: 0 kept, 1 shown, 2 waiting
  turn INTEGER,                       -- row id of its turn
  step INTEGER,                       -- row id of its step
  ord BLOB,                           -- its order where that is not just its position (orderKey): memcmp order
  item_id TEXT NOT NULL,
  turn_id TEXT,                       -- native turn id of items in no turn; empty where they name none
  kind TEXT NOT NULL,                 -- kind of the body
  state TEXT,                         -- what most rows do not have
  body TEXT NOT NULL                  -- as JSON; deflated where it is long
);
CREATE INDEX items_by_turn ON items (turn) WHERE turn IS NOT NULL;
CREATE INDEX items_by_turn_id ON items (turn_id) WHERE turn IS NULL AND turn_id IS NOT NULL;
CREATE INDEX items_waiting ON items (id) WHERE place = 2;
CREATE INDEX items_moved ON items (ord) WHERE ord IS NOT NULL;

CREATE TABLE steps (id INTEGER PRIMARY KEY, live INTEGER NOT NULL, state TEXT NOT NULL);
CREATE TABLE notices (id INTEGER PRIMARY KEY, state TEXT NOT NULL);
CREATE TABLE realtime (id INTEGER PRIMARY KEY, state TEXT NOT NULL);

CREATE TABLE records (
  id INTEGER PRIMARY KEY,             -- row id of the first record's first fact
  ordinal INTEGER NOT NULL,           -- number of the first record
  list TEXT NOT NULL
);

CREATE TABLE threads (
  scope TEXT NOT NULL,                -- homes that the list is of
  place INTEGER NOT NULL,             -- 0 is the newest
  thread_id TEXT NOT NULL,
  name TEXT NOT NULL,                 -- of its history
  summary TEXT NOT NULL,
  object TEXT,                        -- the Thread without turns by all of its rows; NULL until they are there
  file_rows TEXT,
  PRIMARY KEY (scope, place)
) WITHOUT ROWID;
CREATE INDEX threads_by_id ON threads (thread_id);

CREATE TABLE looks (kind TEXT NOT NULL, key TEXT NOT NULL, look TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
`;

const outlineTables = `
-- blocks of facts that say which turns and entities there are, and of places of the model's history (OutlineBlock), each as deflated JSON
CREATE TABLE outline (id INTEGER PRIMARY KEY, facts BLOB NOT NULL, entries BLOB NOT NULL);

-- places that tapes can be played from (PlayStart); player: deflated JSON
CREATE TABLE starts (id INTEGER PRIMARY KEY, segment INTEGER NOT NULL, byte INTEGER NOT NULL, player BLOB);
`;

/** Bodies may be deflated; what only as-of reads need stands in a column of its own. Rows of before say the same otherwise, so they go. */
const shortRows = `
ALTER TABLE items ADD COLUMN past TEXT;   -- earlier states, and how the item grew
DELETE FROM items; DELETE FROM turns; DELETE FROM steps; DELETE FROM notices; DELETE FROM realtime; DELETE FROM records; DELETE FROM outline; DELETE FROM starts; DELETE FROM histories;
UPDATE threads SET object = NULL;
${emptySearch}
`;

/** A search goes through the whole list, of which it needs little: the rows are long. */
const listIndex = 'CREATE INDEX threads_by_place ON threads (scope, place, thread_id, name);';

/**
 * Forks share the rows of their common prefix: what repeats them is built anew. An id of a history is never that of another one: whoever still reads the one that is gone would take it for its own. Items that
 * stand in no turn and name none are found by that.
 */
const sharedRows = `
-- positions of a history whose rows are those of another one, its base, but for those that the history has itself, and those that it hides
CREATE TABLE shared (
  fork INTEGER NOT NULL,
  first INTEGER NOT NULL,
  beyond INTEGER NOT NULL,
  base INTEGER NOT NULL,
  PRIMARY KEY (fork, first)
) WITHOUT ROWID;
CREATE INDEX shared_by_base ON shared (base);

-- rows that a base has and the fork has not: the table, and the row id that the row would have in the fork
CREATE TABLE hidden (id INTEGER NOT NULL, of TEXT NOT NULL, PRIMARY KEY (id, of)) WITHOUT ROWID;

CREATE TABLE histories_of_one_id (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,          -- tape and thread
  generation INTEGER NOT NULL,        -- raised by a rebuild
  version INTEGER NOT NULL,           -- raised by every commit
  rows_version INTEGER NOT NULL,      -- ROWS_VERSION that made the rows; 0: they are to be made anew, or went with those that they shared
  state TEXT NOT NULL,                -- HistoryState
  player TEXT                         -- checkpoint of the last segment's player; NULL where the form cannot be gone on with
);
INSERT INTO histories_of_one_id SELECT id, name, generation, version, CASE WHEN json_array_length(state, '$.segments') > 1 THEN 0 ELSE rows_version END, state, player FROM histories;
DROP TABLE histories;
ALTER TABLE histories_of_one_id RENAME TO histories;

UPDATE items SET turn_id = '' WHERE turn IS NULL AND turn_id IS NULL;
`;

/** Maps of large files, by the name of the history: pages come from them until its rows are there. Ids are given once: whoever still reads a map that is gone finds nothing. */
const mapTables = `
CREATE TABLE maps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  rows_version INTEGER NOT NULL,      -- ROWS_VERSION that made it
  idle_since_ms INTEGER,              -- when it was first not needed any more
  state TEXT NOT NULL                 -- TurnMapState
);
CREATE TABLE map_turns (
  map INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,           -- of the record that begins the turn
  byte INTEGER NOT NULL,
  is_start INTEGER NOT NULL,          -- a stretch begins with it
  turn_id TEXT NOT NULL,
  PRIMARY KEY (map, ordinal)
) WITHOUT ROWID;
CREATE INDEX map_turns_by_id ON map_turns (map, turn_id);
`;

/** Each thread's rows are written to the list when they are there: a list is long. */
const nameIndex = 'CREATE INDEX threads_by_name ON threads (name);';

/** Statements from one schema to the next: `upgrades[n]` makes n + 1 of n. */
export const upgrades: readonly string[] = [tables, searchTables, outlineTables, shortRows, listIndex, sharedRows, mapTables, turnTextTables, nameIndex];

/** Tables with rows of histories, each keyed by row id. */
export const rowTables = ['turns', 'items', 'steps', 'notices', 'realtime', 'records', 'outline', 'starts'] as const;
/** One of them. */
export type RowTable = (typeof rowTables)[number];

/** Positions of one history: 8.6 thousand million facts. Ids stay whole numbers of JavaScript for the first million histories. */
const POSITIONS = 2 ** 33;

/** The row id of a position of a history. */
export function rowIdOf(history: number, position: number): number {
  return history * POSITIONS + position;
}

/** The position in a row id. */
export function positionOf(rowId: number): number {
  return rowId % POSITIONS;
}

/** The history in a row id. */
export function historyOf(rowId: number): number {
  return Math.floor(rowId / POSITIONS);
}

/** The row ids of a history: from, and to before. */
export function rangeOf(history: number): readonly [from: number, to: number] {
  return [rowIdOf(history, 0), rowIdOf(history + 1, 0)];
}
