import type { JsonObject, JsonValue } from '@tapefold/facts';
import { contentDigest, isJsonObject } from '@tapefold/facts';
import { booleanAt, objectAt, stringAt } from '../shape.js';
import type { NodeKind } from './state.js';

/** One block of a message's content, and the way to it inside the record (none for a content that is one string). */
export interface Block {
  readonly type: string;
  readonly raw: JsonObject;
  readonly path?: readonly (string | number)[] | undefined;
}

/** One record under play, its envelope opened. */
export interface ClaudeLine {
  readonly raw: JsonObject;
  /** Which of the records glued on the line. */
  readonly record: number;
  readonly type: string;
  /** As the ledger names it: `user`, `attachment/<type>`, `system/<subtype>` … */
  readonly name: string;
  /** Set for lines that can stand in the tree. */
  readonly kind: NodeKind | undefined;
  readonly uuid: string | undefined;
  readonly parentUuid: string | undefined;
  readonly at: string | undefined;
  readonly isSidechain: boolean;
  readonly message: JsonObject | undefined;
  readonly blocks: readonly Block[];
  readonly digest: string;
}

const kinds: Readonly<Record<string, NodeKind>> = { user: 'user', assistant: 'assistant', attachment: 'attachment', system: 'system', progress: 'bridge' };

/** What follows the slash of a line's name. */
function subtypeOf(raw: JsonObject, type: string): string | undefined {
  if (type === 'attachment') return stringAt(objectAt(raw, 'attachment') ?? {}, 'type') ?? '';
  if (type === 'progress') return stringAt(objectAt(raw, 'data') ?? {}, 'type') ?? '';
  return type === 'system' ? stringAt(raw, 'subtype') ?? '' : undefined;
}

function blockOf(value: JsonValue, index: number): Block[] {
  const path = ['message', 'content', index];
  if (typeof value === 'string') return [{ type: 'text', raw: { type: 'text', text: value }, path: undefined }];
  return isJsonObject(value) ? [{ type: stringAt(value, 'type') ?? '', raw: value, path }] : [];
}

/** A content that is one string is one text block; one that is neither string nor list is empty. */
export function blocksOf(content: JsonValue | undefined): Block[] {
  if (typeof content === 'string') return [{ type: 'text', raw: { type: 'text', text: content } }];
  return Array.isArray(content) ? content.flatMap(blockOf) : [];
}

/** A time as the record says it, where it is one. */
function timeOf(raw: JsonObject): string | undefined {
  const text = stringAt(raw, 'timestamp');
  return text !== undefined && Number.isFinite(Date.parse(text)) ? text : undefined;
}

export function openLine(raw: JsonObject, record: number): ClaudeLine {
  const type = stringAt(raw, 'type') ?? '';
  const subtype = subtypeOf(raw, type);
  const uuid = stringAt(raw, 'uuid');
  const message = objectAt(raw, 'message');
  const known = Object.hasOwn(kinds, type) ? kinds[type] : 'other';
  return {
    raw, record, type, name: type === '' ? '(no type)' : subtype === undefined || subtype === '' ? type : `${type}/${subtype}`, kind: uuid === undefined ? undefined : known, uuid,
    parentUuid: stringAt(raw, 'parentUuid'), at: timeOf(raw), isSidechain: booleanAt(raw, 'isSidechain') === true, message, blocks: blocksOf(message?.['content']),
    digest: uuid === undefined ? '' : contentDigest(JSON.stringify(raw)),
  };
}

/** The texts of text blocks, joined. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.map(({ type, raw }) => (type === 'text' ? stringAt(raw, 'text') ?? '' : '')).join('');
}
