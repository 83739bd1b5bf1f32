import type { ContentPart, JsonObject, JsonValue, MediaSource } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { numberAt, objectAt, present, stringAt } from '../../shape.js';

/* Content parts as the engine writes them, in neutral form. */

const kinds = { image: 'image', video: 'video', audio: 'audio' } as const;
type MediaKind = keyof typeof kinds;

const SESSION_FILE = 'kimi-file://';

/** A file of the session: what stands between the scheme and the query. */
function sessionFile(url: string): string | undefined {
  if (!url.startsWith(SESSION_FILE)) return undefined;
  const id = url.slice(SESSION_FILE.length).split('?')[0] ?? '';
  return id === '' ? undefined : id;
}

/** A picture by address: only files of the session are listed by the original. */
function linkedPart(kind: MediaKind, raw: JsonObject): ContentPart {
  const link = objectAt(raw, `${kind}Url`) ?? objectAt(raw, `${kind}_url`) ?? {};
  const url = stringAt(link, 'url') ?? '';
  const file = sessionFile(url);
  const name = stringAt(link, 'name') ?? stringAt(raw, 'name');
  if (file !== undefined && kind !== 'audio') return present({ kind, source: { sessionFileId: file }, mediaType: `${kind}/*`, name });
  return present({ kind, source: { url }, name, isUnlisted: true });
}

function sourceOf(source: JsonObject, mediaType: string): MediaSource {
  const fileId = stringAt(source, 'file_id') ?? stringAt(source, 'fileId');
  switch (stringAt(source, 'kind') ?? stringAt(source, 'type')) {
    case 'url': return present({ url: stringAt(source, 'url') });
    case 'file': return present({ fileId });
    case 'session_media': return present({ sessionFileId: fileId });
    case 'base64': return { url: `data:${mediaType};base64,${stringAt(source, 'data') ?? ''}` };
    default: return present({ url: stringAt(source, 'url'), fileId });
  }
}

function mediaPart(kind: MediaKind, raw: JsonObject, source: JsonObject): ContentPart {
  const mediaType = stringAt(source, 'media_type') ?? stringAt(source, 'mediaType') ?? `${kind}/*`;
  return present({ kind, source: sourceOf(source, mediaType), mediaType, name: stringAt(raw, 'name') });
}

function filePart(raw: JsonObject): ContentPart {
  return present({
    kind: 'file' as const, source: present({ fileId: stringAt(raw, 'file_id') ?? stringAt(raw, 'fileId') }), mediaType: stringAt(raw, 'media_type') ?? stringAt(raw, 'mediaType'), name: stringAt(raw, 'name'), sizeBytes: numberAt(raw, 'size'),
  });
}

const isMedia = (word: string): word is MediaKind => Object.hasOwn(kinds, word);

function partOf(raw: JsonValue): ContentPart {
  if (typeof raw === 'string') return { kind: 'text', text: raw };
  if (!isJsonObject(raw)) return { kind: 'other', raw };
  const type = stringAt(raw, 'type') ?? '';
  const source = objectAt(raw, 'source');
  const linked = type.replace(/_url$/, '');
  const text = stringAt(raw, 'text');
  if (type === 'text' && text !== undefined) return { kind: 'text', text };
  if (type === 'file') return filePart(raw);
  if (isMedia(type) && source) return mediaPart(type, raw, source);
  return linked !== type && isMedia(linked) ? linkedPart(linked, raw) : { kind: 'other', raw };
}

/** The parts of a content: a list, or one text. Empty for anything else. */
export function partsOf(content: JsonValue | undefined): ContentPart[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return Array.isArray(content) ? content.map(partOf) : [];
}

/** The texts of a content as it stands in a record. */
export function textIn(content: JsonValue | undefined): string {
  return partsOf(content).map((part) => (part.kind === 'text' ? part.text : '')).join('');
}
