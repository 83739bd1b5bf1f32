import { createClaudeAgentMetaPlayer } from '@tapefold/dialects';
import type { FactOf } from '@tapefold/facts';
import { Buffer } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import type { OnRead } from '../shelf.js';

/** What a sub-agent's side tape says of it: which call started it, as what, for what. */
export type AgentNote = Partial<Pick<FactOf<'agent.described'>, 'role' | 'description' | 'parentCall' | 'model'>>;

/** Notes have a hundred bytes. */
const NOTE_BYTES = 16_384;

/** Reads the note beside a sub-agent's file. Never throws: where there is none that can be read, nothing is known. */
export function readAgentNote(path: string | undefined, onRead?: OnRead): AgentNote {
  if (path === undefined) return {};
  try {
    if (statSync(path).size > NOTE_BYTES) return {};
    const text = readFileSync(path, 'utf8');
    const length = Buffer.byteLength(text);
    onRead?.(length);
    const { facts } = createClaudeAgentMetaPlayer({ tape: path }).play({ offset: 0, length, text, isTerminated: false });
    return facts.find((fact) => fact.type === 'agent.described') ?? {};
  } catch {
    return {};
  }
}
