import type { PieceReader, TurnError } from '@tapefold/facts';
import type { ItemRow, TurnEnd, TurnRow } from '../fold/row.js';
import type { ThreadHead } from '../fold/thread-head.js';
import { itemObject } from '../items/item-object.js';
import type { ItemsView, Turn } from '../objects/turn.js';
import { newestWord } from '../rows/turn-as-of.js';
import { summaryItems } from './summary-items.js';
import { turnErrorObject } from './turn-error.js';
import { unixSeconds } from './unix-time.js';

/** A turn and its items, in order, as a store hands them over. */
export interface TurnRows {
  readonly turn: TurnRow;
  readonly items: readonly ItemRow[];
}

/** How a turn is read: `running`, it runs; `over`, it does not, so that what is open is settled; `unsettled`, as the records have it. */
export type TurnPhase = 'running' | 'over' | 'unsettled';

/** How a turn's object is made. Without `readPiece` large texts stay stand-ins. */
export interface TurnOptions {
  readonly phase: TurnPhase;
  /** `full` where absent. */
  readonly view?: ItemsView | undefined;
  readonly readPiece?: PieceReader | undefined;
}

/** A turn that no record opened ends with what follows; any other without an end was interrupted, unless its records say what it counts as. */
function statusOf(turn: TurnRow, end: TurnEnd | undefined, phase: TurnPhase): Turn['status'] {
  if (end) return end.status;
  if (phase === 'running') return 'inProgress';
  if (phase === 'unsettled') return turn.isImplicit ? 'completed' : 'inProgress';
  const expected = newestWord(turn.outlooks.filter(({ settlesAs }) => settlesAs !== undefined))?.settlesAs ?? turn.settlesAs;
  return expected ?? (turn.isImplicit ? 'completed' : 'interrupted');
}

/** The end's error, or the one that is known of a turn that counts as failed. */
function errorOf(turn: TurnRow, end: TurnEnd | undefined, status: Turn['status']): TurnError | undefined {
  return end ? end.error : status === 'failed' ? newestWord(turn.outlooks.filter(({ error }) => error !== undefined))?.error : undefined;
}

/** Codex records seconds of its own; the other agents leave it to the time of the record. */
function timesOf(head: ThreadHead, turn: TurnRow, end: TurnEnd | undefined): Pick<Turn, 'startedAt' | 'completedAt' | 'durationMs'> {
  const isCodex = head.identity === null || head.identity.program === 'codex';
  const orRecordTime = (at: string | undefined): number | null => (isCodex ? null : unixSeconds(at) ?? null);
  return {
    startedAt: end?.startedAt === undefined ? (turn.startedAt ?? orRecordTime(turn.at)) : end.startedAt, completedAt: end ? (end.completedAt ?? orRecordTime(end.at)) : null, durationMs: end?.durationMs ?? null,
  };
}

function itemsOf(shown: readonly ItemRow[], { turn }: TurnRows, options: TurnOptions & { historyMode: 'legacy' | 'paginated' }): readonly ItemRow[] {
  switch (options.view) {
    case 'notLoaded': return [];
    case 'summary': return summaryItems(shown, options.historyMode, newestWord(turn.ends)?.position);
    default: return shown;
  }
}

/**
 * The public object of a turn with its shown items; undefined for a turn that no record opened and that has nothing in it. Pure.
 */
export function turnObject(head: ThreadHead, rows: TurnRows, options: TurnOptions): Turn | undefined {
  const { turn } = rows;
  const shown = rows.items.filter((row) => row.visibility === 'shown');
  if (turn.isImplicit && !newestWord(turn.ends) && shown.length === 0 && newestWord(turn.compactions) === undefined) return undefined;
  const kept = itemsOf(shown, rows, { ...options, historyMode: head.identity?.historyMode ?? 'legacy' });
  const itemOptions = { isTurnOver: options.phase === 'over', cwd: head.details.cwd, readPiece: options.readPiece };
  const items = kept.map((row) => itemObject(row, itemOptions));
  const { ids, rest } = aroundItems(head, turn, options);
  return { ...ids, items, ...rest };
}

/** What stands before the items of a turn's object, and what behind them. */
function aroundItems(head: ThreadHead, turn: TurnRow, { phase, view }: TurnOptions): { readonly ids: Pick<Turn, 'id' | 'rootTurnId'>; readonly rest: Omit<Turn, 'id' | 'rootTurnId' | 'items'> } {
  const end = newestWord(turn.ends);
  const status = statusOf(turn, end, phase);
  const error = errorOf(turn, end, status);
  return {
    ids: { id: turn.id, rootTurnId: end?.rootTurnId === undefined ? (turn.rootTurnId ?? null) : end.rootTurnId },
    rest: { itemsView: view ?? 'full', status, error: error ? turnErrorObject(error) : null, ...timesOf(head, turn, end) },
  };
}

/** What `JSON.stringify` writes of a turn's object before its items, and behind them: commas stand between those, as `itemText` writes them. */
export function textAroundItems(head: ThreadHead, turn: TurnRow, phase: TurnPhase): readonly [before: string, behind: string] {
  const { ids, rest } = aroundItems(head, turn, { phase });
  return [`${JSON.stringify(ids).slice(0, -1)},"items":[`, `],${JSON.stringify(rest).slice(1)}`];
}
