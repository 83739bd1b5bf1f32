import { join } from 'node:path';
import { describeThreadStore } from '../conformance/thread-store.suite.js';
import { folder } from '../indexing/grown-home.suite.js';
import { SqliteStore } from './sqlite-store.js';

describeThreadStore('SQLite', async () => {
  const path = join(folder(), 'index.db');
  return { open: async (nowMs = () => Date.now()) => new SqliteStore(path, { nowMs }) };
});
