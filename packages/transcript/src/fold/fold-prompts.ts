import type { ContentPart, FactOf, JsonObject, JsonValue, TurnStatus } from '@tapefold/facts';
import type { TranscriptPrompt, TranscriptPromptStatus } from '../model/entities.js';
import type { Folding } from './folding.js';
import { present } from './present.js';
import type { TurnRow } from './rows.js';

/** A part of a prompt as it is sent; sound and what has no form on the wire are left out. */
function wirePart(part: ContentPart): JsonObject[] {
  if (part.kind === 'text') return [{ type: 'text', text: part.text }];
  if (part.kind !== 'image' && part.kind !== 'video') return [];
  const { sessionFileId, url, fileId } = part.source;
  if (sessionFileId !== undefined) return [{ type: part.kind, source: { kind: 'session_media', file_id: sessionFileId } }];
  if (fileId !== undefined) return [{ type: part.kind, source: { kind: 'file', file_id: fileId } }];
  return url === undefined || url.startsWith('data:') ? [] : [{ type: part.kind, source: { kind: 'url', url } }];
}

function metadataOf(value: JsonValue | undefined): readonly JsonObject[] | undefined {
  return Array.isArray(value) ? value.filter((each): each is JsonObject => typeof each === 'object' && each !== null && !Array.isArray(each)) : undefined;
}

/** A prompt waits. */
export function foldPromptQueued({ doc }: Folding, fact: FactOf<'prompt.queued'>): void {
  const known = doc.prompt(fact.promptId);
  const content = fact.content && fact.content.flatMap(wirePart);
  const prompt: TranscriptPrompt = {
    ...known, promptId: fact.promptId, status: known?.status ?? 'queued', content: content ?? known?.content, createdAt: known?.createdAt ?? fact.at ?? '', clientMetadata: metadataOf(fact.clientMetadata) ?? known?.clientMetadata,
  };
  doc.setPrompt(present(prompt));
}

function promptOf(doc: Folding['doc'], { promptId, at = '' }: { readonly promptId: string; readonly at?: string | undefined }): TranscriptPrompt {
  return doc.prompt(promptId) ?? { promptId, status: 'queued', createdAt: at };
}

/** The agent took a prompt up: as a turn, or into the running one, and then it is done with. */
export function foldPromptTaken(folding: Folding, fact: FactOf<'prompt.taken'>): void {
  const { doc, inputIds } = folding;
  const known = promptOf(doc, fact);
  const userMessageId = fact.input === undefined ? undefined : inputIds.get(fact.input);
  const taken = fact.how === 'turn' ? { status: 'running' as const } : { status: 'completed' as const, finishedAt: fact.at };
  doc.setPrompt(present({ ...known, ...taken, userMessageId: userMessageId ?? known.userMessageId }));
  if (fact.how === 'turn') tie(folding, fact);
}

/** A prompt is answered by the turn that it names, else by the next one. */
function tie({ doc, takenPrompts, promptsOfTurns }: Folding, { promptId, turn }: FactOf<'prompt.taken'>): void {
  const row = doc.turn(turn);
  if (row) promptsOfTurns.set(row.key, [...(promptsOfTurns.get(row.key) ?? []), promptId]);
  else if (turn === undefined && !takenPrompts.includes(promptId)) takenPrompts.push(promptId);
}

/** A turn begins: it is the answer to what was taken up before it. */
export function tiePrompts({ takenPrompts, promptsOfTurns }: Folding, turn: TurnRow): void {
  if (takenPrompts.length) promptsOfTurns.set(turn.key, takenPrompts.splice(0));
}

const byTurn = { completed: 'completed', interrupted: 'aborted', failed: 'failed' } as const;

/** How a prompt reads whose turn ended so. */
export function promptStatus(status: TurnStatus): TranscriptPromptStatus {
  return byTurn[status];
}

/** A turn ended, and with it the prompts that it answers, unless a record of their own says more. */
export function endPrompts({ doc, promptsOfTurns }: Folding, turn: TurnRow, of: { readonly status: TurnStatus; readonly at: string | undefined }): void {
  for (const promptId of promptsOfTurns.get(turn.key) ?? []) {
    const prompt = doc.prompt(promptId);
    if (prompt?.status === 'running') doc.setPrompt(present({ ...prompt, status: byTurn[of.status], finishedAt: of.at }));
  }
}

const ends: Readonly<Record<FactOf<'prompt.ended'>['status'], TranscriptPromptStatus>> = { completed: 'completed', failed: 'failed', aborted: 'aborted', dropped: 'aborted' };

/** A prompt is done with. */
export function foldPromptEnded({ doc }: Folding, fact: FactOf<'prompt.ended'>): void {
  const known = promptOf(doc, fact);
  doc.setPrompt(present({ ...known, status: ends[fact.status], finishedAt: fact.at }));
}
