import { describe, expect, it } from 'vitest';
import { visibleText } from './visible-text.js';

const agent = (text: string, cwd?: string): string | undefined => visibleText(text, { kind: 'agent', cwd });
const user = (text: string): string | undefined => visibleText(text, { kind: 'user' });

describe('[R-SCR-2] comments on code become entries of a list', () => {
  const comment = '::code-comment{title="Off by one" body="It skips\\nthe last." file="/w/src/a.ts" start=3 end=5 priority=1}';

  it('with priority, title, place and the body below', () => {
    expect(agent(comment)).toBe('- [P1] Off by one — /w/src/a.ts:3-5\n  It skips\n  the last.');
  });

  it('with the file relative to the working folder', () => {
    expect(agent(comment, '/w/')).toBe('- [P1] Off by one — src/a.ts:3-5\n  It skips\n  the last.');
    expect(agent(comment, '/w/sr')).toContain('/w/src/a.ts');
  });

  it('behind one, two or three colons, without a range, and with a priority that the title names already', () => {
    expect(agent(':code-comment{title="[P2] T" body=b file=f priority=P2}')).toBe('- [P2] T — f\n  b');
    expect(agent(":::code-comment{title='T' body='b' file='f' start=7}")).toBe('- T — f:7\n  b');
  });

  it('several in one line are several entries, and what follows them begins a line', () => {
    expect(agent('::code-comment{title=A body=a file=f} ::code-comment{title=B body=b file=g} done')).toBe('- A — f\n  a\n- B — g\n  b\ndone');
  });

  it('but stay text where they lack title, body or file, or stand inside a sentence', () => {
    for (const text of ['::code-comment{title="T" file="f"}', 'see ::code-comment{title=T body=b file=f}', '::code-comment{title="T" body="b" file="f"']) expect(agent(text)).toBe(text);
  });
});

describe('[R-SCR-2] directives to git are no text', () => {
  it('wherever they stand, also malformed ones that are closed', () => {
    expect(agent('Done.\n\n::git-stage{cwd="/w"} ::git-commit{cwd="/w"}\n::git-push{cwd="/w" branch="b"}')).toBe('Done.');
    expect(agent('a ::git-create-pr{cwd="/w" url="https://x" isDraft=true} b')).toBe('a b');
    expect(agent('x ::git-create-branch{cwd="/w} y')).toBe('x y');
    expect(agent('x\n::git-push{=}\ny')).toBe('x\ny');
  });

  it('but an unclosed one stays: a missing brace loses no text', () => {
    expect(agent('x ::git-commit{cwd="/w" and more')).toBe('x ::git-commit{cwd="/w" and more');
    expect(agent('x ::git-commit{cwd="/w"\n}')).toBe('x ::git-commit{cwd="/w"\n}');
  });

  it('and words that only look like them stay', () => {
    for (const text of ['std::git-push{x}', '::::git-push{x}', '::git-pull{x}', '::git-push', 'a::b']) expect(agent(text)).toBe(text);
  });
});

describe('[R-SCR-2] code is exempt', () => {
  const push = '::git-push{cwd="/w"}';

  it('fences of backticks and tildes, closed or not', () => {
    for (const text of ['```\n' + push + '\n```', '~~~~ text\n' + push + '\n~~~\n~~~~', 'x\n```md\n' + push]) expect(agent(text)).toBe(text);
  });

  it('spans, over lines of a paragraph, but not over blank ones; backticks without a partner are text', () => {
    for (const text of ['`' + push + '`', '``a ` ' + push + '``', '`a\n' + push + ' b`', '`x` `' + push + '`']) expect(agent(text)).toBe(text);
    expect(agent('`a\n\n' + push + ' b`')).toBe('`a\n\nb`');
    expect(agent('`` ' + push + ' `')).toBe('`` `');
    expect(agent('\\`' + push + '`')).toBe('\\``');
  });
});

