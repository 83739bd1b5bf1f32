import type { ContentPart } from '@tapefold/facts';
import { BYTES_PER_TOKEN, tokensOfBytes, utf8Bytes } from '../estimate.js';

/** How much of an output the model gets: so many bytes (UTF-8) or tokens, half from each end. */
export interface CutPolicy {
  readonly unit: 'bytes' | 'tokens';
  readonly limit: number;
}

const budgetBytes = ({ unit, limit }: CutPolicy): number => Math.max(0, Math.floor(limit)) * (unit === 'tokens' ? BYTES_PER_TOKEN : 1);

/** UTF-16 index behind the longest beginning of at most `bytes`, between whole characters. */
function headEnd(text: string, bytes: number): number {
  let used = 0;
  for (let i = 0; i < text.length;) {
    const width = (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
    used += utf8Bytes(text.slice(i, i + width));
    if (used > bytes) return i;
    i += width;
  }
  return text.length;
}

/** UTF-16 index where the longest end of at most `bytes` begins. */
function tailStart(text: string, bytes: number): number {
  let used = 0;
  for (let i = text.length; i > 0;) {
    const isPair = i > 1 && (text.codePointAt(i - 2) ?? 0) > 0xffff;
    const from = i - (isPair ? 2 : 1);
    used += utf8Bytes(text.slice(from, i));
    if (used > bytes) return i;
    i = from;
  }
  return 0;
}

function countChars(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The text with its middle cut out, where it is longer than the policy allows: `head…N tokens truncated…tail`. The same text where it fits. */
export function cutMiddle(text: string, policy: CutPolicy): string {
  const bytes = utf8Bytes(text);
  const budget = budgetBytes(policy);
  if (bytes <= budget) return text;
  const left = Math.floor(budget / 2);
  const head = headEnd(text, left);
  const tail = Math.max(head, tailStart(text, budget - left));
  const gone = policy.unit === 'tokens' ? `${tokensOfBytes(bytes - budget)} tokens` : `${countChars(text.slice(head, tail))} chars`;
  return `${text.slice(0, head)}…${gone} truncated…${text.slice(tail)}`;
}

function countLines(text: string): number {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (const char of text) if (char === '\n') lines += 1;
  return lines;
}

/** An output as a model gets it: cut in the middle, with a word of how much there was in front. The same text where it fits. */
export function cutOutput(text: string, policy: CutPolicy): string {
  const bytes = utf8Bytes(text);
  if (bytes <= budgetBytes(policy)) return text;
  return `Warning: truncated output (original token count: ${tokensOfBytes(bytes)})\nTotal output lines: ${countLines(text)}\n\n${cutMiddle(text, policy)}`;
}

/**
 * The parts of an output under one policy for all their texts together: whole ones while they fit, then one cut, then none, and a word of how many were left
 * out. Parts that are no text stay. The same list where all fits.
 */
export function cutParts(parts: readonly ContentPart[], policy: CutPolicy): readonly ContentPart[] {
  const texts = parts.filter((part) => part.kind === 'text');
  const only = texts[0];
  if (texts.length === 1 && only) {
    const text = cutOutput(only.text, policy);
    return text === only.text ? parts : parts.map((part) => (part === only ? { kind: 'text', text } : part));
  }
  let left = budgetBytes(policy);
  if (texts.reduce((sum, { text }) => sum + utf8Bytes(text), 0) <= left) return parts;
  let omitted = 0;
  const cut = parts.flatMap((part): ContentPart[] => {
    if (part.kind !== 'text') return [part];
    const bytes = utf8Bytes(part.text);
    if (left <= 0) omitted += 1;
    const text = left <= 0 ? undefined : cutMiddle(part.text, { unit: 'bytes', limit: left });
    left -= bytes;
    return text === undefined ? [] : [{ kind: 'text', text }];
  });
  return omitted ? [...cut, { kind: 'text', text: `[omitted ${omitted} text items ...]` }] : cut;
}
