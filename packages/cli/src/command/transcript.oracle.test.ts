import { type RecordedTranscript, comparableTranscript, compareTranscripts, kimiCaseHomes, kimiLiveTranscripts, kimiTranscripts } from '@tapefold/testing';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../run.js';

/** What `tapefold ARGS` prints. */
async function printed(args: readonly string[]): Promise<string> {
  const chunks: Buffer[] = [];
  const output = new PassThrough().on('data', (chunk: Buffer) => chunks.push(chunk));
  const said: Buffer[] = [];
  const errors = new PassThrough().on('data', (chunk: Buffer) => said.push(chunk));
  const exitCode = await run(args, { output, errors, env: {}, cwd: '/', homeDir: '/nonexistent', nowMs: () => 0 });
  expect(exitCode, `${args.join(' ')}: ${Buffer.concat(said).toString('utf8').slice(0, 500)}`).toBe(0);
  return Buffer.concat(chunks).toString('utf8');
}

describe('transcript, user-messages and plan beside what the real server of Kimi Code answered', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-transcripts-'));
  const answers: readonly RecordedTranscript[] = [...kimiCaseHomes(join(folder, 'cases')), ...kimiTranscripts()];
  const pairs = answers.map(({ scenario }, i) => ({ expected: join(folder, 'expected', `${i}`, scenario, 'answer.json'), actual: join(folder, 'actual', `${i}`, scenario, 'answer.json') }));

  beforeAll(async () => {
    for (const [i, { args, home, answer }] of answers.entries()) {
      const { expected, actual } = pairs[i]!;
      for (const path of [expected, actual]) mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(expected, JSON.stringify({ data: answer }));
      writeFileSync(actual, await printed([...args, '--json', '--home', `kimi=${home}`]));
    }
  }, 240_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('[R-REST-1] every answer is the recorded one, but for what docs/compatibility.json lists, and all that it lists is needed', async () => {
    const { isEqual, report } = await compareTranscripts(pairs, ['--strict-allow']);
    expect(isEqual, report).toBe(true);
  }, 60_000);

  it('[R-OPS-8] what a running server held at the end is what the finished files say', async () => {
    const ended = kimiLiveTranscripts();
    const live = await Promise.all(ended.map(async ({ scenario, args, home, answer }, i) => {
      const [expected, actual] = ['live-expected', 'live-actual'].map((side) => join(folder, side, `${i}`, scenario, 'answer.json'));
      for (const path of [expected!, actual!]) mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(expected!, JSON.stringify({ data: answer }));
      writeFileSync(actual!, JSON.stringify(comparableTranscript(JSON.parse(await printed([...args, '--json', '--home', `kimi=${home}`])))));
      return { expected: expected!, actual: actual! };
    }));
    expect(live).toHaveLength(14);
    const { isEqual, report } = await compareTranscripts(live);
    expect(isEqual, report).toBe(true);
  }, 60_000);

  it('[R-REST-1] compares what there is to compare', () => {
    expect(new Set(answers.map(({ scenario }) => scenario)).size).toBeGreaterThanOrEqual(54);
    expect(answers.length).toBeGreaterThanOrEqual(150);
  });
});
