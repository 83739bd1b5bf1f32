import { isJsonObject } from '@tapefold/facts';
import { fileOf, linesOf, playAll } from '@tapefold/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordsOf } from '../records.js';
import { claudeFiles, fixturesFolder, makePlayer, realFolder } from './corpus.suite.js';
import { historyOf } from './messages.suite.js';

/*
 * The live chain by claude-history §6.1, over a whole file at once and with no regard for cost, against what the player has said line by line: which lines
 * the model reads at the end.
 */

interface Line { uuid: string; parent: string | undefined; type: string; isSide: boolean; time: number; message: string | undefined; isResult: boolean; isBoundary: boolean; at: number; isLost: boolean; isCut: boolean }

interface Raw { readonly raw: Record<string, unknown>; readonly offset: number }

function rawLines(bytes: Uint8Array): Raw[] {
  return linesOf(bytes).flatMap(({ line }) => recordsOf(line).records.filter(isJsonObject).map((raw) => ({ raw, offset: line.offset })));
}

function lineOf(raw: Record<string, unknown>, at: number, time: number): Line | undefined {
  const { uuid, type, parentUuid } = raw;
  if (typeof uuid !== 'string') return undefined;
  const message = isJsonObject(raw['message']) ? raw['message'] : {};
  const isBoundary = type === 'system' && raw['subtype'] === 'compact_boundary';
  const logical = isBoundary && typeof raw['logicalParentUuid'] === 'string' ? raw['logicalParentUuid'] : parentUuid;
  const isResult = type === 'user' && Array.isArray(message['content']) && message['content'].some((block) => isJsonObject(block) && block['type'] === 'tool_result');
  return {
    uuid, parent: typeof logical === 'string' ? logical : undefined, type: String(type), isSide: raw['isSidechain'] === true, time, message: type === 'assistant' && typeof message['id'] === 'string' ? message['id'] : undefined,
    isResult, isBoundary, at, isLost: false, isCut: false,
  };
}

/** Steps 1 to 4: the lines of the main side by uuid, with the parent that each hangs below. */
function treeOf(raws: readonly Raw[]): Line[] {
  const lines: Line[] = [];
  let time = 0;
  raws.forEach(({ raw }, at) => {
    const own = typeof raw['timestamp'] === 'string' ? Date.parse(raw['timestamp']) : Number.NaN;
    const line = lineOf(raw, at, Number.isFinite(own) && typeof raw['uuid'] === 'string' ? (time = own) : time);
    if (line && !lines.some(({ uuid }) => uuid === line.uuid)) lines.push(line);
  });
  const byUuid = new Map(lines.map((line) => [line.uuid, line]));
  for (const line of lines) {
    let parent = byUuid.get(line.parent ?? '');
    while (parent?.type === 'progress') {
      line.parent = parent.parent;
      parent = byUuid.get(line.parent ?? '');
      line.isCut = !parent && line.parent !== undefined;
    }
    line.isLost = line.parent !== undefined && (!parent || parent.isSide !== line.isSide);
  }
  for (const line of lines) {
    if (!line.isLost || line.type === 'progress') continue;
    const before = lines.filter((other) => other.at < line.at && other.type !== 'progress' && other.isSide === line.isSide && (line.isBoundary || other.time <= line.time));
    line.parent = before.at(-1)?.uuid;
  }
  return lines.filter(({ type, isSide }) => type !== 'progress' && !isSide);
}

/** Steps 5 to 7 and what follows the last boundary: the lines that the model reads. */
function readLines(raws: readonly Raw[]): Set<number> {
  const lines = treeOf(raws);
  const byUuid = new Map(lines.map((line) => [line.uuid, line]));
  const walk = (from: Line | undefined): Line[] => {
    const path: Line[] = [];
    for (let line = from; line && !path.includes(line); line = byUuid.get(line.parent ?? '')) path.unshift(line);
    return path;
  };
  const named = raws.filter(({ raw }) => raw['type'] === 'last-prompt' && typeof raw['leafUuid'] === 'string' && byUuid.has(raw['leafUuid'])).at(-1)?.raw['leafUuid'];
  const candidates = named === undefined ? lines : lines.filter((line) => walk(line).some(({ uuid }) => uuid === named));
  const path = walk(candidates.at(-1));
  // A boundary is not read itself; a line below a lost progress line is, and nothing above it.
  const boundary = path.map(({ isBoundary }) => isBoundary).lastIndexOf(true);
  const first = Math.max(boundary + 1, path.map(({ isCut }) => isCut).lastIndexOf(true));
  const read = new Set<number>();
  const isOn = (line: Line | undefined, messages: ReadonlySet<string | undefined>): boolean => line?.message !== undefined && messages.has(line.message);
  const messages = new Set(path.slice(first).flatMap(({ message }) => message ?? []));
  for (const line of path.slice(first)) read.add(line.at);
  for (const line of lines) if (isOn(line, messages) || (line.isResult && isOn(byUuid.get(line.parent ?? ''), messages))) read.add(line.at);
  return read;
}

/** Offsets of the lines whose entries the facts leave in the model's history. */
function toldLines(name: string, bytes: Uint8Array): Set<number> {
  const { facts } = playAll(makePlayer(name), bytes);
  // A result that had to move was entered again by a later line.
  const firstOf = new Map<string, number>();
  for (const fact of facts) if (fact.type === 'context.appended' && fact.item.kind === 'result' && !firstOf.has(fact.item.callId ?? '')) firstOf.set(fact.item.callId ?? '', fact.line.offset);
  return new Set(historyOf(facts).map(({ line, item }) => (item.kind === 'result' ? firstOf.get(item.callId ?? '') ?? line : line)));
}

