// @ts-check
// Writes the read contract as JSON Schema: packages/threads/schema/*.json, one file per object, and the hash of all of them for this version of the
// protocol. Run after `npm run build`: node scripts/protocol-schema.mjs. A test of packages/threads compares.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROTOCOL_VERSION, protocolJsonSchemas } from '../packages/threads/dist/index.js';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../packages/threads/schema');
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) if (file !== 'versions.json') rmSync(join(folder, file));
const schemas = protocolJsonSchemas();
const hash = createHash('sha256');
for (const name of Object.keys(schemas).sort()) {
  const text = `${JSON.stringify(schemas[name], null, 1)}\n`;
  hash.update(`${name}\n${text}`);
  writeFileSync(join(folder, `${name}.json`), text);
}

const path = join(folder, 'versions.json');
/** @type {Record<string, string>} */
let versions = {};
try {
  versions = JSON.parse(readFileSync(path, 'utf8'));
} catch {
  console.log('versions.json begins anew');
}
const digest = hash.digest('hex');
const known = versions[PROTOCOL_VERSION];
if (known !== undefined && known !== digest) console.log(`The schemas changed, so version ${PROTOCOL_VERSION} is over: count PROTOCOL_VERSION up, build, and run this again.`);
else writeFileSync(path, `${JSON.stringify({ ...versions, [PROTOCOL_VERSION]: digest }, null, 1)}\n`);
