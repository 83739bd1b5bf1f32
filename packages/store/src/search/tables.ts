import { HASH_BYTES } from './limits.js';

/*
 * Law: whatever of an item is not in `search_queue` is in the index as its row has it now; a row and its entry in the queue are written in one transaction.
 */

const fullText = (name: string): string => `CREATE VIRTUAL TABLE ${name} USING fts5(text, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1');
INSERT INTO ${name} (${name}, rank) VALUES ('hashsize', ${HASH_BYTES});
CREATE VIRTUAL TABLE ${name}_grams USING fts5vocab(${name}, 'row');`;

/** The tables of the search, beside those of the rows; what rows there are is queued. Row ids are those of items. */
export const searchTables = `
-- what a person and an agent said and did: row id of the item
${fullText('search_text')}
-- what tools put out
${fullText('search_output')}

CREATE TABLE search_queue (id INTEGER PRIMARY KEY);     -- items whose text is to be indexed, anew or again
CREATE TABLE search_cut (id INTEGER PRIMARY KEY);       -- items with text behind what is indexed
CREATE TABLE search_histories (
  history INTEGER PRIMARY KEY,
  is_whole INTEGER NOT NULL,
  offsets TEXT NOT NULL,            -- of its tapes (Positions)
  path TEXT,                        -- its newest file as it was when rows were made of it
  size_bytes INTEGER,
  mtime_ms REAL
);

INSERT INTO search_queue SELECT id FROM items;
INSERT INTO search_histories SELECT id, json_extract(state, '$.isWhole'), json_extract(state, '$.head.offsets'), json_extract(state, '$.segments[#-1].path'), json_extract(state, '$.segments[#-1].sizeBytes'), json_extract(state, '$.segments[#-1].mtimeMs') FROM histories;
`;

/** Empties them. */
export const emptySearch = 'DELETE FROM search_text; DELETE FROM search_output; DELETE FROM search_queue; DELETE FROM search_cut; DELETE FROM search_histories;';

/** The full texts. */
export const textTables = ['search_text', 'search_output'] as const;
/** One of them. */
export type TextTable = (typeof textTables)[number];

/** Tables with a row for an item, each keyed by its row id. */
export const itemTables = [...textTables, 'search_queue', 'search_cut'] as const;
