import type { JsonObject, TapeLine } from '@tapefold/facts';
import { recordsOf } from '../records.js';
import { booleanAt, present, stringAt } from '../shape.js';

/** What one record says of the file that it stands in, for a look that does not play the file. */
export interface ClaudeLineSign {
  readonly type: string;
  /** Set for lines of the tree, progress left out. */
  readonly uuid?: string | undefined;
  /** The session that the line names; in a sub-agent's file its parent. */
  readonly sessionId?: string | undefined;
  /** A person's or the model's line, of the session itself: only a file that holds one is a session. */
  readonly isSpeech: boolean;
  /** A line of a sub-agent. */
  readonly isSide: boolean;
  readonly timeMs?: number | undefined;
  /** The text of a line that names the session, and for a summary the line that it names it by. */
  readonly title?: string | undefined;
  /** The line that a summary, or the prompt last sent, belongs to. */
  readonly leafUuid?: string | undefined;
}

const titleFields: Readonly<Record<string, string>> = { 'custom-title': 'customTitle', 'ai-title': 'aiTitle', summary: 'summary' };
const treeTypes = new Set(['user', 'assistant', 'attachment', 'system']);

function signOf(raw: JsonObject): ClaudeLineSign {
  const type = stringAt(raw, 'type') ?? '';
  const isSide = booleanAt(raw, 'isSidechain') === true;
  const timeMs = Date.parse(stringAt(raw, 'timestamp') ?? '');
  return present({
    type, uuid: treeTypes.has(type) ? stringAt(raw, 'uuid') : undefined, sessionId: stringAt(raw, 'sessionId'), isSpeech: (type === 'user' || type === 'assistant') && !isSide, isSide,
    timeMs: Number.isNaN(timeMs) ? undefined : timeMs, title: Object.hasOwn(titleFields, type) ? stringAt(raw, titleFields[type] ?? '') : undefined, leafUuid: stringAt(raw, 'leafUuid'),
  });
}

/** The records of a line, in a few words each; none for a line that cannot be read. Never throws. */
export function claudeLineSigns(line: TapeLine): ClaudeLineSign[] {
  return recordsOf(line).records.map(signOf);
}
