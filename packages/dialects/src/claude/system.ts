import type { JsonObject } from '@tapefold/facts';
import { messageItem } from './content.js';
import { appendEntry } from './context.js';
import { numberAt, objectAt, present, stringAt, stringsAt } from '../shape.js';
import { markBoundary } from './compaction.js';
import { retractLines } from './history.js';
import { type Play, refs, say } from './play.js';
import { textPart } from './state.js';
import { closeStep } from './steps.js';
import { endTurn, openTurn } from './turns.js';
import { commandText } from './user-class.js';
import { tellCommandOutput } from './user.js';

type Level = 'info' | 'warning' | 'error';

function levelOf(raw: JsonObject): Level {
  const level = stringAt(raw, 'level');
  return level === 'warning' || level === 'error' ? level : 'info';
}

interface Notice { readonly code: string; readonly level?: Level; readonly text?: string; readonly details?: JsonObject; readonly isControl?: boolean }

function post(play: Play, notice: Notice): void {
  const { raw } = play.line;
  say(play, present({
    type: 'notice.posted' as const, ...refs(play, -1), level: notice.level ?? levelOf(raw), code: notice.code, text: notice.text ?? stringAt(raw, 'content') ?? '', details: notice.details,
    visibility: notice.isControl ? ('control' as const) : undefined,
  }));
}

/** True for a slash command that the terminal wrote as a system line: it opens a turn. */
export function isSystemCommand(raw: JsonObject): boolean {
  return stringAt(raw, 'subtype') === 'local_command' && /^(?:<command-name>|\/)/.test(stringAt(raw, 'content') ?? '');
}

/** A slash command of the terminal, or what it printed. The model reads both as the person's words, if the chain goes on below. */
function tellLocalCommand(play: Play): void {
  const text = stringAt(play.line.raw, 'content') ?? '';
  const block = { type: 'text', raw: { type: 'text', text } };
  const isCommand = isSystemCommand(play.line.raw);
  const shown = text.startsWith('/') ? text.trim() : commandText(text);
  if (isCommand && !play.replaces) openTurn(play, { origin: { kind: 'command', payload: { command: shown } }, settlesAs: 'completed', title: shown });
  const context = appendEntry(play, { as: 'other', item: messageItem({ role: 'user', visibility: isCommand ? 'shown' : 'control', blocks: [block] }) });
  if (!isCommand) return tellCommandOutput(play, text, context);
  play.node.sign = 'done';
  const input = say(play, { type: 'input.received', ...refs(play, -1), id: play.node.uuid, content: [textPart(shown)], visibility: 'shown', origin: { kind: 'command' }, isAdded: false, context });
  say(play, present({ type: 'input.placed' as const, ...refs(play, -1), input, as: 'opens' as const, after: play.replaces?.replacedInput }));
}

/** The turn is over, and how long it took. */
function tellDuration(play: Play): void {
  const { node } = play;
  if (node.turn < 0 || !node.isLive) return;
  closeStep(play, 'completed');
  endTurn(play, node.turn, { leaf: node.parent, durationMs: numberAt(play.line.raw, 'durationMs') ?? 0 });
}

/** Lines that the model's refusal took back go from the screen. */
function retract(play: Play): void {
  retractLines(play, stringsAt(play.line.raw, 'retractedMessageUuids'));
  post(play, { code: stringAt(play.line.raw, 'subtype') ?? '', level: 'warning', details: present({ originalModel: stringAt(play.line.raw, 'originalModel'), fallbackModel: stringAt(play.line.raw, 'fallbackModel') }) as JsonObject });
}

function tellRetry(play: Play): void {
  const { raw } = play.line;
  const error = objectAt(raw, 'error') ?? {};
  const details = present({ status: numberAt(error, 'status'), retryInMs: numberAt(raw, 'retryInMs'), retryAttempt: numberAt(raw, 'retryAttempt'), maxRetries: numberAt(raw, 'maxRetries') });
  post(play, { code: 'api-retry', level: 'warning', text: stringAt(error, 'message') ?? '', details: details as JsonObject });
}

/** Lines that the program writes of itself. */
export function tellSystem(play: Play): void {
  const { raw } = play.line;
  const subtype = stringAt(raw, 'subtype') ?? '';
  switch (subtype) {
    case 'compact_boundary': return markBoundary(play);
    case 'microcompact_boundary': return post(play, { code: 'microcompaction', details: objectAt(raw, 'microcompactMetadata') ?? {} });
    case 'local_command': return tellLocalCommand(play);
    case 'turn_duration': return tellDuration(play);
    case 'stop_hook_summary': return post(play, { code: 'hook/Stop', isControl: true, details: present({ hookInfos: raw['hookInfos'], hookErrors: raw['hookErrors'], stopReason: raw['stopReason'], preventedContinuation: raw['preventedContinuation'] }) as JsonObject });
    case 'api_error': return tellRetry(play);
    case 'api_refusal': case 'model_refusal_fallback': return retract(play);
    case 'session_start': return undefined;
    default: return post(play, { code: subtype });
  }
}

export const knownSystem: ReadonlySet<string> = new Set([
  'compact_boundary', 'microcompact_boundary', 'local_command', 'turn_duration', 'stop_hook_summary', 'api_error', 'api_refusal', 'model_refusal_fallback', 'informational', 'session_start', 'error',
]);
