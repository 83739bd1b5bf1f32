import type { FactOf, Usage } from '@tapefold/facts';
import type { ThreadHead } from '../fold/thread-head.js';
import type { TokenCounts } from './notifications.js';

const none: TokenCounts = { totalTokens: 0, inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0, outputTokens: 0, reasoningOutputTokens: 0 };

/** Counts in the protocol's words; what no record says is 0, and a sum that it leaves out is input and output. */
function tokenCounts({ inputTokens = 0, cachedInputTokens = 0, cacheWriteTokens = 0, outputTokens = 0, reasoningTokens = 0, totalTokens = inputTokens + outputTokens }: Usage): TokenCounts {
  return { totalTokens, inputTokens, cachedInputTokens, cacheWriteInputTokens: cacheWriteTokens, outputTokens, reasoningOutputTokens: reasoningTokens };
}

function sumOf(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    totalTokens: a.totalTokens + b.totalTokens, inputTokens: a.inputTokens + b.inputTokens, cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteInputTokens: a.cacheWriteInputTokens + b.cacheWriteInputTokens, outputTokens: a.outputTokens + b.outputTokens, reasoningOutputTokens: a.reasoningOutputTokens + b.reasoningOutputTokens,
  };
}

/** Tokens of a thread while it runs. Agents that record sums are taken at their word; of the others the responses are added up. */
export class TokenUsage {
  #sum = none;
  #told: string | undefined;

  /** Takes a fact that is folded into `head` already. What to tell; undefined where another fact of the same response tells it: of those with sums the one that says which response it was comes first, and knows less. */
  take(fact: FactOf<'usage.recorded'>, { usage }: ThreadHead): { readonly total: TokenCounts; readonly last: TokenCounts; readonly modelContextWindow: number | null } | undefined {
    if (fact.usage) this.#sum = sumOf(this.#sum, tokenCounts(fact.usage));
    const hasSums = usage?.total !== null && usage?.total !== undefined;
    if (hasSums && (fact.total === undefined || fact.responseId !== undefined)) return undefined;
    const total = hasSums ? tokenCounts(usage.total) : this.#sum;
    const counts = { total, last: tokenCounts(usage?.last ?? {}), modelContextWindow: usage?.contextWindow ?? null };
    const told = JSON.stringify(counts);
    if (told === this.#told) return undefined;
    this.#told = told;
    return counts;
  }
}
