import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLine } from './command-quoting.js';

interface Quoted { readonly id: string; readonly command?: string }
const recorded = (JSON.parse(readFileSync(new URL('../../fixtures/recorded-items.json', import.meta.url), 'utf8')) as { quoted: Quoted[] }).quoted;

/** The words of the recorded commands. */
const words: Record<string, string[]> = {
  q1: ['a', 'b c'], q2: ['x', "it's"], q3: ['x', '"q"'], q4: ['x', `a'b"c`], q5: ['x', ''], q6: ['x', '$HOME', 'a*b', '~', 'a=b', 'a;b', 'a\\b'], q7: ['x', 'line1\nline2'], q8: ['x', 'a!b', "$'a"],
  q9: ['日本', 'é', 'a,b', 'a:b', 'a@b', '%x', '+', '-', '_', '.', '/', '#c', '{a}', '[a]', '^', '?'], q10: ['bash', '-lc', `echo 'a' "b" $c \`d\` !e \\f`],
};

/** What a POSIX shell reads the line back as: quotes and, inside double quotes, backslashes before `"` and `\`. */
function shellWords(line: string): string[] {
  const read: string[] = [];
  let word: string | undefined;
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    if (char === ' ') { if (word !== undefined) read.push(word); word = undefined; continue; }
    word ??= '';
    if (char !== "'" && char !== '"') { word += char; continue; }
    for (i += 1; line.charAt(i) !== char; i++) word += char === '"' && line.charAt(i) === '\\' ? line.charAt(++i) : line.charAt(i);
  }
  return word === undefined ? read : [...read, word];
}

describe('[R-THR-1] the words of a command as one line', () => {
  for (const { id, command } of recorded.filter((item) => item.id in words)) {
    it(`${id} as the original quotes them: ${JSON.stringify(command)}`, () => {
      expect(commandLine(words[id] ?? [])).toBe(command);
    });
  }

  it('covers all recorded commands', () => {
    expect(recorded.filter((item) => item.command !== undefined).map(({ id }) => id)).toEqual(Object.keys(words));
  });

  it('quotes a caret only right after an opening quote, and glues pieces of several styles', () => {
    expect(commandLine(["a'^b"])).toBe(`"a'"'^b'`);
    expect(commandLine(["`'`"])).toBe("'`'\"'\"'`'");
  });

  it('joins words as they are where one cannot be quoted', () => {
    expect(commandLine(['a b', 'c\0d'])).toBe('a b c\0d');
  });

  it('reads back as the same words in a shell', () => {
    const word = fc.string({ unit: fc.constantFrom(...Array.from(`ab '"\\$\`!^*~#=,;\n日`)) });
    fc.assert(fc.property(fc.array(word, { minLength: 1 }), (list) => {
      expect(shellWords(commandLine(list))).toEqual(list);
    }));
  });
});
