import type { IndexResult } from '@tapefold/store';

/** Says each thing once, until it is gone and comes again: a watching indexer meets what it cannot mend at every look. */
export class ToldProblems {
  #told: ReadonlySet<string> = new Set();

  /** What is new since the last pass, as sentences. */
  fresh({ problems }: Pick<IndexResult, 'problems'>): string[] {
    const sentences = problems.map(({ path, reason }) => `${path}: ${reason}`);
    const fresh = sentences.filter((sentence) => !this.#told.has(sentence));
    this.#told = new Set(sentences);
    return fresh;
  }
}

/** A failure of a watching indexer as a sentence: of a bug only what it is. */
export const troubleText = ({ message }: Error): string => `indexing failed and is tried again: ${message.split('\n', 1)[0] ?? ''}`;
