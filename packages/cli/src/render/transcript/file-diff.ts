import type { ThreadItemOf } from '@tapefold/threads';
import type { Line, Span, Tone } from '../../text/line.js';
import { shortPath } from '../../text/measures.js';
import { safeLine } from '../../text/safe-text.js';
import { INDENT, cutBlock, textLines } from './cut.js';
import type { TranscriptView } from './view.js';

type FileChange = ThreadItemOf<'fileChange'>['changes'][number];

const letters = { add: 'A', update: 'M', delete: 'D' } as const;
const moved = /\n*Moved to: [^\n]*$/;

const isHeader = (line: string): boolean => /^(?:\+\+\+|---) /.test(line);

/** Lines added and removed. A new or deleted file is given by its content, an updated one by a unified diff. */
export function changeCounts({ kind, diff }: FileChange): { added: number; removed: number } {
  const lines = textLines(diff);
  if (kind.type !== 'update') return { added: kind.type === 'add' ? lines.length : 0, removed: kind.type === 'delete' ? lines.length : 0 };
  const body = lines.filter((line) => !isHeader(line));
  return { added: body.filter((line) => line.startsWith('+')).length, removed: body.filter((line) => line.startsWith('-')).length };
}

function diffLines({ kind, diff }: FileChange): string[] {
  if (kind.type === 'update') return textLines(diff.replace(moved, ''));
  return textLines(diff).map((line) => `${kind.type === 'add' ? '+' : '-'}${line}`);
}

function toneOf(line: string): Tone {
  if (line.startsWith('+')) return 'good';
  if (line.startsWith('-')) return 'bad';
  return line.startsWith('@@') ? 'accent' : 'dim';
}

/** `src/retry.ts` below the thread's folder, `~/…` elsewhere. */
export function pathBelow(path: string, view: TranscriptView): string {
  const inside = view.cwd !== '' && path.startsWith(`${view.cwd}/`) ? path.slice(view.cwd.length + 1) : shortPath(path, view.homeDir);
  return safeLine(inside);
}

/** One file of a change: its path with counts, then its diff. */
export function changeLines(change: FileChange, view: TranscriptView): Line[] {
  const { added, removed } = changeCounts(change);
  const to = change.kind.type === 'update' && change.kind.move_path !== null ? ` → ${pathBelow(change.kind.move_path, view)}` : '';
  const counts: Span[] = [{ text: ` +${added}`, tone: 'good' }, { text: ` −${removed}`, tone: 'bad' }];
  return [
    [INDENT, { text: `${letters[change.kind.type]} ${pathBelow(change.path, view)}${to}`, tone: 'strong' }, ...counts],
    ...cutBlock(diffLines(change), view, toneOf),
  ];
}
