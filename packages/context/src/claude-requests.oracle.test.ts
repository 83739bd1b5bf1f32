import { isJsonObject } from '@tapefold/facts';
import { describe, expect, it } from 'vitest';
import { type WireMessage, asMasked, normalForm, withoutResumeWords } from './claude-normal-form.suite.js';
import { claudeProfile } from './profiles/claude.js';
import { type RecordedThread, claudeFiles, claudeThread, folded, isItems, requestPoints, scenarios } from './recorded.suite.js';
import { deriveRequest } from './request.js';

/** Where the real program reads less than the file holds, or differently (claude-history §7.4): it lost both records of a glued line, and the line behind NUL bytes. */
const listed = new Set(['h09-glued', 'x7-nul-bom']);
/** Files that the real program would not open. */
const refused = new Set(['h12-no-timestamps', 'h22-garbage-lines']);

const messageOf = ({ role, content }: Readonly<Record<string, unknown>>): WireMessage => ({ role: String(role), content });

function derived(thread: RecordedThread, facts: number): WireMessage[] {
  const { body } = deriveRequest(folded(thread.facts.slice(0, facts)), { profile: claudeProfile('anthropic'), reader: thread.reader });
  return 'messages' in body ? body.messages.map(messageOf) : [];
}

function messagesOf(recording: unknown): WireMessage[] {
  if (!isItems(recording)) throw new Error('no list of messages');
  return recording.map(messageOf);
}

describe('[R-CTX-6] the request derived from the file is the one that Claude Code sent', () => {
  const recordings = scenarios('claude/recorded', 'golden/last-request-messages.json');
  for (const { name, path, recording } of recordings) {
    it(name, () => {
      const want = normalForm(messagesOf(recording));
      const made = claudeFiles(`${path}/home`).map((file) => claudeThread(file)).map((thread) => normalForm(derived(thread, requestPoints(thread.facts).at(-1) ?? 0)));
      const [first] = made;
      const found = made.find((got) => JSON.stringify(asMasked(want, got)) === JSON.stringify(want)) ?? first;
      expect(asMasked(want, found)).toEqual(want);
    });
  }
  it('is compared for every recorded scenario but the one without a recorded request', () => {
    expect(recordings.length).toBe(15);
  });
});

/** What Claude Code sends when it opens the file and is asked one thing more. */
function resumed(file: string): ReturnType<typeof normalForm> {
  const thread = claudeThread(file);
  return withoutResumeWords(normalForm([...derived(thread, thread.facts.length), { role: 'user', content: 'ORACLE PROBE' }]));
}

describe('[R-CTX-6] a hand-made file gives the request with which Claude Code resumed it', () => {
  for (const { name, path, recording } of scenarios('claude/handmade', 'resumed-messages.json')) {
    const messages = isJsonObject(recording) ? recording['messages'] : undefined;
    it(`${name}${refused.has(name) ? ' (the real program refuses it)' : listed.has(name) ? ' (differs, and only there)' : ''}`, () => {
      const got = resumed(`${path}/session.jsonl`);
      if (refused.has(name)) {
        expect(messages).toBeNull();
        return;
      }
      const want = withoutResumeWords(normalForm(messagesOf(messages)));
      if (listed.has(name)) expect(JSON.stringify(got)).toContain('A2');
      else expect(asMasked(want, got)).toEqual(want);
      expect(JSON.stringify(asMasked(want, got)) === JSON.stringify(want)).toBe(!listed.has(name));
    });
  }
});
