import { readFileSync } from 'node:fs';
import { isJsonObject } from '@tapefold/facts';
import { describe, expect, it } from 'vitest';
import { asMasked } from './claude-normal-form.suite.js';
import { kimiProfile } from './profiles/kimi.js';
import { type RecordedThread, claudeFiles, folded, isItems, kimiThread, requestPoints, scenarios } from './recorded.suite.js';
import { deriveRequest } from './request.js';

type Message = Record<string, unknown>;

function derived(thread: RecordedThread, facts: number): Message[] {
  const { body } = deriveRequest(folded(thread.facts.slice(0, facts)), { profile: kimiProfile('chat'), reader: thread.reader });
  return 'messages' in body ? body.messages.map((message) => ({ ...message })) : [];
}

/** K1: the program's own prompt stands in front of the recording. K2: a content that is null may as well be absent. */
function normalForm(messages: readonly Message[]): Message[] {
  return messages.filter(({ role }) => role !== 'system').map(({ content, ...rest }) => (content === null || content === undefined ? rest : { ...rest, content }));
}

const logs = (path: string): string[] => claudeFiles(`${path}/home`).filter((file) => file.endsWith('/wire.jsonl'));

describe('[R-CTX-6] the request derived from the log is the one that Kimi Code sent', () => {
  const recordings = scenarios('kimi/recorded', 'golden/last-request-messages.json');
  for (const { name, path, recording } of recordings) {
    it(name, () => {
      if (!isItems(recording)) throw new Error('no list of messages');
      const want = normalForm(recording);
      const made = logs(path).map(kimiThread).flatMap((thread) => requestPoints(thread.facts).slice(-2).map((point) => normalForm(derived(thread, point))));
      const found = made.find((got) => JSON.stringify(asMasked(want, got)) === JSON.stringify(want)) ?? made.find((got) => got.length === want.length) ?? made[0];
      expect(asMasked(want, found)).toEqual(want);
    });
  }
  it('is compared for every recorded scenario with a recorded request', () => expect(recordings.length).toBe(13));
});

/** How many messages the program says it sent at each of its own requests, and how many facts there were by then. */
function counted(path: string, thread: RecordedThread): { line: number; want: number; facts: number }[] {
  const found: { line: number; want: number; facts: number }[] = [];
  let offset = 0;
  for (const [i, text] of readFileSync(path, 'utf8').split('\n').entries()) {
    const record: unknown = text === '' ? null : JSON.parse(text);
    if (isJsonObject(record) && record['type'] === 'llm.request' && record['kind'] === 'loop' && typeof record['messageCount'] === 'number') {
      const at = offset;
      found.push({ line: i + 1, want: record['messageCount'], facts: thread.facts.filter(({ line }) => line.offset < at).length });
    }
    offset += Buffer.byteLength(text) + 1;
  }
  return found;
}

describe('[R-CTX-2] at each request the history has as many messages as the program says', () => {
  const paths = [...new Set(scenarios('kimi/recorded', 'cold.sessions.json').map(({ path }) => path.replace(/\/golden$/, '')))].flatMap(logs);
  let total = 0;
  it.each(paths.map((path) => ({ name: path.replace(/^.*\/kimi\/recorded\//, ''), path })))('$name', ({ path }) => {
    const thread = kimiThread(path);
    const asked = counted(path, thread);
    total += asked.length;
    expect(asked.map(({ line, facts }) => ({ line, messages: normalForm(derived(thread, facts)).length }))).toEqual(asked.map(({ line, want }) => ({ line, messages: want })));
  });
  it('which are many', () => expect(total).toBeGreaterThan(90));
});
