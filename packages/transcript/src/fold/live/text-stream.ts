import type { FactKey, TextDelta } from '@tapefold/facts';
import type { ToolFrameProgress, TranscriptFrame } from '../../model/frame.js';
import { appendAtOffset } from '../../operations/apply-text.js';

/** Parts of a reasoning at most: an index from outside must not make a list of any length. */
const MOST_PARTS = 1_000;
/** A call's input is told again only when it grew by an eighth, so that telling n units of it costs O(n) in all. */
const INPUT_GROWTH = 8;

function grownBy(before: string, offset: number, text: string): string | undefined {
  const { text: grown, gap } = appendAtOffset(before, offset, text);
  return gap ? undefined : grown;
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

/** What became of a delta: it did not fit; nothing that is seen changed; what is seen grew at its end by `more`; or it changed otherwise. */
export type Taken = 'refused' | 'unseen' | 'changed' | { readonly more: string };

/** What streamed of one item so far. Changes in place. */
export class TextStream {
  readonly turn: FactKey;
  readonly step: FactKey | undefined;
  readonly item: string;
  readonly kind: TextDelta['kind'];
  readonly #parts: Record<TextDelta['field'], string[]> = { text: [], summary: [], content: [], input: [], output: [] };
  #text = '';
  #progress: ToolFrameProgress | undefined;
  #toldInput = 0;
  /** The frame that shows it, as it was told last. */
  shown: { readonly stepId: string; readonly frame: TranscriptFrame } | undefined;

  constructor({ turn, step, item, kind }: TextDelta) {
    this.turn = turn;
    this.step = step;
    this.item = item;
    this.kind = kind;
  }

  /** Takes more text. Costs what came, where it goes to the end of what is seen. */
  take({ field, index = 0, offset, text }: TextDelta): Taken {
    const parts = this.#parts[field];
    if (index < 0 || index >= MOST_PARTS || index > parts.length) return 'refused';
    // Of an output only the newest piece is shown, so no more of it is kept.
    if (field === 'output') { this.#progress = { kind: 'stdout', text }; return 'changed'; }
    const before = parts[index] ?? '';
    const isAtEnd = offset === before.length;
    const grown = isAtEnd ? before + text : grownBy(before, offset, text);
    if (grown === undefined) return 'refused';
    parts[index] = grown;
    if (field === 'input') return 'changed';
    if (grown.length === before.length) return 'unseen';
    return this.#see(field, { isNewPart: before === '', isLast: index === parts.length - 1, added: isAtEnd ? text : undefined });
  }

  /** What a reader sees of a message or a reasoning: summaries where there are some, since raw reasoning is not for every eye. */
  get text(): string { return this.#text; }

  #see(field: TextDelta['field'], { isNewPart, isLast, added }: { readonly isNewPart: boolean; readonly isLast: boolean; readonly added: string | undefined }): Taken {
    const { text, summary, content } = this.#parts;
    const hasSummary = summary.some((part) => part !== '');
    const isSeen = field === 'text' || field === 'summary' || !hasSummary;
    if (!isSeen) return 'unseen';
    const isFirstSummary = field === 'summary' && isNewPart && content.some((part) => part !== '');
    if (added === undefined || !isLast || isFirstSummary) {
      this.#text = this.kind === 'agentMessage' ? joined(text) : joined(hasSummary ? summary : content);
      return 'changed';
    }
    const more = isNewPart && this.#text !== '' ? `\n\n${added}` : added;
    this.#text += more;
    return { more };
  }

  get input(): string { return this.#parts.input[0] ?? ''; }
  get progress(): ToolFrameProgress | undefined { return this.#progress; }

  /** Whether the input has to be told again. */
  isInputDue(): boolean {
    const { length } = this.input;
    if (length === 0 || length - this.#toldInput <= this.#toldInput / INPUT_GROWTH) return false;
    this.#toldInput = length;
    return true;
  }
}