/** Lines that put something into the history, of those that the oracle says are read; lines kept over a compaction aside. */
function compare(name: string, bytes: Uint8Array): { missing: number[]; extra: number[] } {
  const raws = rawLines(bytes);
  const wanted = new Set([...readLines(raws)].map((at) => raws[at]?.offset));
  const told = toldLines(name, bytes);
  const { facts } = playAll(makePlayer(name), bytes);
  const speaking = new Set(facts.flatMap((fact) => (fact.type === 'context.appended' && fact.agent === undefined ? [fact.line.offset] : [])));
  const keeps = facts.some((fact) => fact.type === 'context.compacted' && fact.replacement?.some(({ kind }) => kind === 'kept'));
  return { missing: [...wanted].flatMap((offset) => (offset !== undefined && speaking.has(offset) && !told.has(offset) ? [offset] : [])), extra: keeps ? [] : [...told].filter((offset) => !wanted.has(offset)) };
}

/** Entries that were written again stand on another line; files in which a uuid repeats with other words are the hand-made case h08. */
const isPlain = (bytes: Uint8Array): boolean => {
  const uuids = rawLines(bytes).map(({ raw }) => raw['uuid']).filter((uuid) => uuid !== undefined);
  return new Set(uuids).size === uuids.length;
};

describe('[R-DIA-3] the live chain, line by line and all at once', () => {
  const files = [...claudeFiles(`${fixturesFolder}/handmade`), ...claudeFiles(`${fixturesFolder}/recorded`).filter(({ name }) => !name.includes('subagents')), ...claudeFiles(realFolder)];

  it('agree for every file at hand in which no line is written twice', () => {
    const plain = files.filter(({ bytes }) => isPlain(bytes));
    expect(plain.length).toBeGreaterThan(60);
    const differing = plain.flatMap(({ name, bytes }) => {
      const { missing, extra } = compare(name, bytes);
      return missing.length + extra.length ? [{ name, missing, extra }] : [];
    });
    expect(differing).toEqual([]);
  });

  const step = fc.record({
    kind: fc.constantFrom('prompt', 'prompt', 'text', 'text', 'call', 'more', 'result', 'result', 'attachment', 'system', 'progress', 'last', 'boundary'),
    parent: fc.nat({ max: 5 }), isFar: fc.nat({ max: 4 }), time: fc.nat({ max: 3 }), isLost: fc.nat({ max: 20 }),
  });

  it('agree for random trees with branches, lost parents, progress lines, parallel results and last-prompts', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const bytes = fileOf(randomLines(steps));
      expect(compare('x', bytes)).toEqual({ missing: [], extra: [] });
    }));
  });
});

interface Step { readonly kind: string; readonly parent: number; readonly isFar: number; readonly time: number; readonly isLost: number }

/** Lines of a tree: mostly each below the one before. Parallel results are written in the order of their calls, so that none has to move. */
function randomLines(steps: readonly Step[]): unknown[] {
  const uuids: string[] = [];
  const calls: { id: string; uuid: string }[] = [];
  const boundaries = new Set<string>();
  let message = 0;
  return steps.flatMap(({ kind, parent, isFar, time, isLost }, i): unknown[] => {
    const far = isLost === 20 && kind !== 'more' ? 'lost' : isFar === 4 && kind !== 'more' ? uuids.at(-1 - parent) ?? null : uuids.at(-1) ?? null;
    // Only a prompt hangs right below a boundary, beside its summary.
    const above = kind !== 'prompt' && far !== null && boundaries.has(far) ? far.replace('u', 's') : far;
    const uuid = `u${i}`;
    const base = { uuid, parentUuid: above, isSidechain: false, timestamp: new Date(1_800_000_000_000 + i * 1000 - time * 2500).toISOString(), sessionId: 's' };
    if (kind === 'last') return [{ type: 'last-prompt', lastPrompt: 'x', leafUuid: uuids.at(-1 - parent) ?? 'none' }];
    const call = kind === 'result' ? calls.pop() : undefined;
    if (kind === 'result' && !call) return [];
    uuids.push(uuid);
    // A message does not go on behind a prompt, a compaction or a lost progress line.
    if (['text', 'call', 'prompt', 'boundary', 'progress'].includes(kind)) message += 1;
    const assistant = (block: unknown) => ({ ...base, type: 'assistant', message: { id: `m${message}`, role: 'assistant', model: 'm', content: [block], stop_reason: null } });
    if (kind === 'call' || kind === 'more') {
      calls.push({ id: `T${i}`, uuid });
      return [assistant({ type: 'tool_use', id: `T${i}`, name: 'Bash', input: { command: `${i}` } })];
    }
    if (kind === 'text') return [assistant({ type: 'text', text: `A${i}` })];
    if (kind === 'attachment') return [{ ...base, type: 'attachment', attachment: { type: 'task_reminder' } }];
    if (kind === 'system') return [{ ...base, type: 'system', subtype: 'turn_duration', durationMs: 5 }];
    if (kind === 'progress') return [{ ...base, type: 'progress', data: { type: 'hook_progress' } }];
    if (kind === 'boundary') {
      uuids.push(`s${i}`);
      boundaries.add(uuid);
      const boundary = { ...base, parentUuid: null, logicalParentUuid: above, type: 'system', subtype: 'compact_boundary', compactMetadata: {} };
      return [boundary, { ...base, uuid: `s${i}`, parentUuid: uuid, type: 'user', isCompactSummary: true, message: { role: 'user', content: `S${i}` } }];
    }
    if (kind === 'prompt') return [{ ...base, type: 'user', message: { role: 'user', content: `Q${i}` } }];
    return [{ ...base, parentUuid: call?.uuid ?? null, type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call?.id, content: 'r' }] } }];
  });
}
