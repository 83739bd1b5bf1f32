import { KEPT_BYTES, QUIET_MS, TURN_TEXTS_VERSION } from './limits.js';

/*
 * Law: whatever texts of turns a history has are what its rows say: they go in the transaction that writes a row of it, and hold for one version of it only.
 */

/** The tables of the texts; the large histories that are there wait for theirs. Those that share rows of others have none. */
export const turnTextTables = `
CREATE TABLE turn_texts (
  history INTEGER PRIMARY KEY,
  text_version INTEGER NOT NULL,    -- TURN_TEXTS_VERSION that makes them
  of_version INTEGER NOT NULL,      -- version of the history that they are made of
  not_before_ms REAL NOT NULL,      -- when the thread is quiet, if nothing is written until then
  blocks INTEGER                    -- NULL until all are there
);
CREATE TABLE turn_text_blocks (
  id INTEGER PRIMARY KEY,           -- row id of the history and the number of the block
  last TEXT NOT NULL,               -- order of its last turn
  bytes INTEGER NOT NULL,           -- of the text
  text BLOB NOT NULL                -- turns as JSON, with commas between, deflated
);
INSERT INTO turn_texts SELECT id, ${TURN_TEXTS_VERSION}, version, coalesce(json_extract(state, '$.segments[#-1].mtimeMs'), 0) + ${QUIET_MS}, NULL FROM histories
  WHERE json_extract(state, '$.isWhole') AND json_extract(state, '$.bytes') >= ${KEPT_BYTES} AND id NOT IN (SELECT fork FROM shared);
`;
