import type { JsonObject, Usage } from '@tapefold/facts';
import { finite, numberAt, present } from '../../shape.js';

/** The four counts of a response; undefined where one is missing. The whole input is the sum of what was new, read from the cache and written to it. */
export function usageOf(raw: JsonObject | undefined): Usage | undefined {
  if (!raw) return undefined;
  const [other, output, read, written] = ['inputOther', 'output', 'inputCacheRead', 'inputCacheCreation'].map((name) => numberAt(raw, name));
  if (other === undefined || output === undefined || read === undefined || written === undefined) return undefined;
  return present({ inputTokens: finite(other + read + written), cachedInputTokens: read, cacheWriteTokens: written, outputTokens: output, totalTokens: finite(other + read + written + output) });
}

const timings = ['llmFirstTokenLatencyMs', 'llmStreamDurationMs', 'llmRequestBuildMs', 'llmServerFirstTokenMs', 'llmServerDecodeMs', 'llmClientConsumeMs', 'llmClientBlockedMs'] as const;

/** How long which piece of a response took, by the names of the file. */
export function timingOf(event: JsonObject): Record<string, number> | undefined {
  const given = timings.flatMap((name) => { const value = numberAt(event, name); return value === undefined ? [] : [[name, value] as const]; });
  return given.length ? Object.fromEntries(given) : undefined;
}
