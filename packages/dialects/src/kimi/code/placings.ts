import type { FactKey } from '@tapefold/facts';
import { lookUp, put } from '../../id-table.js';
import { present } from '../../shape.js';
import { type Play, refs, say } from './play.js';
import type { PlaceState, PlacedInput } from './state.js';

/* Inputs that wait are placed more than once, and on each branch in its own way. */

function tell(play: Play, key: FactKey, { place, isAgain }: { place: PlaceState; isAgain: boolean }): void {
  const { turn, step, as, otherwise, isFirst } = place;
  const where = refs(play, step < 0 ? { turn } : { step });
  // It stands where its turn begins, though it was received before; or where its step began, though that went on since.
  const after = as === 'opens' ? where.turn : isFirst && isAgain ? where.step : undefined;
  say(play, present({ type: 'input.placed' as const, ...where, input: key, as, otherwise, after }));
}

/** Places an input that waits, or waited. */
export function placeWaiting(play: Play, key: FactKey, place: Omit<PlaceState, 'line'>): void {
  const own = lookUp(play.state.placings, key) ?? { key, places: [], said: -1 };
  const next: PlaceState = { line: play.line, ...place };
  own.said = own.places.push(next) - 1;
  put(play.state.placings, key, own);
  tell(play, key, { place: next, isAgain: false });
}

/** After a switch: inputs stand where the records of the branch placed them. */
export function placeAsOnBranch(play: Play, isKept: (line: number) => boolean): void {
  for (const own of Object.values<PlacedInput>(play.state.placings)) {
    const newest = own.places.reduce((found, place, at) => (isKept(place.line) ? at : found), -1);
    const place = own.places[newest];
    if (!place || newest === own.said) continue;
    own.said = newest;
    tell(play, own.key, { place, isAgain: true });
  }
}
