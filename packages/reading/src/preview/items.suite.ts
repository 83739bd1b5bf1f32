import type { ThreadItem } from '@tapefold/threads';
import fc from 'fast-check';

const times = { startedAtMs: null, completedAtMs: null };

export const said = (text: string, id = 'a'): ThreadItem => ({ type: 'agentMessage', id, text, moderation: null, phase: null, memoryCitation: null, delivery: null, questions: null, ...times });
export const asked = (text: string, id = 'u'): ThreadItem => ({ type: 'userMessage', id, clientId: null, content: [{ type: 'text', text, text_elements: [] }], ...times });
const thought = (text: string, id = 'r'): ThreadItem => ({ type: 'reasoning', id, summary: [text], content: [], ...times });
const compaction = (id = 'c'): ThreadItem => ({ type: 'contextCompaction', id, ...times });

const line = fc.constantFrom(
  '', '   ', 'plain words', '  indented  ', '\ttab', '::git-stage{cwd="/x"}', '::git-push{', '```', '```markdown', '| a | b |', '|---|---|', '`code`', '\u001b[31mred', '日本語', '::codex-inline-vis{file="x.html"}',
  ':code-comment{title="T" body="B" file="/x/f.ts" start=1 end=2}', '<oai-mem-citation>', '</oai-mem-citation>', '\r', '\u202eodd',
);
const text = fc.oneof({ weight: 6, arbitrary: fc.array(line, { maxLength: 9 }).map((lines) => lines.join('\n')) }, fc.string({ unit: 'binary' }));

/** Items of any kind with any text, each with an id of its own. */
export const threadItems: fc.Arbitrary<ThreadItem[]> = fc
  .array(fc.oneof({ weight: 3, arbitrary: text.map((words) => said(words)) }, { weight: 2, arbitrary: text.map((words) => asked(words)) }, text.map((words) => thought(words)), fc.constant(compaction())), { maxLength: 30 })
  .map((items) => items.map((item, n) => ({ ...item, id: `item-${n}` })));