describe('[R-SCR-2] visualisations are named by a line', () => {
  const directive = '::codex-inline-vis{file="charts/growth.html"}';
  const privateUse = '\ue200visualize\ue202{"file":"charts/growth.html"}\ue201';

  it('with their address where the host trusts the file', () => {
    const visualisationUrl = (file: string): string => `file:///t/${file}`;
    for (const form of [directive, privateUse]) {
      expect(visibleText(`See:\n${form}\nend`, { kind: 'agent', visualisationUrl })).toBe('See:\nOpen growth visualization in the browser: file:///t/charts/growth.html\nend');
    }
  });

  it('and otherwise say that there is none here', () => {
    for (const form of [directive, privateUse, '::codex-inline-vis{}', '\ue200visualize\ue202{bad\ue201']) expect(agent(form)).toBe('*Visualization unavailable on this device.*');
  });

  it('half arrived at the end of a text they are nothing, elsewhere text', () => {
    for (const half of ['::codex-inline-vis{file="x', '\ue200visualize\ue202{"fi']) {
      expect(agent(`See:\n${half}`)).toBe('See:');
      expect(agent(`${half}\nmore`)).toBe(`${half}\nmore`);
    }
  });

  it('inside a sentence or in code they stay', () => {
    for (const text of [`see ${directive}`, `\`${directive}\``, '```\n' + directive + '\n```']) expect(agent(text)).toBe(text);
  });

  it('other marks between private-use brackets are not shown', () => {
    expect(agent('a fact\ue200cite\ue202turn0\ue201.')).toBe('a fact.');
    expect(agent('a \ue200cite')).toBe('a \ue200cite');
  });
});

describe('[R-SCR-2] the rest of the rules', () => {
  it('memory citations are no text; one that nothing closes stays', () => {
    expect(agent('Yes.\n\n<oai-mem-citation>\n<citation_entries>x</citation_entries>\n</oai-mem-citation>')).toBe('Yes.');
    expect(agent('a <oai-mem-citation> b')).toBe('a <oai-mem-citation> b');
  });

  it('a markdown fence that wraps a table is unwrapped, any other fence is not', () => {
    const table = '| a | b |\n|---|:-:|\n| 1 | 2 |';
    expect(agent('Look:\n```markdown\n' + table + '\n```\nend')).toBe(`Look:\n${table}\nend`);
    expect(agent('````md\n' + table + '\n```\ncode\n```\n````')).toBe(`${table}\n\`\`\`\ncode\n\`\`\``);
    for (const text of ['```\n' + table + '\n```', '```markdown\n# Title\n```', '```markdown\n' + table, '```md\n|---|\n```']) expect(agent(text)).toBe(text);
  });

  it('lines are trimmed on the right, blank ones at the end dropped, and nothing is undefined', () => {
    expect(agent('  a  \n\nb\t\n \n\n')).toBe('  a\n\nb');
    for (const text of ['', ' \n\t\n', '::git-push{}']) expect(agent(text)).toBeUndefined();
    expect(user(' \u001b[0m\n')).toBeUndefined();
  });
});

describe('[R-SCR-2] words of a person lose what a terminal put in', () => {
  it('control sequences, titles, hyperlinks and single controls, but not tabs and newlines', () => {
    expect(user('a\u001b[31mred\u001b[0m\u0007 b\tc\nd\u009b2Je')).toBe('ared b\tc\nde');
    expect(user('\u001b]0;title\u0007x \u001b]8;;http://e\u001b\\link\u001b]8;;\u001b\\ \u001bPq\u001b\\y\u001b7z')).toBe('x link yz');
    expect(user('a\r\nb\u007f\u0000c')).toBe('a\nbc');
  });

  it('a sequence that nothing ends costs its introducer, no text', () => {
    expect(user('a\u001b]0;all of this stays')).toBe('a0;all of this stays');
    expect(user('a\u001b[12')).toBe('a12');
    expect(user('a\u001b')).toBe('a');
    expect(user('a\u001b\nb')).toBe('a\nb');
  });

  it('and keep what looks like a directive', () => {
    expect(user('::git-push{x}')).toBe('::git-push{x}');
  });
});
