import { type JsonObject, isJsonObject, textOfParts } from '@tapefold/facts';
import type { Provider, RequestProfile } from '../normalise/profile.js';
import { plainProfile } from '../normalise/profile.js';
import type { RequestItem } from '../normalise/request-item.js';

/** Tools whose outputs were kept as JSON (`{output, metadata}`) and sent as text. */
const shellTools = new Set(['shell', 'container.exec', 'local_shell', 'apply_patch']);

function parsed(text: string): JsonObject | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a kept output: how it ended, how long it took, how many lines there were where it was cut, then what it wrote. */
function outputText(text: string): string | undefined {
  const kept = parsed(text);
  const metadata = kept && isJsonObject(kept['metadata']) ? kept['metadata'] : undefined;
  const output = kept?.['output'];
  if (!metadata || typeof output !== 'string' || typeof metadata['exit_code'] !== 'number' || typeof metadata['duration_seconds'] !== 'number') return undefined;
  const cut = /^Total output lines: (\d+)\n\n?/.exec(output);
  const lines = cut ? [`Total output lines: ${cut[1]}`] : [];
  return [`Exit code: ${metadata['exit_code']}`, `Wall time: ${metadata['duration_seconds']} seconds`, ...lines, 'Output:', output.slice(cut?.[0].length ?? 0)].join('\n');
}

function withOutputTexts(items: readonly RequestItem[]): readonly RequestItem[] {
  const calls = new Set<string>();
  return items.map((one): RequestItem => {
    const { item } = one;
    if (item.kind === 'call' && item.callId !== undefined && shellTools.has(item.name)) calls.add(item.callId);
    if (item.kind !== 'result' || item.callId === undefined || !calls.delete(item.callId)) return one;
    const text = outputText(textOfParts(item.output));
    return text === undefined ? one : { ...one, item: { ...item, output: [{ kind: 'text', text }] }, isAltered: true };
  });
}

/** `0.55.0` as a number that compares: 55. Undefined for what is no version of Codex. */
function minorOf(version: string | undefined): number | undefined {
  const found = /^0\.(\d+)(?:\.|$)/.exec(version ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Versions (0.N) whose recorded requests have outputs of shell tools as text while their files have JSON. */
const TEXT_OUTPUTS = { from: 55, to: 145 };

/**
 * How Codex asks: a call without result is answered `aborted`; snapshots of the working folder are never sent. `version`: of the program that asks, since
 * older ones had rules of their own; absent: the newest one.
 */
export function codexProfile(provider: Provider, version?: string): RequestProfile {
  const minor = minorOf(version);
  const isOld = minor !== undefined && minor >= TEXT_OUTPUTS.from && minor < TEXT_OUTPUTS.to;
  return {
    ...plainProfile(provider), nativeDialect: provider === 'responses' ? 'codex' : undefined, missingResult: { kind: 'synthetic', text: 'aborted' }, neverSent: ['ghost_snapshot'],
    mend: isOld ? withOutputTexts : undefined,
  };
}
