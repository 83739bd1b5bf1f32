import type { ContentPart, JsonObject, JsonValue } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { objectAt, present, stringAt } from '../../shape.js';

const media: Readonly<Record<string, 'image' | 'audio' | 'video'>> = { image_url: 'image', image: 'image', audio_url: 'audio', audio: 'audio', video_url: 'video', video: 'video' };

/** Where a part's picture or sound is: under its own name, or beside its type in older files. */
function sourceOf(part: JsonObject, type: string): { url?: string; fileId?: string } {
  const inner = objectAt(part, type) ?? part;
  return present({ url: stringAt(inner, 'url') ?? stringAt(part, type), fileId: stringAt(inner, 'id') });
}

function contentPart(part: JsonValue): ContentPart[] {
  if (typeof part === 'string') return [{ kind: 'text', text: part }];
  if (!isJsonObject(part)) return [];
  const type = stringAt(part, 'type') ?? '';
  const text = stringAt(part, 'text');
  if (text !== undefined && (type === 'text' || type === '')) return [{ kind: 'text', text }];
  if (type === 'think') return [];
  const kind = Object.hasOwn(media, type) ? media[type] : undefined;
  return [kind ? { kind, source: sourceOf(part, type) } : { kind: 'other', raw: part }];
}

/** What a person, a tool or the model put in, in our words: a text, or a list of parts. Thinking is no content. */
export function contentOf(value: JsonValue | undefined): ContentPart[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(contentPart);
  return typeof value === 'string' ? (value === '' ? [] : [{ kind: 'text', text: value }]) : contentPart(value);
}
