import type { JsonObject, JsonValue } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { numberAt, objectsAt, present, stringAt } from '../../shape.js';
import { writeContent } from './blocks.js';
import { endCall, startCall } from './calls.js';
import { contentOf } from './content.js';
import { type Play, type Played, here, say } from './play.js';
import { beginStep, beginTurn, needTurn, readPrompts } from './turns.js';

/*
 * The history as the model reads it (`context.jsonl`), one message a line, without times: all that sessions of before November 2025 have. Each message is
 * played as the log would have told it, so that both give the same facts.
 */

/** A text that the program wrote for the model only. */
const note = /^\s*<system>([\s\S]*)<\/system>\s*$/;
const reminder = /^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/;

const partsOf = (content: JsonValue | undefined): JsonValue[] => (Array.isArray(content) ? content : content === undefined || content === null ? [] : [content]);
const textOf = (part: JsonValue | undefined): string | undefined => (typeof part === 'string' ? part : isJsonObject(part) ? stringAt(part, 'text') : undefined);

/** A message that the program put in as the person's: it opens nothing. */
function inject(play: Play, content: JsonValue | undefined, role: 'system' | 'user'): Played {
  say(play, { type: 'context.appended', ...here(play), item: { kind: 'message', role, content: contentOf(content), visibility: 'injected' } });
  return 'played';
}

/** The first message behind a compaction: a note, then the summary of all that was before. */
function playSummary(play: Play, parts: readonly JsonValue[]): Played {
  play.state.compactions += 1;
  needTurn(play);
  const shows = say(play, { type: 'item.completed', ...here(play), id: `compaction.${play.state.compactions}`, body: { kind: 'compaction' }, visibility: 'shown', isAdded: false });
  say(play, { type: 'context.appended', ...here(play), item: { kind: 'summary', text: parts.map((part) => textOf(part) ?? '').join('') }, shows });
  return 'played';
}

function playUser(play: Play, content: JsonValue | undefined): Played {
  const parts = partsOf(content);
  const first = note.exec(textOf(parts[0]) ?? '')?.[1];
  const isOfProgram = parts.length > 0 && parts.every((part) => note.test(textOf(part) ?? '') || reminder.test(textOf(part) ?? ''));
  if (isOfProgram) return inject(play, content, 'user');
  if (first !== undefined && /compacted/i.test(first)) return playSummary(play, parts);
  beginTurn({ ...play, payload: { user_input: content ?? '' } });
  readPrompts(play);
  return 'played';
}

function playAssistant(play: Play, raw: JsonObject): Played {
  beginStep({ ...play, payload: {} });
  for (const [index, part] of partsOf(raw['content']).entries()) {
    const payload = typeof part === 'string' ? { type: 'text', text: part } : isJsonObject(part) ? part : {};
    writeContent({ ...play, payload, path: ['content', String(index)] });
  }
  for (const call of objectsAt(raw, 'tool_calls')) startCall({ ...play, payload: call });
  return 'played';
}

/** The first part of a result is what the program notes of it, with the word `ERROR` where it failed. */
function playTool(play: Play, raw: JsonObject): Played {
  const parts = partsOf(raw['content']);
  const told = note.exec(textOf(parts[0]) ?? '')?.[1];
  const failed = told === undefined ? undefined : /^ERROR: ([\s\S]*)$/.exec(told)?.[1];
  const output = told === undefined ? raw['content'] ?? '' : parts.slice(1);
  const returned = present({ is_error: failed !== undefined, output, message: failed ?? told }) as JsonObject;
  return endCall({ ...play, payload: present({ tool_call_id: stringAt(raw, 'tool_call_id'), return_value: returned }) as JsonObject });
}

function playSize(play: Play, raw: JsonObject): Played {
  const contextTokens = numberAt(raw, 'token_count');
  if (contextTokens === undefined) return 'ignored';
  say(play, { type: 'usage.recorded', ...here(play), contextTokens });
  return 'played';
}

/** One message of a history. Roles of tomorrow that the program keeps for itself begin with `_`, as those of today. */
export function playHistory(play: Play, raw: JsonObject, role: string): Played {
  switch (role) {
    case 'user': return playUser(play, raw['content']);
    case 'assistant': return playAssistant(play, raw);
    case 'tool': return playTool(play, raw);
    case 'system': case '_system_prompt': return inject(play, raw['content'], 'system');
    case '_usage': return playSize(play, raw);
    default: return role.startsWith('_') ? 'ignored' : 'unknown';
  }
}

