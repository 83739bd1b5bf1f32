import { isDeepStrictEqual } from 'node:util';
import { type Fact, type FactKey, type JsonValue, type Ledger, type Player, emptyLedger, enterLine, factKey, factSchema, ledgerAddsUp, parseFactKey } from '@tapefold/facts';
import { lineOf, linesOf } from './lines.js';
import type { Random } from './random.js';

/** Makes a player of one tape, new or from a checkpoint. */
export type MakePlayer = (checkpoint?: JsonValue) => Player;

/** Thrown where a law does not hold: says which, and where. */
export class BrokenLaw extends Error {}

function demand(holds: boolean, law: string, detail: () => unknown): asserts holds {
  if (!holds) throw new BrokenLaw(`${law}: ${JSON.stringify(detail())?.slice(0, 2_000)}`);
}

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** Equal as JSON sees it, key order aside; −0 is 0. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b) || isDeepStrictEqual(throughJson(a), throughJson(b));
}

/** An undefined, a function, a NaN … anywhere in a value, as the path to it. */
function notJson(value: unknown, path = ''): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${path}: ${value}`;
  if (typeof value !== 'object') return `${path}: ${typeof value}`;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return `${path}: prototype`;
  for (const key of Object.keys(value)) {
    const found = notJson((value as Record<string, unknown>)[key], `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What playing a file came to. */
export interface Played {
  readonly facts: Fact[];
  readonly ledger: Ledger;
  /** Facts of each line. */
  readonly perLine: (readonly Fact[])[];
  readonly player: Player;
}

export function playAll(make: MakePlayer, bytes: Uint8Array): Played {
  const player = make();
  const ledger = emptyLedger();
  const perLine = linesOf(bytes).map(({ line }) => {
    const { facts, account } = player.play(line);
    enterLine(ledger, line, account);
    const isNamed = account.verdict === 'damaged' || account.verdict === 'blank' || (account.type ?? '') !== '';
    demand(isNamed, 'a line of a type is named', () => ({ line, account }));
    demand(account.damage !== 'tornTail' || !line.isTerminated, 'only a last line without newline is a torn tail', () => ({ line, account }));
    return facts;
  });
  return { facts: perLine.flat(), ledger, perLine, player };
}

/**
 * Facts are valid, dense, plain JSON and of the right line; the ledger adds up. `references`: whether the player makes the keys in them, or gives them
 * as a file has them (which may be anything, then).
 */
export function checkFacts(make: MakePlayer, bytes: Uint8Array, { references = 'made' }: { references?: 'made' | 'asWritten' } = {}): Played {
  const played = playAll(make, bytes);
  const lines = linesOf(bytes);
  played.facts.forEach((fact, i) => {
    demand(fact.ordinal === i, 'ordinals are dense from 0', () => ({ i, fact }));
    const odd = notJson(fact);
    demand(odd === undefined, 'facts are equal through JSON', () => ({ odd, fact }));
    demand(isSame(throughJson(fact), fact), 'facts are equal through JSON', () => fact);
    const parsed = factSchema.safeParse(fact);
    demand(parsed.success, 'facts have the schema', () => ({ issues: parsed.error?.issues, fact }));
  });
  played.perLine.forEach((facts, i) => {
    const { line, bytes: own } = lines[i] as (typeof lines)[number];
    const length = own.length - Number(line.isTerminated);
    for (const fact of facts) demand(fact.line.offset === line.offset && fact.line.length === length, 'facts say where their line is', () => ({ line, fact }));
  });
  demand(ledgerAddsUp(played.ledger) && played.ledger.linesTotal === lines.length && played.ledger.bytesTotal === bytes.length, 'the ledger adds up', () => played.ledger);
  if (references === 'made') checkReferences(played.facts);
  return played;
}

/** Types that a reference may point to. */
const targets: Readonly<Record<string, readonly Fact['type'][]>> = {
  turn: ['turn.started'], step: ['step.started'], input: ['input.received'], context: ['context.appended', 'context.compacted'],
  shows: ['item.started', 'item.completed', 'input.received'], after: ['item.started', 'item.completed', 'input.received', 'turn.started', 'step.started', 'context.appended'], by: ['turn.started'], request: ['interaction.requested'],
  items: ['item.started', 'item.completed'], inputs: ['input.received'], steps: ['step.started'], turns: ['turn.started'],
};

/** Every key in the envelope and fields of a fact, by the name it stands under. */
function keysIn(fact: Fact): [string, FactKey][] {
  const found: [string, FactKey][] = [];
  for (const [name, value] of Object.entries(fact)) {
    if (!Object.hasOwn(targets, name)) continue;
    if (typeof value === 'string') found.push([name, value]);
    else if (Array.isArray(value)) for (const key of value) if (typeof key === 'string') found.push([name, key]);
  }
  if ('place' in fact && typeof fact.place === 'object') found.push(['after', fact.place.after]);
  return found;
}

/** Each reference names an earlier fact of the right type in its tape, or a fact of another tape; ranges lie behind. */
export function checkReferences(facts: readonly Fact[]): void {
  for (const fact of facts) {
    for (const [name, key] of keysIn(fact)) {
      const at = parseFactKey(key);
      demand(at !== undefined, 'references are keys', () => ({ name, fact }));
      if (at.tape !== fact.tape) continue;
      const target = facts[at.ordinal];
      const isRight = target !== undefined && at.ordinal < fact.ordinal && (targets[name] as readonly string[]).includes(target.type);
      demand(isRight, 'references name an earlier fact of the right type', () => ({ name, target: target?.type, fact }));
    }
    const ranges = fact.type === 'history.superseded' || fact.type === 'history.restored' ? [...fact.context, ...(fact.facts ?? [])] : [];
    for (const { tape, from, to } of ranges) demand(tape === fact.tape && from <= to && to <= fact.ordinal, 'ranges lie behind', () => fact);
  }
}

