import type { Usage } from '@tapefold/facts';
import type { StepUsage, TranscriptUsage } from '../model/turn.js';
import type { TurnRow } from './rows.js';

/** Tokens of a response as steps carry them: facts count the whole input, cached tokens included. */
export function stepUsage({ inputTokens = 0, cachedInputTokens = 0, cacheWriteTokens = 0, outputTokens = 0 }: Usage): StepUsage {
  return { inputOther: Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens), output: outputTokens, inputCacheRead: cachedInputTokens, inputCacheCreation: cacheWriteTokens };
}

/** The sum of two counts. */
export function addUsage(a: StepUsage | undefined, b: StepUsage): StepUsage {
  if (!a) return b;
  return {
    inputOther: a.inputOther + b.inputOther, output: a.output + b.output, inputCacheRead: a.inputCacheRead + b.inputCacheRead, inputCacheCreation: a.inputCacheCreation + b.inputCacheCreation,
  };
}

/** Tokens of a turn's steps together; undefined where no step says. */
export function turnUsage(steps: readonly { readonly usage?: StepUsage | undefined }[]): TranscriptUsage | undefined {
  let sum: StepUsage | undefined;
  for (const { usage } of steps) if (usage) sum = addUsage(sum, usage);
  return sum && { inputTokens: sum.inputOther + sum.inputCacheCreation, cachedTokens: sum.inputCacheRead, outputTokens: sum.output };
}

/** The same of a turn as the fold keeps it. */
export function usageOfTurn({ steps }: TurnRow): TranscriptUsage | undefined {
  return turnUsage(steps.map(({ header }) => header));
}
