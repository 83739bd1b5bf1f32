import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { isJsonObject } from '@tapefold/facts';
import { playAll } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { fixturesFolder, makePlayer } from './corpus.suite.js';
import { type Message, messagesOf, normalMessages, plainText, readJsonFile, withoutProbe } from './messages.suite.js';
import { screenOf } from './screen.suite.js';

const folder = `${fixturesFolder}/handmade`;
const words = (n: number): string => Array.from({ length: n }, () => 'word').join(' ');

/** What each case shows, and what a person sees of it: each turn as its texts and how it ended (`?`: how it counts, nothing ended it). */
const cases: Readonly<Record<string, readonly [what: string, screen: readonly string[]]>> = {
  'c1-compact-dangling-logical': ['a boundary whose logical parent is unknown goes on from the line before it', ['Q1 · A1 · completed', 'Q2 · A2 · =compaction= · completed', 'Q3 · A3 · ?completed']],
  'c2-two-compacts': ['the model reads what is behind the last boundary, a person all of it', ['Q1 · A1 · completed', 'Q2 · A2 · =compaction= · completed', 'Q3 · A3 · =compaction= · completed', 'Q4 · A4 · ?completed']],
  'c3-preserved-segment-only': ['lines that a compaction keeps stand behind the summary', ['Q1 · A1 · completed', 'Q2 · A2 · =compaction= · completed', 'Q3 · A3 · ?completed']],
  'c4-rewind-before-compact': ['a rewind to before a compaction brings back what that summarised', ['Q1 · A1 · completed', 'Q2edit · A2edit · ?completed']],
  'c6-compact-only-summary-last': ['a summary as the last line', ['Q1 · A1 · completed', 'Q2 · A2 · =compaction= · ?completed']],
  'd1-dangling-after-rewind': ['an unknown parent: the line before, also behind a rewind', ['Q1 · A1 · completed', 'Q2edit · A2edit · completed', 'Q3 · A3 · ?completed']],
  'd2-dangling-time-earlier': ['an unknown parent and no line that is not later: a root', ['Q3 · A3 · ?completed']],
  'd3-dangling-after-side': ['an unknown parent: sidechain lines are passed over', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'd5-dangling-after-attachment': ['an unknown parent behind a system line', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'd6-dangling-twice': ['two unknown parents', ['Q1 · A1 · completed', 'Q2 · A2 · completed', 'Q3 · A3 · ?completed']],
  'd7-dangling-first': ['an unknown parent of the first line', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'd8-dangling-assistant': ['an unknown parent of an answer', ['Q1 · A1 · A2 · completed', 'Q2 · A3 · ?completed']],
  'd9-dangling-time-between': ['an unknown parent: the nearest line before that is not later', ['Q1 · A1 · completed', 'Q3 · A3 · ?completed']],
  'h01-rewind': ['a rewind shows in an older parent', ['Q1 · A1 · completed', 'Q2edit · A2edit · ?completed']],
  'h02-rewind-older-time': ['the order of the file decides, not the clock', ['Q1 · A1 · completed', 'Q2edit · A2edit · ?completed']],
  'h03-lastprompt-points-old': ['a last-prompt takes the chain back to another branch', ['Q1 · A1 · completed', 'Q2 · A2 · completed']],
  'h04-dangling-mid': ['an unknown parent of a prompt', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'h06-two-roots': ['of two roots only that of the newest line counts', ['Q2 · A2 · ?completed']],
  'h07-dup-line': ['the same line twice counts once', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'h08-dup-uuid-other-text': ['the same uuid with other words: the later counts, at the place of the first', ['Q1 · A1 · completed', 'Q2 · A2second · ?completed']],
  'h09-glued': ['glued records are both kept', ['Q1 · A1 · completed', 'Q2 · A2 · completed', 'Q3 · A3 · ?completed']],
  'h11-no-newline': ['a last line without newline is whole', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'h12-no-timestamps': ['no line has a time', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'h13-parallel-skip': ['parallel results: no branch, the chain may go through any of them', ['Q1 · $ T1 [completed] · $ T2 [completed] · A1 · ?completed']],
  'h14-parallel-std': ['parallel results: the chain goes through the last', ['Q1 · $ T1 [completed] · $ T2 [completed] · A1 · ?completed']],
  'h16-progress-in-chain': ['progress lines are bridged', ['Q1 · $ T1 [completed] · A1 · ?completed']],
  'h17-later-system-on-old-branch': ['a system line brings a branch back', ['Q1 · A1 · completed', 'Q2 · A2 · completed']],
  'h18-dangling-call': ['a call without result stays open', ['Q1 · pre · $ T1 [running] · ?interrupted']],
  'h19-cycle': ['parents in a circle', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'h21-blank-and-crlf': ['blank lines and CRLF', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'h22-garbage-lines': ['lines that are no records cost only themselves', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'h23-compact-old': ['an older boundary', ['Q1 · A1 · completed', 'Q2 · A2 · =compaction= · completed', 'Q3 · A3 · ?completed']],
  'h24-compact-parent-kept': ['a boundary that keeps its parent', ['Q1 · A1 · completed', 'Q2 · A2 · =compaction= · completed', 'Q3 · A3 · ?completed']],
  'h26-thinking-only-tail': ['thinking alone is no answer', ['Q1 · (hm) · ?interrupted']],
  'h27-interleaved-ids': ['a result between blocks of one message', ['Q1 · $ T1 [completed] · $ T2 [completed] · A1 · ?completed']],
  'h28-meta-user': ['what the program wrote is hidden, a local command is a turn without steps', ['/x · > out · completed', 'Q2 · A1 · ?completed']],
  'h29-local-command-sys': ['a local command as a system line', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'h31-user-leaf': ['a prompt without answer', ['Q1 · A1 · completed', 'Q2 · A2 · completed', 'Q3 · ?interrupted']],
  'h32-two-users-branch': ['two conversations that take turns in the file', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'h33-diff-session': ['lines of another session id', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'h34-visible-only': ['a line for the transcript only is read by the model all the same', ['Q1 · A1 · completed', 'Q2 · A2 · completed', 'VISONLY · interrupted', 'Q3 · A3 · ?completed']],
  'h36-microcompact': ['a micro-compaction is a notice and no cut', ['Q1 · $ T1 [completed] · A1 · completed', 'Q2 · A2 · ?completed']],
  'h37-redacted-empty': ['hidden thinking, an empty prompt and a blank answer', ['Q1 · A1 · completed', ' · ?interrupted']],
  'h38-denied': ['a rejected call with an interrupt behind it was stopped', ['Q1 · $ T1 [interrupted] · interrupted', 'Q2 · A2 · ?completed']],
  'h39-last-prompt-mid': ['a branch that the last-prompt does not lead to is dead', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'l3-lp-unknown': ['a last-prompt with an unknown leaf says nothing', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'l4-lp-then-child-of-other': ['lines that are added to a dead branch stay dead', ['Q1 · A1 · completed', 'Q2 · A2 · completed']],
  'l5-lp-old-then-more-old': ['the branch that a last-prompt chose goes on', ['Q1 · A1 · completed', 'Q2 · A2 · completed', 'Q4 · A4 · ?completed']],
  'l6-two-lp': ['the newest last-prompt counts', ['Q1 · A1 · completed', 'Q2 · A2 · completed']],
  'l8-lp-fork-below': ['a rewind below the leaf of the last-prompt', ['Q1 · A1 · completed', 'Q2edit · A2edit · ?completed']],
  'l9-lp-fork-below-old-last': ['below it the last line of the file decides', ['Q1 · A1 · completed', 'Q2 · A2 · completed', 'Q3old · A3old · ?completed']],
  tui1: ['a rewind in the terminal, shell input, and words typed while a turn ran', ['first question · answer 1 · completed', 'second question · answer 2 · completed', '$ edited question [completed] · answer 6 · completed']],
  tui2: ['a call denied, a text cut off, a rewind and a slash command in the terminal', [
    'first question · answer 1 · completed', 'please touch denied · Touching. · $ touch /tmp/zz-2 [interrupted] · interrupted', 'please touch again · answer 3 · completed', 'use another name · answer 4 · completed',
    `stream long · (hm) · ${words(1)}… · interrupted`, 'edited instead · answer 7 · completed', '/usage · > Settings dialog dismissed · ?completed',
  ]],
  'x1-attachment-last-old-branch': ['an attachment brings a branch back', ['Q1 · A1 · completed', 'Q2 · A2 · completed']],
  'x2-attachment-last': ['an attachment as the last line', ['Q1 · A1 · completed', 'Q2 · A2 · completed', 'Q3 · ?interrupted']],
  'x3-progress-dangling': ['a parent that is a lost progress line', ['Q1 · $ T1 [completed] · A1 · ?completed']],
  'x4-branch-tools': ['a branch in the middle of a turn takes part of it', ['Q1 · $ T1 [completed] · interrupted', 'Q-instead · A2 · ?completed']],
  'x6-result-far': ['a result that comes after the next answer stands with its message', ['Q1 · $ T1 [completed] · $ T2 [completed] · A1 · completed', 'Q2 · A2 · ?completed']],
  'x7-nul-bom': ['a byte order mark and NULs', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'x8-no-uuid-user': ['a line without uuid is not in the tree', ['Q1 · A1 · completed', 'Q2 · A2 · ?completed']],
  'x9-api-error-mid': ['a failed request', ['Q1 · A1 · completed', 'Q2 · A2 · completed', 'Q3 · API Error: x · failed', 'Q4 · A4 · ?completed']],
  'z1-localcmd-side': ['output of a command beside the chain', ['Q1 · A1 · completed', '/cost · No response requested. · completed', 'Q2 · A3 · ?completed']],
};

/** Where we differ on purpose: the program drops what can be repaired. */
const repaired: Readonly<Record<string, readonly Message[]>> = {
  'h09-glued': ['Q1', 'A1', 'Q2', 'A2', 'Q3', 'A3'].map((text, i) => ({ role: i % 2 ? 'assistant' : 'user', content: [{ type: 'text', text }] })),
  'x7-nul-bom': ['Q1', 'A1', 'Q2', 'A2'].map((text, i) => ({ role: i % 2 ? 'assistant' : 'user', content: [{ type: 'text', text }] })),
};

const factsOf = (name: string) => playAll(makePlayer(name), readFileSync(`${folder}/${name}/session.jsonl`)).facts;

/** What the program sent when it took the session up, or undefined where it would not. */
function resumed(name: string): Message[] | undefined {
  const golden = readJsonFile(`${folder}/${name}/resumed-messages.json`);
  if (!isJsonObject(golden) || !Array.isArray(golden['messages']) || golden['refused'] !== null) return undefined;
  return withoutProbe(normalMessages(golden['messages'].filter(isJsonObject).map(({ role, content }) => ({ role: plainText(role), content: content ?? null }))));
}

describe.skipIf(!existsSync(folder))('hand-made session files', () => {
  it('has a case for each file', () => {
    expect(Object.keys(cases).sort()).toEqual(readdirSync(folder).sort());
  });

  for (const [name, [what, screen]] of Object.entries(cases)) {
    it(`[R-DIA-3] ${name}: ${what}`, () => {
      const facts = factsOf(name);
      expect(screenOf(facts).map((turn) => turn.replace(/word(?: wor?d?)+/, 'word…'))).toEqual(screen);
      const golden = repaired[name] ?? resumed(name);
      if (golden) expect(withoutProbe(normalMessages(messagesOf(facts)))).toEqual(golden);
    });
  }

  it('[R-CTX-6] the program refused two of them, and repairs make two others different', () => {
    const refused = Object.keys(cases).filter((name) => resumed(name) === undefined);
    expect([refused, Object.keys(repaired)]).toEqual([['h12-no-timestamps', 'h22-garbage-lines'], ['h09-glued', 'x7-nul-bom']]);
  });
});
