import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { protocolJsonSchemas } from './json-schema.js';
import { methods } from './methods.js';
import { PROTOCOL_VERSION } from './version.js';

const folder = new URL('../../schema/', import.meta.url);
const committed = (name: string): string => readFileSync(new URL(`${name}.json`, folder), 'utf8');

describe('the contract as JSON Schema', () => {
  const schemas = protocolJsonSchemas();
  const names = Object.keys(schemas).sort();

  it('[R-THR-1] the published files are the contract: node scripts/protocol-schema.mjs writes them', () => {
    expect(readdirSync(folder).filter((file) => file !== 'versions.json').sort()).toEqual(names.map((name) => `${name}.json`).sort());
    for (const name of names) expect(committed(name), name).toBe(`${JSON.stringify(schemas[name], null, 1)}\n`);
  });

  it('the schemas of this version have this version\'s hash, and each version its own: they change together', () => {
    const hash = createHash('sha256');
    for (const name of names) hash.update(`${name}\n${JSON.stringify(schemas[name], null, 1)}\n`);
    const versions = JSON.parse(committed('versions')) as Record<string, string>;
    expect(versions[PROTOCOL_VERSION], 'count PROTOCOL_VERSION up, build, and run node scripts/protocol-schema.mjs').toBe(hash.digest('hex'));
    expect(new Set(Object.values(versions)).size).toBe(Object.keys(versions).length);
    expect(Math.max(...Object.keys(versions).map(Number))).toBe(PROTOCOL_VERSION);
  });

  it('has params and response of each method, and refers only to what it has', () => {
    expect(names.filter((name) => name.endsWith('Params'))).toHaveLength(Object.keys(methods).length);
    expect(names.filter((name) => name.endsWith('Response'))).toHaveLength(Object.keys(methods).length);
    const referred = [...JSON.stringify(schemas).matchAll(/"\$ref":"([^"#]+)\.json"/g)].map(([, name]) => name);
    expect(referred).toContain('Thread');
    for (const name of referred) expect(names).toContain(name);
  });
});
