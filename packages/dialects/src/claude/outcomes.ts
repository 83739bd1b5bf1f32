import type { ItemStatus, JsonObject, JsonValue } from '@tapefold/facts';
import { isJsonObject, textOfParts } from '@tapefold/facts';
import { outputParts } from './content.js';

/** How a call ended, by its result (claude-history §6.3). */
export interface Outcome {
  readonly status: ItemStatus;
  /** The work goes on in the background under this id. */
  readonly task?: string | undefined;
  /** Rejected without a word: an interrupt on the next line says that it was stopped. */
  readonly isPlainRejection: boolean;
  readonly text: string;
  readonly exitCode?: number | undefined;
}

const REJECTED = "The user doesn't want to proceed with this tool use";
const REFUSED = 'Claude requested permissions to';
const asked = new Set(['ExitPlanMode', 'AskUserQuestion']);

function taskOf(result: JsonValue | undefined): string | undefined {
  if (!isJsonObject(result)) return undefined;
  const { backgroundTaskId, status, agentId } = result;
  if (typeof backgroundTaskId === 'string') return backgroundTaskId;
  return status === 'async_launched' && typeof agentId === 'string' ? agentId : undefined;
}

function isInterrupted(text: string, result: JsonValue | undefined): boolean {
  return (isJsonObject(result) && result['interrupted'] === true) || result === 'Interrupted by user' || text === 'Interrupted by user';
}

function isDeclined(of: { name: string; text: string; isError: boolean; raw: JsonObject }): boolean {
  if (typeof of.raw['toolDenialKind'] === 'string' || of.raw['toolUseResult'] === 'User rejected tool use') return true;
  if (!of.isError) return false;
  return of.text.startsWith(REJECTED) || of.text.startsWith(REFUSED) || (asked.has(of.name) && !of.text.startsWith('<tool_use_error>'));
}

function statusOf(of: { name: string; text: string; isError: boolean; raw: JsonObject }): ItemStatus {
  if (isInterrupted(of.text, of.raw['toolUseResult'])) return 'interrupted';
  if (isDeclined(of)) return 'declined';
  if (of.isError && of.text.includes('Command timed out after')) return 'timedOut';
  return of.isError ? 'failed' : 'completed';
}

/** `raw`: the line; `block`: its result for the call of the tool `name`. */
export function outcomeOf(raw: JsonObject, block: JsonObject, name: string): Outcome {
  const text = textOfParts(outputParts(block));
  const isError = block['is_error'] === true;
  const status = statusOf({ name, text, isError, raw });
  const exit = isError ? /^(?:Error: )?Exit code (\d{1,9})(?:\n|$)/.exec(text) : null;
  return {
    status, text, isPlainRejection: status === 'declined' && text.startsWith(REJECTED) && !text.includes('the user said:'),
    ...(isError ? {} : { task: taskOf(raw['toolUseResult']) }), ...(exit ? { exitCode: Number(exit[1]) } : {}),
  };
}
