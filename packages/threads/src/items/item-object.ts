import { type PieceReader, assertNever, restoreLarge } from '@tapefold/facts';
import type { ItemRow, RowBody } from '../fold/row.js';
import type { ThreadItem } from '../objects/thread-item.js';
import { collabAgentToolCall, subAgentActivity } from './agent-objects.js';
import { commandExecution, dynamicToolCall, fileChange, mcpToolCall } from './call-objects.js';
import { progressOf } from './item-status.js';
import { agentMessage, functionCallOutput, hookPrompt, plan, reasoning, userMessage } from './message-objects.js';
import type { ObjectParts } from './object-parts.js';
import { contextCompaction, enteredReviewMode, exitedReviewMode, imageGeneration, imageView, sleep, webSearch } from './other-objects.js';

/** `isTurnOver`: the item's turn does not run, so what is open in it is unknown. `readPiece`: puts whole texts back where the row holds stand-ins. */
export interface ItemOptions {
  readonly isTurnOver: boolean;
  readonly cwd?: string | undefined;
  readonly readPiece?: PieceReader | undefined;
}

/** The row's body with whole texts in place of stand-ins, where `readPiece` still finds them. */
export function wholeBody(row: Pick<ItemRow, 'body' | 'large'>, readPiece: PieceReader | undefined): RowBody {
  if (!readPiece || row.large.length === 0) return row.body;
  if (row.body.kind === 'input') return { ...row.body, content: restoreLarge(row.body.content, { refs: row.large, read: readPiece, prefix: ['content'] }) };
  return restoreLarge(row.body, { refs: row.large, read: readPiece, prefix: ['body'] });
}

/** The public object of a body whose texts are whole. Pure. */
export function objectOf(body: RowBody, parts: ObjectParts): ThreadItem {
  switch (body.kind) {
    case 'input': return userMessage(body, parts);
    case 'hookPrompt': return hookPrompt(body, parts);
    case 'agentMessage': return agentMessage(body, parts);
    case 'callOutput': return functionCallOutput(body, parts);
    case 'plan': return plan(body, parts);
    case 'reasoning': return reasoning(body, parts);
    case 'command': return commandExecution(body, parts);
    case 'fileChange': return fileChange(body, parts);
    case 'mcpCall': return mcpToolCall(body, parts);
    case 'toolCall': return dynamicToolCall(body, parts);
    case 'agentCall': return collabAgentToolCall(body, parts);
    case 'agentActivity': return subAgentActivity(body, parts);
    case 'webSearch': return webSearch(body, parts);
    case 'imageView': return imageView(body, parts);
    case 'imageGeneration': return imageGeneration(body, parts);
    case 'sleep': return sleep(body, parts);
    case 'reviewEntered': return enteredReviewMode(body, parts);
    case 'reviewExited': return exitedReviewMode(body, parts);
    case 'compaction': return contextCompaction(parts);
    default: return assertNever(body);
  }
}

/** The public object of a row, whatever its visibility. Pure. */
export function itemObject(row: ItemRow, options: ItemOptions): ThreadItem {
  const parts = {
    id: row.id, startedAtMs: row.startedAtMs ?? null, completedAtMs: row.completedAtMs ?? null, progress: progressOf(row, options.isTurnOver), cwd: options.cwd ?? '',
  };
  return objectOf(wholeBody(row, options.readPiece), parts);
}
