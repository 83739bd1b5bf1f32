import type { ContentPart, ModelItem, Usage } from '@tapefold/facts';

/** UTF-8 bytes that count as one token. */
export const BYTES_PER_TOKEN = 4;
/** What a picture counts, whatever its bytes. */
const IMAGE_BYTES = 7_373;
/** What stands around encrypted text in its decoded form. */
const ENCRYPTION_OVERHEAD_BYTES = 650;
/** Pictures sent in full detail are counted by patches of this width and height, and by no more than so many. */
const PATCH_PX = 32;
const PATCH_LIMIT = 10_000;

/** Length of a text in UTF-8. O(n), without making the bytes. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // The halves of a pair give four bytes together, one half alone three.
    bytes += unit < 0x800 || isPairHalf(text, i) ? 1 : 2;
  }
  return bytes;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
function isPairHalf(text: string, i: number): boolean {
  return (isHigh(text.charCodeAt(i)) && isLow(text.charCodeAt(i + 1))) || (isLow(text.charCodeAt(i)) && isHigh(text.charCodeAt(i - 1)));
}

/** Tokens of so many bytes, rounded up. */
export const tokensOfBytes = (bytes: number): number => Math.ceil(Math.max(0, bytes) / BYTES_PER_TOKEN);

/** Tokens of a text, estimated. */
export const estimateTextTokens = (text: string): number => tokensOfBytes(utf8Bytes(text));

/** Tokens of a picture that is sent as it is ("original" detail), by its size in pixels. */
export function estimateImageTokens(size: { readonly widthPx: number; readonly heightPx: number }): number {
  return Math.min(PATCH_LIMIT, Math.ceil(size.widthPx / PATCH_PX) * Math.ceil(size.heightPx / PATCH_PX));
}

const encryptedTextBytes = (length: number): number => Math.max(0, Math.floor((length * 3) / 4) - ENCRYPTION_OVERHEAD_BYTES);

function partBytes(part: ContentPart): number {
  switch (part.kind) {
    case 'text': return utf8Bytes(part.text);
    case 'image': return IMAGE_BYTES;
    case 'encrypted': return Math.floor((part.data.length * 9) / 16);
    case 'audio': case 'video': case 'file': case 'skill': case 'mention': case 'other': return utf8Bytes(JSON.stringify(part));
    default: return 0;
  }
}

const partsBytes = (parts: readonly ContentPart[]): number => parts.reduce((sum, part) => sum + partBytes(part), 0);

/** Length of what only the provider reads in an item. */
function encryptedLength({ native }: ModelItem): number {
  const raw = native && 'raw' in native ? native.raw : undefined;
  const content = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw['encrypted_content'] : undefined;
  return typeof content === 'string' ? content.length : 0;
}

function itemBytes(item: ModelItem): number {
  switch (item.kind) {
    case 'message': case 'agentMessage': case 'media': return partsBytes(item.content);
    case 'result': return partsBytes(item.output);
    case 'reasoning': return item.isEncrypted ? encryptedTextBytes(encryptedLength(item)) : utf8Bytes([...item.summary, ...item.content].join(''));
    case 'call': return utf8Bytes(item.name) + utf8Bytes(item.input);
    case 'summary': return utf8Bytes(item.text);
    case 'compaction': return encryptedTextBytes(encryptedLength(item));
    case 'other': return 0;
    default: return 0;
  }
}

/** Tokens of one entry of the history, estimated. */
export const estimateItemTokens = (item: ModelItem): number => tokensOfBytes(itemBytes(item));

function lastIndex(items: readonly ModelItem[], isSuch: (item: ModelItem) => boolean): number {
  for (let i = items.length - 1; i >= 0; i -= 1) {
    const item = items[i];
    if (item && isSuch(item)) return i;
  }
  return -1;
}

const isOfModel = (item: ModelItem): boolean => item.kind === 'reasoning' || item.kind === 'call' || (item.kind === 'message' && item.role === 'assistant');

/**
 * Tokens of the whole history: what the server counted last, and an estimate of what came behind the model's last item. Without a count all of it is
 * estimated. `hasReasoning`: the server's count includes reasoning of earlier turns; where it does not, that is added.
 */
export function estimateHistoryTokens(items: readonly ModelItem[], counted?: { readonly usage: Usage; readonly hasReasoning: boolean }): number {
  const sum = (some: readonly ModelItem[]): number => some.reduce((total, item) => total + estimateItemTokens(item), 0);
  const total = counted?.usage.totalTokens ?? (counted ? (counted.usage.inputTokens ?? 0) + (counted.usage.outputTokens ?? 0) : 0);
  if (total === 0) return sum(items);
  const last = lastIndex(items, isOfModel);
  const lastUser = lastIndex(items, (item) => item.kind === 'message' && item.role === 'user');
  const uncounted = counted?.hasReasoning ? [] : items.slice(0, Math.max(0, lastUser)).filter(({ kind }) => kind === 'reasoning');
  return total + sum(items.slice(last + 1)) + sum(uncounted);
}
