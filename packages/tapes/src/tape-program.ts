import { isJsonObject } from '@tapefold/facts';
import { basename } from 'node:path';
import { parseClaudeName } from './claude-names.js';
import { isClaudeRecord, isKimiRecord } from './file-kinds.js';
import { readHeadLines } from './read-head.js';
import { parseRolloutName } from './rollout-name.js';
import { namedForm } from './tape-form.js';

/** Whose session file something is. */
export type TapeProgram = 'codex' | 'claude' | 'kimi' | 'native';

const kimiNames = new Set(['wire.jsonl', 'context.jsonl']);

/** Lines that are looked at: damaged ones may stand before the first that tells. */
const SIGN_LINES = 50;

function programOf(text: string | undefined): TapeProgram | undefined {
  const start = text?.indexOf('{') ?? -1;
  if (text === undefined || start < 0) return undefined;
  try {
    const record: unknown = JSON.parse(text.slice(start));
    if (!isJsonObject(record)) return undefined;
    if ('tapefold' in record) return 'native';
    if (isKimiRecord(record)) return 'kimi';
    return isClaudeRecord(record) || 'uuid' in record || 'sessionId' in record ? 'claude' : 'codex';
  } catch {
    return undefined;
  }
}

/**
 * Whose session file a path is, wherever it lies: by its name, else by its first record that can be read; Codex's where nothing tells. Throws
 * `TapeError` of opening and reading.
 */
export function tapeProgram(path: string): TapeProgram {
  const name = basename(path);
  if (parseRolloutName(name) || namedForm(path) !== 'lines') return 'codex';
  if (kimiNames.has(name)) return 'kimi';
  if (parseClaudeName([name])?.kind === 'agent') return 'claude';
  for (const { text } of readHeadLines(path, { maxLines: SIGN_LINES }).lines) {
    const program = programOf(text);
    if (program) return program;
  }
  return 'codex';
}
