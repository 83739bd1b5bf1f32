import type { PreviewResult } from '@tapefold/reading';
import { cutEnd } from '../text/cell-width.js';
import type { Line } from '../text/line.js';
import { safeLine } from '../text/safe-text.js';

/** Who said a line, as one glyph in front of it. */
const marks = { user: '› ', agent: '  ' } as const;

/** A preview as lines of the screen; what ends it without a line is said in words. `widthCols`: cut to so many cells. */
export function previewScreenLines(preview: PreviewResult, widthCols?: number): Line[] {
  if (preview.kind !== 'lines') return [[{ text: emptyPreviewWords(preview), tone: 'dim' }]];
  return preview.lines.map(({ role, text }) => {
    const words = `${marks[role]}${safeLine(text)}`;
    return [{ text: widthCols === undefined ? words : cutEnd(words, widthCols), tone: role === 'user' ? 'strong' : undefined }];
  });
}

/** Why there is no preview. */
export function emptyPreviewWords(preview: Exclude<PreviewResult, { kind: 'lines' }>): string {
  switch (preview.kind) {
    case 'empty': return 'nobody said anything';
    case 'outOfBudget': return 'no preview: what was said last lies too far back for a quick look';
    case 'tooOld': return 'no preview: the session is of a format that cannot be read from its end';
    case 'unreadable': return `no preview: ${preview.reason}`;
  }
}
