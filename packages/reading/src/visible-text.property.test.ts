import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tally } from './tally.js';
import { neutraliseTerminalText } from './terminal-text.js';
import { visibleText } from './visible-text.js';

/** Texts made of what the rules look for. */
const hostile = fc.array(fc.constantFrom(
  ':', '::', '::git-push{', '::git-commit{cwd="/w"}', '::code-comment{title="t" body="b" file="/w/f" start=1}', '::code-comment{', '::codex-inline-vis{file="x.html"}', '`', '``', '```', '```markdown\n',
  '~~~', '|', '|---|', '"', '\\', '{', '}', ' ', '\n', '\n\n', '\t', 'word', '日本', '\ue200visualize\ue202', '\ue200cite', '\ue201', '<oai-mem-citation>', '</oai-mem-citation>', '\u001b[', '\u001b]', '\u0007', '\u009b', '\u202e',
)).map((parts) => parts.join(''));
const kind = fc.constantFrom('agent', 'user');

/** The most that a rule adds: an entry's dash, mark and place, or the line that stands for a visualisation. */
const bound = (text: string): number => 2 * text.length + 64;

describe('[R-SCR-2] laws of visible text', () => {
  it('never throws, ends in no blank line, and grows by no more than what the rules write', () => {
    fc.assert(fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), kind, (text, of) => {
      const seen = visibleText(text, { kind: of, cwd: '/w' });
      if (seen === undefined) return;
      expect(seen.length).toBeLessThanOrEqual(bound(text) * 2);
      expect(seen.split('\n').every((line) => line === line.trimEnd())).toBe(true);
      expect(seen.endsWith('\n')).toBe(false);
    }));
  });

  it('changes nothing on a second pass: words of a person always, an agent\'s where no fence was unwrapped and no citation or comment left out', () => {
    fc.assert(fc.property(hostile, kind, (text, of) => {
      fc.pre(of === 'user' || !/markdown|citation|code-comment|visualize|vis\{/.test(text));
      const once = visibleText(text, { kind: of });
      fc.pre(once !== undefined);
      expect(visibleText(once ?? '', { kind: of })).toBe(once);
    }));
  });

  it('loses no word outside of directives', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('alpha', 'beta', '\n', ' ', '`', '::git-push{x}', '```\n', '::git-push{')), (parts) => {
      const words = (text: string): number => (text.match(/alpha|beta/g) ?? []).length;
      const text = parts.join('');
      fc.pre(!/::git-push\{(?!x\})/.test(text));
      expect(words(visibleText(text, { kind: 'agent' }) ?? '')).toBe(words(text));
    }));
  });

  it('visits each character a few times at most, however hostile the text', () => {
    const million = (piece: string): string => piece.repeat(Math.ceil(1_000_000 / piece.length));
    const pieces = [
      ':', '`', '::git-push{', '::git-push{"', '::git-push{a="\\', '::git-push{"\\"}', ':::code-comment{title="', '` `` ``` ', '```\n', '```markdown\n', '|---|', '\n', ' ', '\ue200', '\ue200visualize\n', '\u001b]', '\u001b[1', '\u009d',
      '<oai-mem-citation>', '::codex-inline-vis{\n', '`:`::git-push{}', '\\`',
    ];
    for (const piece of pieces) {
      for (const of of ['agent', 'user'] as const) {
        const tally: Tally = { steps: 0 };
        const text = million(piece);
        visibleText(text, { kind: of }, tally);
        expect(tally.steps, JSON.stringify(piece)).toBeLessThanOrEqual(6 * text.length);
      }
    }
  });
});

describe('[R-SEC-2] text for a terminal', () => {
  it('holds no control character and no bidi override, and is safe to pass through again', () => {
    fc.assert(fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
      const safe = neutraliseTerminalText(text);
      // oxlint-disable-next-line no-control-regex -- the law is about them
      expect(safe).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(neutraliseTerminalText(safe)).toBe(safe);
    }));
  });

  it('writes out what it takes away', () => {
    expect(neutraliseTerminalText('a\u202eb\u001b[31m\u001b]8;;x\u0007\r\nc\td\re\u2066')).toBe('a\\u{202e}b\\u{1b}[31m\\u{1b}]8;;x\\u{7}\nc\td\\u{d}e\\u{2066}');
  });
});
