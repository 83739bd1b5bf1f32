import type { ContentPart, JsonObject, ModelItem } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { objectAt, present, stringAt } from '../shape.js';
import { type Block, type ClaudeLine, blocksOf } from './line.js';
import type { Pen } from '../pen.js';

/** Where the bytes of an image or a document are; base64 stands as a data URL, whose data the pen carries by its place. */
function mediaOf(raw: JsonObject): { source: { url?: string; fileId?: string }; mediaType?: string } {
  const source = objectAt(raw, 'source') ?? {};
  const mediaType = stringAt(source, 'media_type');
  const data = stringAt(source, 'data');
  const url = data === undefined ? stringAt(source, 'url') : `data:${mediaType ?? 'application/octet-stream'};base64,${data}`;
  return present({ source: present({ url, fileId: stringAt(source, 'file_id') }), mediaType });
}

/** One block as a part of an input or an output. */
export function partOf(block: Block): ContentPart {
  const { raw, type } = block;
  switch (type) {
    case 'text': return { kind: 'text', text: stringAt(raw, 'text') ?? '' };
    case 'image': return { kind: 'image', ...mediaOf(raw) };
    case 'document': return present({ kind: 'file' as const, ...mediaOf(raw), name: stringAt(raw, 'title') });
    default: return { kind: 'other', raw };
  }
}

/** What came back from a tool: a text, blocks, or, in files of other programs, any object. */
export function outputParts(result: JsonObject): ContentPart[] {
  const { content } = result;
  return isJsonObject(content) ? [{ kind: 'other', raw: content }] : blocksOf(content).map(partOf);
}

type Message = Extract<ModelItem, { kind: 'message' }>;

/** A message of the model's history. Blocks that are no plain text keep what their provider wrote. */
export function messageItem(of: { role: Message['role']; visibility: Message['visibility']; blocks: readonly Block[] }): Message {
  return { kind: 'message', role: of.role, content: of.blocks.map(partOf), visibility: of.visibility };
}

/** A result as the model reads it; one that is not a single text is kept as written. */
export function resultItem(pen: Pen, line: ClaudeLine, block: Block): ModelItem {
  const { raw } = block;
  const isPlain = typeof raw['content'] === 'string';
  return present({
    kind: 'result' as const, callId: stringAt(raw, 'tool_use_id'), output: outputParts(raw), isError: raw['is_error'] === true ? true : undefined,
    native: isPlain || !block.path ? undefined : pen.native(line.record, raw, [...block.path]),
  });
}
