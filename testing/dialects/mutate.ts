import { Buffer } from 'node:buffer';
import type { Random } from './random.js';

/** Values that no field expects, as they stand in a file (some have no form in memory). */
const hostile: readonly string[] = [
  'null', 'true', 'false', '0', '-0', '-1', '1.5', '1e308', '1e999', '-1e999', '12345678901234567890', '0.0000000001', '""', '" "', '"__proto__"', '"constructor"', '"toString"', '"hasOwnProperty"', '"\\ud800"', '"\\udc00x"', '"\\u0000"', '"\\u2028"',
  '[]', '{}', '[null]', '[1,"a",{}]', '{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":1}}', '[[[[[]]]]]', '{"type":"constructor"}', '{"type":"text"}', '"completed"', '"item-1"', '"rollout-3"', '"T1"',
  `"${'x'.repeat(40_000)}"`, `"${'{\\"a\\":'.repeat(200)}"`, `${'['.repeat(400)}${']'.repeat(400)}`,
];
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const deepObject = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** Texts that may come between, before or behind lines. */
const noise: readonly string[] = ['', '\n', '\r\n', '   \n', '\0\0\0\0\n', '\0'.repeat(512), '\ufeff', 'garbage\n', '{\n', '}\n', '{}\n', '[]\n', 'null\n', '"x"\n', '42\n', '\u2028\n', '{"type":"event_msg"}\n', '{"type":"constructor","payload":{}}\n', '{"__proto__":{"type":"event_msg"}}\n'];

const FIELD = 'placeholder of the mutator';

/** Replaces one value somewhere in a record by a hostile one. */
function spoilField(line: string, random: Random): string {
  let record: unknown;
  try { record = JSON.parse(line); } catch { return line; }
  const places: [Record<string, unknown>, string][] = [];
  const visit = (value: unknown, depth = 0): void => {
    if (typeof value !== 'object' || value === null || depth > 30) return;
    for (const key of Object.keys(value)) {
      places.push([value as Record<string, unknown>, key]);
      visit((value as Record<string, unknown>)[key], depth + 1);
    }
  };
  visit(record);
  const place = places.length ? random.pick(places) : undefined;
  if (!place) return line;
  const how = random.below(10);
  if (how === 0) delete place[0][place[1]];
  else if (how === 1) place[0][random.pick(['type', 'id', 'call_id', 'turn_id', 'payload', 'constructor', 'status'])] = place[0][place[1]];
  else place[0][place[1]] = FIELD;
  const value = random.below(40) === 0 ? random.pick([deep(10_000), deepObject(10_000), JSON.stringify(deepObject(9_000))]) : random.pick(hostile);
  try { return JSON.stringify(record).replace(`"${FIELD}"`, () => value); } catch { return line; }
}

function swap<T>(list: T[], a: number, b: number): void {
  [list[a], list[b]] = [list[b] as T, list[a] as T];
}

/** One change to the lines of a file. */
const lineMutations: readonly ((lines: string[], random: Random) => void)[] = [
  (lines, random) => swap(lines, random.below(lines.length), random.below(lines.length)),
  (lines, random) => { lines.splice(random.below(lines.length), 0, random.pick(lines)); },
  (lines, random) => { lines.splice(random.below(lines.length), 1); },
  (lines, random) => { const i = random.below(lines.length); lines[i] = (lines[i] ?? '').replace(/\n$/, ''); },
  (lines, random) => { const i = random.below(lines.length); lines[i] = (lines[i] ?? '').replace(/\n$/, random.pick(['\r\n', ' \n', '\0\n', '\0\0\0', 'x\n', '\ufeff\n', '{"a":1\n'])); },
  (lines, random) => { const i = random.below(lines.length); lines[i] = random.pick(['\ufeff', '\0\0', ' ', '\t', 'x', '\0\ufeff']) + (lines[i] ?? ''); },
  (lines, random) => { lines.splice(random.below(lines.length), 0, random.pick(noise)); },
  (lines, random) => { for (let i = lines.length - 1; i > 0; i--) swap(lines, i, random.below(i + 1)); },
  (lines) => { for (let i = 0; i < lines.length; i++) lines[i] = (lines[i] ?? '').replace(/\n$/, '\r\n'); },
  (lines, random) => { const i = random.below(lines.length); lines[i] = `${(lines[i] ?? '').replace(/\n$/, '')}${random.pick(lines)}`; },
  ...Array.from({ length: 10 }, () => (lines: string[], random: Random): void => {
    const i = random.below(lines.length);
    lines[i] = `${spoilField((lines[i] ?? '').replace(/\n$/, ''), random)}\n`;
  }),
];

/** One change to the bytes of a file. */
const byteMutations: readonly ((bytes: Buffer, random: Random) => Buffer)[] = [
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random) => { const out = Buffer.from(bytes); const i = random.below(out.length); if (out.length) out[i] = (out[i] ?? 0) ^ (1 << random.below(8)); return out; },
  (bytes, random) => { const i = random.below(bytes.length); return Buffer.concat([bytes.subarray(0, i), bytes.subarray(i + 1 + random.below(4))]); },
  (bytes, random) => { const i = random.below(bytes.length); return Buffer.concat([bytes.subarray(0, i), Buffer.from([random.below(256)]), bytes.subarray(i)]); },
  (bytes, random) => { const out = Buffer.from(bytes); const i = random.below(out.length); out.fill(0, i, Math.min(out.length, i + 1 + random.below(64))); return out; },
];

/** A damaged copy of a file, one to eight changes. The same seed gives the same copy. */
export function mutated(bytes: Uint8Array, random: Random): Buffer {
  let out = Buffer.from(bytes);
  for (let n = 1 + random.below(8); n > 0; n--) {
    if (random.below(3) > 0) {
      const lines = out.toString('utf8').split(/(?<=\n)/);
      if (lines.length) random.pick(lineMutations)(lines, random);
      out = Buffer.from(lines.join(''));
    } else if (out.length) out = Buffer.from(random.pick(byteMutations)(out, random));
  }
  return out;
}

/** The fewest lines (found by leaving out one after the other) with which `fails` still does. */
export function minimal(bytes: Uint8Array, fails: (bytes: Uint8Array) => boolean): Buffer {
  let lines = Buffer.from(bytes).toString('latin1').split(/(?<=\n)/);
  for (let size = Math.ceil(lines.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let i = 0; i < lines.length;) {
      const fewer = [...lines.slice(0, i), ...lines.slice(i + size)];
      if (fewer.length && fails(Buffer.from(fewer.join(''), 'latin1'))) lines = fewer;
      else i += size;
    }
  }
  return Buffer.from(lines.join(''), 'latin1');
}
