import { THREAD_ID, metaRecord } from '@tapefold/testing';
import fc from 'fast-check';
import { Buffer } from 'node:buffer';
import { HostileRecords, OUTPUT_WAYS, type RolloutStep } from './hostile-records.suite.js';
import { SPOILED_WAYS, TAME_WAYS, spoil, spoiledBytes } from './spoiled-lines.suite.js';

/*
 * Paginated rollouts in which lines speak of any turn and of any call, in any order, and some are damaged: what a look at first characters could get wrong.
 */

/** How a line is spoiled, and which one. */
interface Spoiled { readonly line: number; readonly how: number }

const turn = fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }) }, { weight: 1, arbitrary: fc.constant(99) });
const call = fc.integer({ min: 0, max: 5 });
const step: fc.Arbitrary<RolloutStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('begin' as const), back: fc.constant(0) }) },
  { weight: 7, arbitrary: fc.record({ kind: fc.constantFrom('end', 'say', 'ask', 'context', 'tokens'), back: turn }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('abort', 'notice', 'name', 'spoken', 'world', 'reply', 'compacted', 'settings', 'agents'), back: turn }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('call', 'command', 'plain'), back: turn, call, isNamed: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('custom', 'shell', 'search', 'spawn', 'item'), back: turn, call, isNamed: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('output' as const), call, how: fc.nat(OUTPUT_WAYS - 1) }) },
);

/** A rollout to be written. A tame one speaks of the turn at hand and the one before it. */
export interface HostileRollout {
  readonly steps: readonly RolloutStep[];
  readonly spoiled: readonly Spoiled[];
  readonly isTame: boolean;
  readonly hasLongIds: boolean;
  /** A second file goes on behind so many lines of the first, which may be longer, or that of another thread. */
  readonly cut: { readonly lines: number; readonly isLonger: boolean; readonly isFork: boolean } | undefined;
  /** A message with a text that is carried by reference stands behind so many lines. */
  readonly largeAt?: number | undefined;
  /** What is odd of the newest file as a whole. */
  readonly form?: 'carriageReturns' | 'noLastNewline' | 'lateMeta' | undefined;
}

const spoiled = fc.array(fc.record({ line: fc.nat(60), how: fc.nat(SPOILED_WAYS - 1) }), { maxLength: 2 });
const form = fc.option(fc.constantFrom('carriageReturns', 'noLastNewline', 'lateMeta'), { nil: undefined, freq: 9 });

/** Any rollout. */
export const hostileRollout: fc.Arbitrary<HostileRollout> = fc.record({
  steps: fc.array(step, { minLength: 4, maxLength: 60 }), spoiled, isTame: fc.boolean(), hasLongIds: fc.boolean(), cut: fc.option(fc.record({ lines: fc.nat(50), isLonger: fc.boolean(), isFork: fc.boolean() }), { nil: undefined }), largeAt: fc.option(fc.nat(30), { nil: undefined, freq: 9 }), form,
});

function stepsOf({ steps, isTame, largeAt }: HostileRollout): readonly RolloutStep[] {
  const written = steps.map((each) => (isTame && 'back' in each && each.back > 1 ? { ...each, back: 0 } : each));
  return largeAt === undefined ? written : [...written.slice(0, largeAt), { kind: 'large', back: 0 }, ...written.slice(largeAt)];
}

function linesOf(rollout: HostileRollout): string[] {
  const { isTame, hasLongIds } = rollout;
  const writing = new HostileRecords(hasLongIds);
  writing.write({ kind: 'begin', back: 0 });
  for (const each of stepsOf(rollout)) writing.write(each);
  const lines = writing.records.map(({ timestamp, ...rest }, i) => JSON.stringify({ timestamp, ordinal: i, ...rest }));
  const all = new Map(rollout.spoiled.slice(0, isTame ? 1 : 2).map(({ line, how }) => [line, how]));
  return lines.map((line, i) => { const how = all.get(i); return i === 0 || how === undefined || (isTame && how < TAME_WAYS) ? line : spoil(line, how); });
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

function newestText(lines: readonly string[], { form: odd }: HostileRollout): string {
  if (odd === 'carriageReturns') return lines.map((line) => `${line}\r\n`).join('');
  if (odd === 'noLastNewline') return textOf(lines).slice(0, -1);
  return textOf(odd === 'lateMeta' ? [...lines.slice(1, 3), lines[0] ?? '', ...lines.slice(3)] : lines);
}

/** The text of a rollout, as one file. */
export function hostileText(rollout: HostileRollout): string {
  return textOf(linesOf(rollout));
}

const BASE_ID = '01990000-0000-7000-8000-00000000000b';
const REVERT_ID = '01990000-0000-7000-8000-000000000002';
const nameOf = (minute: number, id: string): string => `rollout-2026-01-02T03-0${minute}-05-${id}.jsonl`;

/** The files of a rollout, oldest first. */
export function hostileFiles(rollout: HostileRollout): { readonly name: string; readonly content: Buffer }[] {
  const { cut } = rollout;
  const lines = linesOf(rollout);
  if (!cut) return [{ name: nameOf(4, THREAD_ID), content: spoiledBytes(newestText(lines, rollout)) }];
  const baseId = cut.isFork ? BASE_ID : THREAD_ID;
  const own = [...lines.slice(0, 1).map((line) => line.replaceAll(THREAD_ID, baseId)), ...lines.slice(1)];
  const at = Math.min(1 + cut.lines, lines.length);
  const base = textOf(own.slice(0, at));
  const { timestamp, ...meta } = metaRecord({ history_mode: 'paginated', ...(cut.isFork ? { forked_from_id: baseId } : {}), history_base: { thread_id: baseId, end_ordinal_exclusive: at, end_byte_offset: Buffer.byteLength(base) } });
  const behind = lines.slice(at).map((line, i) => line.replace(/"ordinal":(\d+)/, `"ordinal":${at + 1 + i}`));
  return [
    { name: nameOf(4, baseId), content: spoiledBytes(cut.isLonger ? textOf(own) : base) },
    { name: nameOf(5, cut.isFork ? THREAD_ID : `${THREAD_ID}_${REVERT_ID}`), content: spoiledBytes(newestText([JSON.stringify({ timestamp, ordinal: at, ...meta }), ...behind], rollout)) },
  ];
}
