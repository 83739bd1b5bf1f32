import { type Fact, decodeNativeLine } from '@tapefold/facts';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TAPE_FILE } from './folders.js';

/** What a tape holds, read the obvious way: header, whole facts, and what is left behind the last newline. */
export function factsIn(folder: string): { readonly facts: Fact[]; readonly rest: string; readonly wrong: string[] } {
  const lines = readFileSync(join(folder, TAPE_FILE), 'utf8').split('\n');
  const rest = lines.pop() ?? '';
  const facts: Fact[] = [];
  const wrong: string[] = [];
  lines.forEach((text, i) => {
    const read = decodeNativeLine(text, { tape: 'native/read', version: 1, line: { offset: 0, length: text.length } });
    if (i === 0 ? 'header' in read : 'fact' in read && read.fact.ordinal === i - 1) {
      if ('fact' in read) facts.push(read.fact);
    } else wrong.push(`line ${i}: ${text.slice(0, 80)}`);
  });
  return { facts, rest, wrong };
}

/** Names in a folder that are neither the tape nor its blobs. */
export function leftIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name !== TAPE_FILE && name !== 'blobs');
}
