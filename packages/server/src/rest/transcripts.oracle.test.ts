import { createFileSource, createTranscriptReader } from '@tapefold/store';
import { type AnswerPair, type RecordedTranscript, compareTranscripts, kimiCaseHomes, kimiTranscripts } from '@tapefold/testing';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, folder, get, startedRest } from '../sockets.suite.js';

async function serving(home: string): Promise<(path: string) => Promise<Answer>> {
  const source = createFileSource([{ program: 'kimi', path: home }]);
  const { port } = await startedRest({ source, transcripts: createTranscriptReader(source) });
  return async (path) => (await get(port, path)).answer;
}

/** What the options of the command are called in a query. */
const parameters: Readonly<Record<string, string>> = { '--agent': 'agent_id', '--page-size': 'page_size', '--before-turn': 'before_turn', '--after-turn': 'after_turn', '--tool-call': 'tool_call_id' };

function pathOf({ args: [command = '', session = '', ...options] }: RecordedTranscript): string {
  const query = new URLSearchParams(command === 'user-messages' ? {} : { agent_id: 'main' });
  for (let i = 0; i < options.length; i += 2) query.set(parameters[options[i] ?? ''] ?? '', options[i + 1] ?? '');
  return `/api/v1/sessions/${session}/transcript${command === 'transcript' ? '' : `/${command}`}?${query.toString()}`;
}

function byHomes(transcripts: readonly RecordedTranscript[]): Map<string, RecordedTranscript[]> {
  const homes = new Map<string, RecordedTranscript[]>();
  for (const transcript of transcripts) homes.set(transcript.home, [...(homes.get(transcript.home) ?? []), transcript]);
  return homes;
}

describe('transcripts over REST beside what the real server answered', () => {
  it('[R-REST-1] [R-OPS-10] pages, messages and plans are the recorded ones, but for what docs/compatibility.json lists', async () => {
    const scratch = folder();
    const pairs: AnswerPair[] = [];
    const byHome = byHomes([...kimiTranscripts(), ...kimiCaseHomes(folder())]);
    for (const [home, transcripts] of byHome) {
      const ask = await serving(home);
      for (const transcript of transcripts) {
        const answer = await ask(pathOf(transcript));
        expect(answer.code, pathOf(transcript)).toBe(0);
        const [expected = '', actual = ''] = ['expected', 'actual'].map((side) => join(scratch, String(pairs.length), side, transcript.scenario, 'answer.json'));
        for (const path of [expected, actual]) mkdirSync(dirname(path), { recursive: true });
        writeFileSync(expected, JSON.stringify(transcript.answer));
        writeFileSync(actual, JSON.stringify(answer.data));
        pairs.push({ expected, actual });
      }
    }
    expect(pairs.length).toBeGreaterThan(150);
    const { isEqual, report } = await compareTranscripts(pairs);
    expect(isEqual, report).toBe(true);
  }, 120_000);
});
