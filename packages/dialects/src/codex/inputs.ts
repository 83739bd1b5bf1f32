import type { ContentPart, FactKey } from '@tapefold/facts';
import { textOfParts } from '@tapefold/facts';
import { present } from '../shape.js';
import { contextOfInput } from './context.js';
import { firstPromptOf } from './event-items.js';
import type { Pen } from './pen.js';
import { changeDetails } from './settings.js';
import type { CodexRecord, TurnState } from './state.js';

/** A message of a person as a record has it, before its fact gives it a key. */
export interface InputRecord {
  readonly id: string;
  readonly content: ContentPart[];
  readonly clientId?: string | undefined;
  readonly isAdded: boolean;
  readonly startedAtMs?: number | undefined;
  readonly completedAtMs?: number | undefined;
  /** Turn that it stands in; absent where only its native id is known. */
  readonly turn: TurnState | undefined;
  readonly turnId?: string | undefined;
}

/** A person's message: received, and placed in its turn. The first of a turn opens it, later ones steer it. */
export function writeInput(pen: Pen, record: CodexRecord, input: InputRecord): FactKey {
  const { turn } = input;
  const key = pen.write(present({
    type: 'input.received' as const, at: record.at, turn: turn?.key, id: input.id, turnId: turn ? undefined : input.turnId, clientId: input.clientId, content: input.content, visibility: 'shown' as const, isAdded: input.isAdded,
    startedAtMs: input.startedAtMs, completedAtMs: input.completedAtMs, context: contextOfInput(pen.state, textOfParts(input.content)),
  }));
  pen.write(present({ type: 'input.placed' as const, at: record.at, turn: turn?.key, input: key, as: turn?.hasInput || !turn ? ('steers' as const) : ('opens' as const) }));
  if (turn) turn.hasInput = true;
  noteFirstPrompt(pen, record, input.content);
  return key;
}

/** The first message that a person typed names the thread in lists. */
export function noteFirstPrompt(pen: Pen, record: CodexRecord, content: readonly ContentPart[]): void {
  if (pen.state.hasFirstPrompt) return;
  pen.state.hasFirstPrompt = true;
  changeDetails(pen, record, { firstPrompt: firstPromptOf(content) });
}
