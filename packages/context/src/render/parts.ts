import { type ContentPart, type JsonObject, type JsonValue, type ModelItem, isJsonObject } from '@tapefold/facts';

/** Words for a part that a wire has no place for. */
export function wordsOf(part: ContentPart): string {
  switch (part.kind) {
    case 'text': return part.text;
    case 'skill': return `[skill ${part.name}: ${part.path}]`;
    case 'mention': return `[mention ${part.name}: ${part.path}]`;
    case 'image': case 'audio': case 'video': case 'file': return `[${part.kind}${part.name === undefined ? '' : ` ${part.name}`}]`;
    case 'encrypted': return '[encrypted content]';
    case 'other': return JSON.stringify(part.raw);
    default: return '';
  }
}

/** All parts as one text. */
export function plainText(parts: readonly ContentPart[]): string {
  return parts.map(wordsOf).join('');
}

/** The provider's own record of an item; undefined where it is another's or could not be read. */
export function nativeOf(item: ModelItem, dialect: string | undefined): JsonObject | undefined {
  const { native } = item;
  return native && dialect !== undefined && native.dialect === dialect && 'raw' in native && isJsonObject(native.raw) ? native.raw : undefined;
}

const dataUrl = /^data:([\w.+/-]+);base64,/;

/** A data URL taken apart; undefined for other URLs. */
export function dataOf(url: string): { readonly mediaType: string; readonly data: string } | undefined {
  const found = dataUrl.exec(url);
  return found?.[1] === undefined ? undefined : { mediaType: found[1], data: url.slice(found[0].length) };
}

/** Ids that every provider takes: letters, digits, `_` and `-`. */
export function safeId(id: string): string {
  const safe = id.replace(/[^\w-]/g, '_');
  return safe === '' ? 'call' : safe;
}

/** A tool's name as every provider takes it. */
export function toolName({ name, namespace }: { readonly name: string; readonly namespace?: string | undefined }): string {
  const safe = `${namespace === undefined ? '' : `${namespace}__`}${name}`.replace(/[^\w-]/g, '_').slice(0, 128);
  return safe === '' ? 'tool' : safe;
}

/** A call's input as an object: parsed, or with its text in `input`. */
export function inputObject(input: string): JsonObject {
  try {
    const value = JSON.parse(input) as JsonValue;
    if (isJsonObject(value)) return value;
  } catch {
    // A text, or arguments that the model left unfinished.
  }
  return { input };
}
