import type { FileEdit } from '@tapefold/facts';
import { present } from '../shape.js';

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const move = /^\*\*\* Move to: (.+)$/;
const kinds = { Add: 'add', Update: 'update', Delete: 'delete' } as const;

/** True for the input of an `apply_patch` call, also inside a shell command. */
export function isPatchText(text: string): boolean {
  return text.includes(BEGIN);
}

interface Section { kind: 'add' | 'update' | 'delete'; path: string; movePath?: string | undefined; lines: string[] }

/**
 * The files that an `apply_patch` text names, with what it says of each: added lines without their `+`, hunks as they stand. A text that is no patch
 * gives none. Paths stay as the model wrote them.
 */
export function fileEditsOfPatch(text: string): FileEdit[] {
  const sections: Section[] = [];
  for (const line of text.slice(Math.max(0, text.indexOf(BEGIN))).split('\n').slice(1)) {
    if (line.trimEnd() === END) break;
    const head = header.exec(line);
    const section = sections.at(-1);
    if (head) sections.push({ kind: kinds[head[1] as keyof typeof kinds], path: (head[2] ?? '').trim(), lines: [] });
    else if (section && !section.lines.length && move.test(line)) section.movePath = move.exec(line)?.[1]?.trim();
    else section?.lines.push(line);
  }
  return sections.map(({ kind, path, movePath, lines }) => {
    const body = kind === 'add' ? lines.map((line) => (line.startsWith('+') ? line.slice(1) : line)) : lines;
    return present({ path, kind, movePath, diff: body.length ? `${body.join('\n')}\n` : '' });
  });
}
