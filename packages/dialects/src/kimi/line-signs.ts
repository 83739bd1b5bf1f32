import type { JsonObject, JsonValue, TapeLine } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { recordsOf } from '../records.js';
import { listAt, numberAt, objectAt, present, stringAt, wordIn } from '../shape.js';

/** How the newest turn stands as one record tells: `unclear` where only the whole file knows (an undo, a start that may never have got an end). */
export type KimiTurnSign = 'open' | 'completed' | 'interrupted' | 'failed' | 'unclear';

/** What one record of a log or a history says of the file that it stands in, for a look that does not play the file. */
export interface KimiLineSign {
  /** `context` for a line of a history, else the record's type, for kimi-cli that of its message. */
  readonly type: string;
  readonly family: 'code' | 'cli' | undefined;
  /** Something was said or done; what only describes the file says nothing. */
  readonly isReal: boolean;
  readonly timeMs?: number | undefined;
  readonly turn?: KimiTurnSign | undefined;
  /** What a person asked, where the record opens a turn. */
  readonly prompt?: string | undefined;
  /** Of the first line. */
  readonly protocol?: string | undefined;
  readonly cwd?: string | undefined;
}

const endsOfCode = { completed: 'completed', cancelled: 'interrupted', failed: 'failed', blocked: 'failed' } as const;
const turnsOfCli = { TurnBegin: 'open', StepBegin: 'open', TurnEnd: 'completed', StepInterrupted: 'interrupted' } as const;
const histories = new Set(['context.undo', 'context.undone', 'context.clear', 'agent.switched']);
/** Origins that a person stands behind, or the agent that started this one. */
const asked = new Set(['user', 'skill_activation', 'plugin_command', 'shell_command']);
const isAsked = (origin: JsonObject | undefined): boolean => origin === undefined || asked.has(stringAt(origin, 'kind') ?? '') || stringAt(origin, 'name') === 'subagent';
const metadata = 'metadata';

/** The texts of an input in either form: a string, or a list of parts. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  return value.map((part) => (isJsonObject(part) ? stringAt(part, 'text') ?? '' : '')).join('');
}

function codeTurn(raw: JsonObject, type: string): KimiTurnSign | undefined {
  if (type === 'turn.ended') return wordIn<KimiTurnSign>(endsOfCode, stringAt(raw, 'reason')) ?? 'completed';
  // Versions that number their turns end them, too; before, the end of a turn was not written.
  if (type === 'turn.prompt') return numberAt(raw, 'turnId') === undefined ? 'unclear' : 'open';
  return histories.has(type) ? 'unclear' : undefined;
}

function codeSign(raw: JsonObject, type: string): KimiLineSign {
  const prompt = type === 'turn.prompt' && isAsked(objectAt(raw, 'origin')) ? textOf(raw['input']) : undefined;
  const isReal = /^(?:turn|context|agent)\./.test(type);
  return present({ type, family: 'code' as const, isReal, timeMs: numberAt(raw, 'time'), turn: codeTurn(raw, type), prompt, cwd: type === 'config.update' ? stringAt(raw, 'cwd') : undefined });
}

function cliSign(raw: JsonObject, message: JsonObject): KimiLineSign {
  const type = stringAt(message, 'type') ?? '';
  const seconds = numberAt(raw, 'timestamp');
  const prompt = type === 'TurnBegin' ? textOf((objectAt(message, 'payload') ?? {})['user_input']) : undefined;
  return present({ type, family: 'cli' as const, isReal: true, timeMs: seconds === undefined ? undefined : Math.round(seconds * 1000), turn: wordIn<KimiTurnSign>(turnsOfCli, type), prompt });
}

/** A line of a history has no time. A message that the program wrote for itself opens nothing. */
function contextSign(raw: JsonObject, role: string): KimiLineSign {
  const isReal = !role.startsWith('_');
  const text = textOf(raw['content']);
  const prompt = role === 'user' && text !== undefined && !/^\s*<system>[\s\S]*<\/system>\s*$/.test(text) ? text : undefined;
  const isAnswer = role === 'assistant' && listAt(raw, 'tool_calls').length === 0;
  return present({ type: 'context', family: 'cli' as const, isReal, turn: isReal ? (isAnswer ? 'completed' as const : 'open' as const) : undefined, prompt });
}

function signOf(raw: JsonObject): KimiLineSign {
  const message = objectAt(raw, 'message');
  const type = stringAt(raw, 'type');
  if (type === metadata) return present({ type, family: numberAt(raw, 'created_at') === undefined ? 'cli' as const : 'code' as const, isReal: false, timeMs: numberAt(raw, 'created_at'), protocol: stringAt(raw, 'protocol_version') });
  if (type !== undefined) return codeSign(raw, type);
  if (message && raw['timestamp'] !== undefined) return cliSign(raw, message);
  const role = stringAt(raw, 'role');
  return role === undefined ? { type: '', family: undefined, isReal: false } : contextSign(raw, role);
}

/** The records of a line, in a few words each; none for a line that cannot be read. Never throws. */
export function kimiLineSigns(line: TapeLine): KimiLineSign[] {
  return recordsOf(line).records.map(signOf);
}
