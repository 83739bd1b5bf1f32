import type { JsonObject, JsonValue, TurnError } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { numberAt, objectAt, present, stringAt } from '../shape.js';
import type { TurnEnd } from './turns.js';

/** `codex_error_info`: a word, or an object with one word as key and its details. */
function errorKind(info: JsonValue | undefined): string | undefined {
  return typeof info === 'string' ? info : Object.keys(isJsonObject(info) ? info : {})[0];
}

/** An error as events write it: `kind` is its word, `code` the whole `codex_error_info`. */
export function turnErrorOf(error: JsonObject): TurnError {
  return present({ message: stringAt(error, 'message') ?? '', kind: errorKind(error['codex_error_info']), code: error['codex_error_info'] ?? undefined, misalignment: error['misalignment'] ?? undefined });
}

/** `task_complete`: failed where it carries an error. */
export function completionOf(event: JsonObject): TurnEnd {
  const error = objectAt(event, 'error');
  return {
    status: error ? 'failed' : 'completed', error: error && turnErrorOf(error), completedAt: numberAt(event, 'completed_at'), durationMs: numberAt(event, 'duration_ms'),
    timeToFirstTokenMs: numberAt(event, 'time_to_first_token_ms'),
  };
}

/** `turn_aborted`: interrupted, whatever the reason. */
export function abortOf(event: JsonObject): TurnEnd {
  return { status: 'interrupted', reason: stringAt(event, 'reason'), completedAt: numberAt(event, 'completed_at'), durationMs: numberAt(event, 'duration_ms') };
}
