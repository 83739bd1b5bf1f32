import type { ItemStatus } from '@tapefold/facts';
import type { ItemRow, RowBody } from '../fold/row.js';
import type { CallStatus, DeclinableStatus, ItemOutcome } from '../objects/item-parts.js';

/** How far an item came, and whether that is settled: `isUnknown` says that nothing tells how it ended. */
export interface ItemProgress {
  readonly status: ItemStatus;
  readonly isUnknown: boolean;
}

/** A status in the words of one public enum, and what they cannot say. */
export interface PublicStatus<S> {
  readonly status: S;
  readonly outcome?: ItemOutcome | undefined;
}

/** The status of a body that has one; `undefined` for bodies that only are. */
function statusOf(body: RowBody): ItemStatus | undefined {
  switch (body.kind) {
    case 'command': case 'fileChange': case 'mcpCall': case 'toolCall': case 'agentCall': case 'webSearch': return body.status;
    case 'imageGeneration': case 'sleep': return 'running';
    default: return undefined;
  }
}

/**
 * A call that began and that no record completed is `unknown` once its turn does not run: it may have run. A completed record that itself says
 * "running" is taken at its word, as the original program does.
 */
export function progressOf(row: Pick<ItemRow, 'body' | 'isOpen'>, isTurnOver: boolean): ItemProgress {
  return progressFrom(statusOf(row.body), { isOpen: row.isOpen, isTurnOver });
}

/** The same by the status that a body has. */
export function progressFrom(status: ItemStatus | undefined, { isOpen, isTurnOver }: { readonly isOpen: boolean; readonly isTurnOver: boolean }): ItemProgress {
  return { status: status ?? 'completed', isUnknown: isTurnOver && isOpen && status === 'running' };
}

/** For items without a public status: what went otherwise than well. */
export function outcomeOf({ status, isUnknown }: ItemProgress): ItemOutcome | undefined {
  if (isUnknown) return 'unknown';
  return status === 'running' || status === 'completed' ? undefined : status;
}

/** `inProgress`, `completed` or `failed`; every other end is a failure with an outcome. */
export function callStatus(progress: ItemProgress): PublicStatus<CallStatus> {
  switch (progress.status) {
    case 'running': return progress.isUnknown ? { status: 'inProgress', outcome: 'unknown' } : { status: 'inProgress' };
    case 'completed': case 'failed': return { status: progress.status };
    default: return { status: 'failed', outcome: progress.status };
  }
}

/** As `callStatus`, for calls that a person can decline. */
export function declinableStatus(progress: ItemProgress): PublicStatus<DeclinableStatus> {
  return progress.status === 'declined' ? { status: 'declined' } : callStatus(progress);
}

/** As `callStatus`, for calls to agents, which can be interrupted. */
export function agentCallStatus(progress: ItemProgress): PublicStatus<CallStatus | 'interrupted'> {
  return progress.status === 'interrupted' ? { status: 'interrupted' } : callStatus(progress);
}
