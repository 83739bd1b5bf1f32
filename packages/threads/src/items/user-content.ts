import { type ContentPart, type MediaSource, type TextElement, assertNever } from '@tapefold/facts';
import type { UserContent } from '../objects/user-content.js';

function textElement(element: TextElement): { byteRange: { start: number; end: number }; placeholder: string | null } {
  return { byteRange: { start: element.byteStart, end: element.byteEnd }, placeholder: element.placeholder };
}

/** `url` or `fileId`, whichever the source has. */
function remote(source: MediaSource): { url: string } | { fileId: string } {
  return source.url === undefined && source.fileId !== undefined ? { fileId: source.fileId } : { url: source.url ?? '' };
}

function image(part: Extract<ContentPart, { kind: 'image' }>): UserContent {
  const detail = part.detail ?? null;
  if (part.source.url === undefined && part.source.path !== undefined) return { type: 'localImage', detail, path: part.source.path };
  return { type: 'image', ...remote(part.source), detail };
}

function audio(source: MediaSource): UserContent {
  return source.url === undefined && source.path !== undefined ? { type: 'localAudio', path: source.path } : { type: 'audio', ...remote(source) };
}

/** A file or a film has no part of its own in the protocol: it is mentioned, by its path or address. */
function file(part: Extract<ContentPart, { kind: 'file' | 'video' }>): UserContent {
  const path = part.source.path ?? part.source.url ?? part.source.fileId ?? part.source.sessionFileId ?? '';
  return { type: 'mention', name: part.name ?? path.slice(path.lastIndexOf('/') + 1), path };
}

function publicPart(part: ContentPart): UserContent | undefined {
  switch (part.kind) {
    case 'text': return { type: 'text', text: part.text, text_elements: (part.elements ?? []).map(textElement) };
    case 'image': return image(part);
    case 'audio': return audio(part.source);
    case 'file': case 'video': return file(part);
    case 'skill': return { type: 'skill', name: part.name, path: part.path };
    case 'mention': return { type: 'mention', name: part.name, path: part.path };
    case 'encrypted': case 'other': return undefined;
    default: return assertNever(part);
  }
}

/** The parts of an input that the protocol has a word for; what only a provider or tomorrow's program reads is left out. */
export function userContent(parts: readonly ContentPart[]): UserContent[] {
  return parts.flatMap((part) => publicPart(part) ?? []);
}
