import { type FactOf, type Origin, type TurnStatus, factKey } from '@tapefold/facts';
import type { TurnHeader, TurnOrigin, TurnState } from '../model/turn.js';
import { foldItem, foldItemChanged } from './fold-items.js';
import { endPrompts, tiePrompts } from './fold-prompts.js';
import { closeTurnSteps } from './fold-steps.js';
import { type Folding, isoTime, turnOf } from './folding.js';
import { present } from './present.js';
import type { TurnRow } from './rows.js';
import { usageOfTurn } from './usage.js';

const kinds: Readonly<Record<Origin['kind'], TurnOrigin['kind']>> = {
  user: 'user', cron: 'cron', task: 'task', hook: 'hook', shell: 'user', command: 'other', agent: 'other', compaction: 'compaction', side: 'side', other: 'other',
};

/** Who opened a turn, in the words of transcripts; a task that has no id is something else. */
export function turnOrigin(origin: Origin | undefined): TurnOrigin {
  const { kind: own, taskId, payload } = origin ?? { kind: 'user' as const };
  const kind = kinds[own];
  if (kind === 'cron') return present({ kind, taskId, payload });
  if (kind === 'task') return taskId === undefined ? present({ kind: 'other' as const, payload }) : present({ kind, taskId, payload });
  return present({ kind, payload });
}

const states: Readonly<Record<TurnStatus, TurnState>> = { completed: 'completed', interrupted: 'cancelled', failed: 'failed' };

/** How a turn that ended, or counts as ended, reads. */
export function turnState(status: TurnStatus): TurnState {
  return states[status];
}

/** Of a turn that is not shown. */
const bareHeader = { state: 'running', origin: { kind: 'user' } } as const;

function headerOf(fact: FactOf<'turn.started'>): Pick<TurnHeader, 'state' | 'origin' | 'startedAt'> {
  return { state: 'running', origin: turnOrigin(fact.origin), startedAt: isoTime(fact.startedAt === undefined ? undefined : fact.startedAt * 1000) ?? fact.at };
}

/** A turn begins. One before it that no record opened ends here, since nothing else will end it. */
export function foldTurnStarted(folding: Folding, fact: FactOf<'turn.started'>): void {
  const { doc } = folding;
  const last = doc.turns.at(-1);
  if (last?.isImplicit && !last.isEnded) endTurn(folding, last, { status: 'completed' });
  const key = factKey(fact.tape, fact.ordinal);
  const { part } = folding.options;
  const isBare = part?.shows(key) === false;
  const row = doc.openTurn({ key, ordinal: part?.ordinalOf?.(key), id: fact.id, tape: fact.tape, isImplicit: fact.isImplicit, isBare, openedBy: fact.origin?.kind ?? 'user', header: isBare ? bareHeader : headerOf(fact) });
  row.settlesAs = fact.settlesAs;
  tiePrompts(folding, row);
  folding.usage.turn = undefined;
  doc.mergeMeta({ activity: 'turn' });
  const waiting = folding.waiting.get(fact.id) ?? [];
  folding.waiting.delete(fact.id);
  for (const item of waiting) if (item.type === 'item.changed') foldItemChanged(folding, item); else foldItem(folding, item);
}

/** What a turn counts as when nothing ends it. */
export function foldTurnChanged(folding: Folding, fact: FactOf<'turn.changed'>): void {
  const row = folding.doc.turn(fact.turn);
  if (!row) return;
  row.settlesAs = fact.settlesAs ?? row.settlesAs;
  row.outlookError = fact.error?.message ?? row.outlookError;
}

function endTurn(folding: Folding, row: TurnRow, { status, at }: { readonly status: TurnStatus; readonly at?: string | undefined }): void {
  row.isEnded = true;
  if (!row.isBare) {
    closeTurnSteps(folding.doc, row, { isInterrupted: status !== 'completed', at });
    folding.doc.changeTurn(row, { state: states[status], usage: usageOfTurn(row) });
  }
  endPrompts(folding, row, { status, at });
  if (row === folding.doc.turns.at(-1)) folding.doc.mergeMeta({ activity: 'idle' });
}

/** A turn ended; the newest word counts. What belongs to it may still follow. */
export function foldTurnEnded(folding: Folding, fact: FactOf<'turn.ended'>): void {
  const row = turnOf(folding, fact);
  if (!row) return;
  endTurn(folding, row, fact);
  if (row.isBare) return;
  const endedAt = isoTime(fact.completedAt === undefined ? undefined : fact.completedAt * 1000) ?? fact.at;
  const startedAt = typeof fact.startedAt === 'number' ? isoTime(fact.startedAt * 1000) : undefined;
  folding.doc.changeTurn(row, { startedAt: startedAt ?? row.header.startedAt, endedAt, durationMs: fact.durationMs, error: fact.error?.message });
}
