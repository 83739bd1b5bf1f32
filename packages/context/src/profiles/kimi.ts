import { type ContentPart, type JsonObject, isJsonObject } from '@tapefold/facts';
import type { Provider, RequestProfile } from '../normalise/profile.js';
import { plainProfile } from '../normalise/profile.js';
import type { RequestItem, ResultItem } from '../normalise/request-item.js';

/** What the program says in place of a result that it did not get to record. */
const INTERRUPTED = 'Tool execution was interrupted before its result was recorded. Do not assume the tool completed successfully.';
const FAILED = '<system>ERROR: Tool execution failed.</system>';
const FAILED_EMPTY = '<system>ERROR: Tool execution failed. Tool output is empty.</system>';
const EMPTY = '<system>Tool output is empty.</system>';

/** Tools whose results say how long they took; those of MCP servers too. */
const timed = new Set(['Agent', 'AgentSwarm', 'Bash', 'FetchURL', 'Glob', 'Grep', 'WebSearch']);
const isTimed = (tool: string): boolean => timed.has(tool) || tool.startsWith('mcp__');

const text = (words: string): ContentPart => ({ kind: 'text', text: words });
const isBlank = (parts: readonly ContentPart[]): boolean => parts.every((part) => part.kind === 'text' && part.text.trim() === '');

/** The output with word of a failure, or of there being none, before it. */
function withStatus({ output, isError }: ResultItem): ContentPart[] {
  const [first] = output;
  if (isBlank(output)) return [text(isError ? FAILED_EMPTY : EMPTY)];
  if (!isError) return [...output];
  return output.length === 1 && first?.kind === 'text' ? [text(`${FAILED}\n${first.text}`)] : [text(FAILED), ...output];
}

function withTime(parts: readonly ContentPart[], durationMs: number): ContentPart[] {
  const header = `Wall time: ${(durationMs / 1000).toFixed(3)} seconds`;
  const [first, ...rest] = parts;
  return first?.kind === 'text' ? [text(`${header}\n${first.text}`), ...rest] : [text(header), ...parts];
}

function withNote(parts: readonly ContentPart[], note: string): ContentPart[] {
  const [only] = parts;
  return parts.length === 1 && only?.kind === 'text' ? [text(`${only.text}\n${note}`)] : [...parts, text(note)];
}

/** A result in the words in which the model reads it: how it went, how long it took, what the tool notes beside. */
function renderedResult(item: ResultItem, tool: string): ResultItem {
  const raw: JsonObject = item.native && 'raw' in item.native && isJsonObject(item.native.raw) ? item.native.raw : {};
  const { durationMs, note } = raw;
  const status = withStatus(item);
  const measured = typeof durationMs === 'number' && isTimed(tool) ? withTime(status, durationMs) : status;
  return { ...item, output: typeof note === 'string' && note !== '' ? withNote(measured, note) : measured };
}

/** Results stand in the order of their calls, whichever was done first. */
function inCallOrder(items: readonly RequestItem[]): RequestItem[] {
  const calls = new Map<string, number>();
  const ordered: RequestItem[] = [];
  let results: RequestItem[] = [];
  const placeOf = ({ item }: RequestItem): number => (item.kind === 'result' ? calls.get(item.callId ?? '') ?? -1 : -1);
  const release = (): void => {
    ordered.push(...results.sort((a, b) => placeOf(a) - placeOf(b)));
    results = [];
  };
  items.forEach((one, at) => {
    if (one.item.kind === 'result') { results.push(one); return; }
    release();
    if (one.item.kind === 'call' && one.item.callId !== undefined) calls.set(one.item.callId, at);
    ordered.push(one);
  });
  release();
  return ordered;
}

function mended(items: readonly RequestItem[]): readonly RequestItem[] {
  const tools = new Map<string, string>();
  return inCallOrder(items).map((one): RequestItem => {
    const { item } = one;
    if (item.kind === 'call' && item.callId !== undefined) tools.set(item.callId, item.name);
    if (item.kind !== 'result') return one;
    return { ...one, item: renderedResult(item, tools.get(item.callId ?? '') ?? ''), isAltered: true };
  });
}

/**
 * How Kimi Code asks: results in the order of their calls, in words that say how they went; thinking goes along, in a field of its own, empty where there is
 * none; pictures stay in the results that brought them.
 */
export function kimiProfile(provider: Provider): RequestProfile {
  const plain = plainProfile(provider);
  const missingResult = { kind: 'synthetic' as const, text: `${FAILED}\n${INTERRUPTED}` };
  return provider === 'chat' ? { ...plain, nativeDialect: 'kimi', missingResult, accepts: { ...plain.accepts, video: true }, mend: mended, thinkingField: 'reasoning_content', hasMediaInResults: true } : { ...plain, missingResult, mend: mended };
}
