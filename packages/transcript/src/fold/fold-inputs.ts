import { type ContentPart, type FactOf, type Origin, factKey, textOfParts } from '@tapefold/facts';
import type { TranscriptAttachment } from '../model/entities.js';
import { projectTranscriptUserOrigin } from '../media/user-origin.js';
import type { UserTextFrame } from '../model/frame.js';
import { stepFor, stepOfKey } from './fold-steps.js';
import { turnOrigin } from './fold-turns.js';
import { type Folding, textAt, turnOf } from './folding.js';
import { notificationText } from './notification-text.js';
import { present } from './present.js';
import type { TurnRow } from './rows.js';

/** An input arrives; it stands nowhere until it is placed. */
export function foldInputReceived({ inputs, inputIds }: Folding, fact: FactOf<'input.received'>): void {
  const key = factKey(fact.tape, fact.ordinal);
  inputs.set(key, { fact, placing: undefined });
  inputIds.set(key, fact.id);
}

/** An input gets its place: it opens a turn, or stands as text of the person in a step. The caller sees to it that only the newest placing of an input is folded. */
export function foldInputPlaced(folding: Folding, placing: FactOf<'input.placed'>): void {
  const entry = folding.inputs.get(placing.input);
  if (!entry) return;
  if (placing.as === 'deferred') {
    entry.placing = placing;
    return;
  }
  folding.inputs.delete(placing.input);
  const { fact: input } = entry;
  const turn = turnOf(folding, { turn: placing.turn, turnId: input.turnId });
  const isSeen = input.visibility === 'shown' && placing.as !== 'dropped' && placing.as !== 'twin';
  if (turn && isSeen) place(folding, input, { placing, turn });
}

function place(folding: Folding, input: FactOf<'input.received'>, { placing, turn }: { readonly placing: FactOf<'input.placed'>; readonly turn: TurnRow }): void {
  // What is attached to it counts for those behind it.
  if (turn.isBare) return placing.as === 'notifies' ? undefined : void attach(folding, input.content);
  if (placing.as === 'opens' && turn.header.prompt === undefined) return open(folding, input, turn);
  const step = stepOfKey(folding, placing.step) ?? stepFor(folding, turn, placing.at ?? input.at);
  const content = placing.as === 'notifies' ? notification(input) : words(folding, input);
  folding.doc.addFrame(step, content);
}

/** The opening words of a turn, with what was attached to them. */
function open(folding: Folding, input: FactOf<'input.received'>, turn: TurnRow): void {
  const attachmentIds = attach(folding, input.content);
  const origin = turn.header.origin.payload === undefined && turn.header.origin.kind === 'user' && input.origin ? turnOrigin(input.origin) : turn.header.origin;
  folding.doc.changeTurn(turn, { prompt: textOfParts(input.content), attachmentIds, origin, triggerPromptId: triggerOf(input, turn.openedBy) });
}

/** The prompt or message that opened the turn, where a person did. */
export function triggerOf({ id, promptIds, origin }: FactOf<'input.received'>, openedBy: Origin['kind']): string | undefined {
  return promptIds?.[0] ?? (id !== '' && isOfPerson(origin ?? { kind: openedBy }) ? id : undefined);
}

/** A person wrote it, or called a skill or a command with a slash: the agent's own words count where it has some. */
function isOfPerson({ kind, payload }: Origin): boolean {
  const said = textAt(payload, 'kind');
  if (said === undefined) return kind === 'user' || kind === 'command';
  return said === 'plugin_command' || projectTranscriptUserOrigin(payload) !== undefined;
}

/** Words that came while the turn ran. */
function words(folding: Folding, input: FactOf<'input.received'>): Omit<UserTextFrame, 'frameId'> {
  return present({ ...wordsAlone(input), attachmentIds: attach(folding, input.content) });
}

/** The same without what was attached. */
export function wordsAlone(input: FactOf<'input.received'>): Omit<UserTextFrame, 'frameId'> {
  const promptIds = input.promptIds?.length ? input.promptIds : undefined;
  return present({ kind: 'text' as const, role: 'user' as const, text: textOfParts(input.content), promptIds, origin: projectTranscriptUserOrigin(input.origin?.payload) });
}

/** A task told how it stands. */
function notification(input: FactOf<'input.received'>): Omit<UserTextFrame, 'frameId'> {
  return present({ kind: 'text' as const, role: 'user' as const, text: notificationText(textOfParts(input.content)), taskId: input.origin?.taskId });
}

function attach({ doc }: Folding, content: readonly ContentPart[]): readonly string[] | undefined {
  const ids = attachmentsOf(content).map((attachment) => doc.addAttachment(attachment));
  return ids.length ? ids : undefined;
}

/** The entities of the parts with media, in their order. */
export function attachmentsOf(content: readonly ContentPart[]): readonly Omit<TranscriptAttachment, 'attachmentId'>[] {
  return content.flatMap((part) => attachmentOf(part) ?? []);
}

/** The entity of a part with media; bytes inside a URL are never handed on. */
function attachmentOf(part: ContentPart): Omit<TranscriptAttachment, 'attachmentId'> | undefined {
  if (part.kind !== 'image' && part.kind !== 'audio' && part.kind !== 'video' && part.kind !== 'file') return undefined;
  if (part.isUnlisted) return undefined;
  const { url = '', fileId = '', sessionFileId = '', path } = part.source;
  const inUrl = /^data:([^;,]+)/.exec(url)?.[1];
  const isLink = url !== '' && !url.startsWith('data:');
  return present({
    mediaType: part.mediaType ?? inUrl ?? (part.kind === 'file' ? 'application/octet-stream' : `${part.kind}/*`), name: part.name ?? path, size: part.sizeBytes,
    source: isLink ? { kind: 'url' as const, url } : fileId !== '' ? { kind: 'file' as const, fileId } : sessionFileId !== '' ? { kind: 'session_media' as const, fileId: sessionFileId } : undefined,
  });
}
