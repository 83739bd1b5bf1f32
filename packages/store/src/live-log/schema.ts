import type { DatabaseSchema } from '../sqlite/database.js';

const tables = `
-- how the numbers of an agent go on
CREATE TABLE numbers (
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  epoch TEXT NOT NULL,
  reserved INTEGER NOT NULL,          -- no number up to this one is free
  last INTEGER,                       -- the last one used; NULL until a clean stop
  PRIMARY KEY (session, agent)
) WITHOUT ROWID;

-- the newest batches, for readers that come back after a restart
CREATE TABLE batches (
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  seq INTEGER NOT NULL,
  ops TEXT,                           -- NULL: it held appends, which are not kept
  PRIMARY KEY (session, agent, seq)
) WITHOUT ROWID;
`;

const stateAtTheEnd = `
ALTER TABLE numbers ADD COLUMN state TEXT; -- digest of what readers had at a clean stop; NULL until then
`;

/** The live log's own database: not a cache, so it is never dropped with the rows. */
export const liveLogSchema: DatabaseSchema = { version: 2, oldestUpgradable: 1, rollbackFloor: 2, upgrades: [tables, stateAtTheEnd] };