function demandPrefix(part: readonly Fact[], whole: readonly Fact[], detail: () => unknown): void {
  demand(part.length <= whole.length && part.every((fact, i) => isSameButLine(fact, whole[i] as Fact)), 'the facts of a prefix are a prefix of the facts', () => ({
    where: detail(), part: part.find((fact, i) => !isSameButLine(fact, whole[i] as Fact)), whole: whole[part.findIndex((fact, i) => !isSameButLine(fact, whole[i] as Fact))],
  }));
}

/** A line that is still being written is shorter than it will be, and its facts say so. */
function isSameButLine(a: Fact, b: Fact | undefined): boolean {
  const withoutLines = (fact: Fact): unknown => JSON.parse(JSON.stringify(fact, (key, value: unknown) => (key === 'line' ? null : value)));
  return b !== undefined && isSame(withoutLines(a), withoutLines(b));
}

/** Bytes that can end a record, or stand behind one. */
const ENDS_RECORD = 0x7d;

/**
 * The facts of each prefix of the bytes are a prefix of the facts. Cuts: every byte, or for large files random ones and all of the last three lines;
 * `sparse`: of the bytes before the first one that gives facts only those that can end a record, and each sixteenth.
 * A cut inside line n goes on from the checkpoint before it, which `checkCheckpoints` proves equal to playing the file anew.
 */
export function checkPrefixes(make: MakePlayer, bytes: Uint8Array, cuts: { everyByteBelow: number; random: Random; count: number; sparse?: boolean }): void {
  const lines = linesOf(bytes);
  const every = bytes.length <= cuts.everyByteBelow;
  const chosen = new Set(every ? [] : Array.from({ length: cuts.count }, () => cuts.random.below(bytes.length)));
  const player = make();
  lines.forEach(({ line, bytes: own }, i) => {
    const isWhole = every || (i >= lines.length - 3 && own.length < 5_000);
    const ends = isWhole ? Array.from({ length: own.length }, (_, end) => end) : [...chosen].filter((cut) => cut >= line.offset && cut < line.offset + own.length).map((cut) => cut - line.offset);
    const before = ends.length ? player.checkpoint() : null;
    const { facts } = player.play(line);
    let probe: Player | undefined;
    let hasBegun = false;
    for (const end of ends) {
      if (end === 0 || (cuts.sparse && !hasBegun && own[end - 1] !== ENDS_RECORD && end % 16 !== 0)) continue;
      probe ??= make(before);
      const { facts: part, account } = probe.play(lineOf(own.subarray(0, end), line.offset));
      // A torn line left nothing behind, so the same player tries the next cut.
      if (account.verdict !== 'damaged') { probe = undefined; hasBegun = true; }
      demandPrefix(part, facts, () => ({ cut: line.offset + end, line: line.text?.slice(0, 300) }));
    }
  });
}

/** Going on from the checkpoint at any line, through JSON, gives the same facts and the same checkpoints. */
export function checkCheckpoints(make: MakePlayer, bytes: Uint8Array, random: Random): void {
  const lines = linesOf(bytes).map(({ line }) => line);
  const whole = make();
  let stored = throughJson(make().checkpoint()) as JsonValue;
  const states: string[] = [];
  const facts: Fact[] = [];
  for (const line of lines) {
    const resumed = make(stored);
    const expected = whole.play(line);
    const got = resumed.play(line);
    demand(isSame(got, expected), 'a stored player goes on as if it had never stopped', () => ({ line: line.text?.slice(0, 300), got: got.facts, expected: expected.facts }));
    facts.push(...expected.facts);
    stored = throughJson(resumed.checkpoint()) as JsonValue;
    const state = JSON.stringify(stored);
    demand(state === JSON.stringify(whole.checkpoint()) || isSame(stored, whole.checkpoint()), 'checkpoints are equal however they came about', () => ({ line: line.text?.slice(0, 300) }));
    states.push(state);
  }
  if (!lines.length) return;
  const cuts = [random.below(lines.length), random.below(lines.length)].sort((a, b) => a - b);
  const pieces = [0, ...cuts, lines.length];
  let state: JsonValue | undefined;
  const again = pieces.slice(1).flatMap((to, i) => {
    const player = state === undefined ? make() : make(JSON.parse(JSON.stringify(state)) as JsonValue);
    const own = lines.slice(pieces[i], to).flatMap((line) => player.play(line).facts);
    state = player.checkpoint();
    return own;
  });
  demand(isSame(again, facts), 'three pieces give the facts of the whole', () => ({ pieces }));
}

/** No item, input or entry of the model's history points to one that a rollback took away before. */
export function checkLinksAreAlive(facts: readonly Fact[]): void {
  const gone = new Set<FactKey>();
  for (const fact of facts) {
    if (fact.type === 'history.superseded') {
      const turns = new Set(fact.turns);
      for (const earlier of facts.slice(0, fact.ordinal)) if (earlier.turn !== undefined && turns.has(earlier.turn) && earlier.type !== 'context.appended') gone.add(factKey(earlier.tape, earlier.ordinal));
      for (const { from, to } of fact.context) for (const earlier of facts.slice(from, to)) if (earlier.type === 'context.appended') gone.add(factKey(earlier.tape, earlier.ordinal));
    }
    const link = fact.type === 'context.appended' ? fact.shows : fact.type === 'input.received' || fact.type === 'item.completed' || fact.type === 'item.started' ? fact.context : undefined;
    demand(link === undefined || !gone.has(link), 'links point to what still counts', () => fact);
  }
}
