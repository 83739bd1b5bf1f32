import type { FactKey, ModelItem } from '@tapefold/facts';
import { factKey } from '@tapefold/facts';
import { present } from '../shape.js';
import { type Play, ordinalOf, refs, say } from './play.js';
import type { HeldResult } from './state.js';

/**
 * One entry of the model's history. `line`: a block of the message `step`; `result`: an answer to one of its calls; `other`: what a person or the program
 * said (`quiet`: it does not come between a message and its results).
 */
export interface Entry {
  readonly item: ModelItem;
  readonly as: 'line' | 'result' | 'other' | 'quiet';
  readonly step?: number | undefined;
  readonly shows?: FactKey | undefined;
  readonly call?: string | undefined;
}

/**
 * Where the entry stands. The request wants all blocks of a message together and its results right behind, in whatever order the lines were written: an entry
 * that comes when the history has gone on stands after the last of its own.
 */
function placeOf(play: Play, entry: Entry): FactKey | undefined {
  const { run, state, node, replaces } = play;
  if (replaces) return replaces.after;
  const step = entry.step === undefined ? undefined : state.steps[entry.step];
  if (!step?.line) return undefined;
  const isNewest = run.newest.step === entry.step;
  if (entry.as === 'line') return isNewest && run.newest.isLine ? undefined : step.line;
  if (entry.as !== 'result' || isNewest) return undefined;
  node.isLate = true;
  return step.late ?? step.line;
}

function noteEntry(play: Play, entry: Entry, of: { key: FactKey; after: FactKey | undefined }): void {
  const { run, state } = play;
  const step = entry.step === undefined ? undefined : state.steps[entry.step];
  if (step && entry.as === 'line') step.line = of.key;
  if (step && entry.as === 'result' && of.after !== undefined) step.late = of.key;
  if (of.after === undefined && entry.as !== 'quiet') run.newest = { step: entry.step ?? -1, isLine: entry.as === 'line' };
}

/** Appends an entry to the model's history and returns its key. */
export function appendEntry(play: Play, entry: Entry): FactKey {
  const after = placeOf(play, entry);
  const draft = present({
    type: 'context.appended' as const, ...refs(play, entry.as === 'line' || entry.as === 'result' ? entry.step : -1), call: entry.call, item: entry.item, shows: entry.shows, after,
  });
  const key = say(play, draft);
  if (play.replaces) play.replaces.after = key;
  noteEntry(play, entry, { key, after });
  holdResult(play, entry);
  return key;
}

/** Keeps an entry of a line of results as written: the next line may show that it belongs behind another result. */
function holdResult(play: Play, entry: Entry): void {
  const { run, pen, at } = play;
  const written = pen.facts.at(-1);
  const step = entry.as === 'result' ? entry.step : play.node.isResult ? run.held?.step : undefined;
  if (step === undefined || play.replaces || written?.type !== 'context.appended') return;
  const { tape: _tape, ordinal: _ordinal, line: _line, ...draft } = written;
  const held: HeldResult = { node: at, draft };
  run.held = run.held?.step === step ? { step, results: [...run.held.results, held] } : { step, results: [held] };
}

/** The order in which the original program sends results: those beside the chain, by their times, right behind the last block that is on it. */
function resultOrder(play: Play, nodes: readonly number[], message: string): number[] {
  const { tree, state } = play;
  const placeOf = (at: number): number => tree.place(at) ?? -1;
  const beside = nodes.filter((at) => placeOf(at) < 0).sort((a, b) => (state.nodes[a]?.timeMs ?? 0) - (state.nodes[b]?.timeMs ?? 0) || a - b);
  const onChain = nodes.filter((at) => placeOf(at) >= 0).sort((a, b) => placeOf(a) - placeOf(b));
  const last = tree.lastPlace(play.node.run, message);
  return [...onChain.filter((at) => placeOf(at) < last), ...beside, ...onChain.filter((at) => placeOf(at) > last)];
}

/**
 * The chain goes on behind a message's results: now it is known which of them it goes through, and the others stand before that one. Results that stand
 * wrong leave the history and are entered again.
 */
export function orderResults(play: Play): void {
  const { run, state } = play;
  const { held } = run;
  run.held = null;
  const step = held && state.steps[held.step];
  if (!held || !step?.line || held.results.length < 2) return;
  const nodes = [...new Set(held.results.map(({ node }) => node))].filter((at) => state.nodes[at]?.isUnread === false);
  const wanted = resultOrder(play, nodes, step.message);
  const firstWrong = wanted.findIndex((at, i) => at !== nodes[i]);
  if (firstWrong < 0) return;
  const moving = wanted.slice(firstWrong);
  const before = wanted[firstWrong - 1];
  const last = before === undefined ? undefined : state.nodes[before]?.entries.at(-1);
  leaveHistory(play, moving);
  moving.reduce((after, at) => enterAgain(play, { at, after, results: held.results }), last === undefined ? step.line : factKey(play.pen.tape, last));
}

function leaveHistory(play: Play, nodes: readonly number[]): void {
  const { state, pen: { tape } } = play;
  const entries = nodes.flatMap((at) => state.nodes[at]?.entries ?? []).sort((a, b) => a - b);
  say(play, { type: 'history.superseded', reason: 'replaced', turns: [], context: entries.map((from) => ({ tape, from, to: from + 1 })) });
}

function enterAgain(play: Play, of: { at: number; after: FactKey; results: readonly HeldResult[] }): FactKey {
  const node = play.state.nodes[of.at];
  let { after } = of;
  const entries: number[] = [];
  for (const { draft } of of.results.filter((held) => held.node === of.at)) {
    if (draft.type !== 'context.appended') continue;
    after = play.pen.write({ ...draft, after });
    entries.push(ordinalOf(after));
  }
  if (node) node.entries = entries;
  play.state.strays.push(...entries);
  return after;
}
