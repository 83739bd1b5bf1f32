import { isSuperseded } from '@tapefold/threads';
import { randomFrom } from '@tapefold/testing';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { AgentProgram, PlacedFact, ThreadSource } from '../thread-source.js';
import { createTranscriptReader } from '../transcripts/source-transcripts.js';
import { createFileSource } from './file-source.js';

const fixtures = fileURLToPath(new URL('../../../../fixtures/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tapefold-as-of-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Folders named `home` below a folder. */
function homesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory()).flatMap(({ name }) => (name === 'home' ? [join(path, name)] : homesBelow(join(path, name))));
}

/** Sessions that were made by hand are single files: each becomes one of a home. */
function handMadeClaudeHome(): string {
  const home = join(folder, 'claude-handmade');
  const made = join(fixtures, 'claude/handmade');
  mkdirSync(join(home, 'projects/-w'), { recursive: true });
  for (const [i, name] of readdirSync(made).sort().entries()) {
    const session = join(made, name, 'session.jsonl');
    if (existsSync(session)) cpSync(session, join(home, `projects/-w/0199000${i % 10}-0000-4000-8000-${String(i).padStart(12, '0')}.jsonl`));
  }
  return home;
}

function homesOf(program: AgentProgram): string[] {
  const native = program === 'native' ? [join(fixtures, 'native/v1')] : [];
  const homes = homesBelow(join(fixtures, program));
  // Codex has a hundred: some of them do.
  return [...homes.filter((_, i) => homes.length < 60 || i % 3 === 0), ...(program === 'claude' ? [handMadeClaudeHome()] : []), ...native];
}

async function factsOf(source: ThreadSource, id: string, asOf?: number): Promise<PlacedFact[]> {
  const facts: PlacedFact[] = [];
  for await (const placed of source.facts(id, { asOf })) facts.push(placed);
  return facts;
}

/** A place behind a line of the thread's one file: the last fact of the line, and where the line ends. */
function placeIn(facts: readonly PlacedFact[], at: number): { position: number; end: number } | undefined {
  const chosen = facts[at % facts.length]?.fact;
  if (!chosen || facts.some(({ fact }) => fact.tape !== chosen.tape)) return undefined;
  const last = facts.filter(({ fact }) => fact.line.offset === chosen.line.offset).at(-1);
  return last && { position: last.position, end: chosen.line.offset + chosen.line.length + 1 };
}

/** What does not depend on what stands in other files. */
const answersOf = async (source: ThreadSource, id: string, asOf?: number): Promise<unknown> => {
  const { agents: _, ...transcript } = await createTranscriptReader(source).transcript(id, { pageSize: 100, asOf }) as { agents?: unknown };
  return { turns: (await source.read(id, { asOf })).thread.turns, transcript };
};

/** Does something while a file is cut. */
async function whileCut<T>(path: string, end: number, run: () => Promise<T>): Promise<T> {
  const bytes = readFileSync(path);
  const { atime, mtime } = statSync(path);
  writeFileSync(path, bytes.subarray(0, end));
  utimesSync(path, atime, mtime);
  try {
    return await run();
  } finally {
    writeFileSync(path, bytes);
    utimesSync(path, atime, mtime);
  }
}

describe.each([['codex', 30], ['claude', 40], ['kimi', 15], ['native', 1]] as const)('as of a fact, %s', (program, least) => {
  it('[R-STO-7] [R-THR-4] a thread is what it would be had its file ended there', async () => {
    const random = randomFrom(7);
    let compared = 0;
    for (const [i, original] of homesOf(program).entries()) {
      const home = join(folder, `${program}-${i}`);
      cpSync(original, home, { recursive: true, preserveTimestamps: true, dereference: true });
      const fresh = (): ThreadSource => createFileSource([{ program, path: home }]);
      const { rows } = await fresh().list({ archived: 'too', hasSubAgents: true });
      for (const { path, thread } of rows) {
        const facts = await factsOf(fresh(), thread.id);
        const place = existsSync(path) ? placeIn(facts, random.below(1_000)) : undefined;
        if (!place) continue;
        const expected = await whileCut(path, place.end, () => answersOf(fresh(), thread.id)).catch(() => undefined);
        if (expected === undefined) continue;
        expect(await factsOf(fresh(), thread.id, place.position)).toEqual(facts.filter(({ position }) => position <= place.position));
        expect(await answersOf(fresh(), thread.id, place.position), `${home} ${thread.id} as of ${place.position}`).toEqual(expected);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThanOrEqual(least);
  }, 300_000);

  it('[R-THR-4] with all branches a thread shows the same turns and items, unmarked, and the others marked', async () => {
    let superseded = 0;
    for (const home of homesOf(program)) {
      const source = createFileSource([{ program, path: home }]);
      const { rows } = await source.list({ archived: 'too', hasSubAgents: true });
      for (const { thread, problem } of rows) {
        if (problem !== undefined) continue;
        const { thread: all } = await source.read(thread.id, { hasAllBranches: true });
        const counted = all.turns.filter((turn) => !isSuperseded(turn)).map((turn) => ({ ...turn, items: turn.items.filter((item) => !isSuperseded(item)) }));
        expect(counted, thread.id).toEqual((await source.read(thread.id)).thread.turns);
        superseded += all.turns.filter(isSuperseded).length;
      }
    }
    if (program === 'codex' || program === 'claude') expect(superseded).toBeGreaterThan(10);
  }, 300_000);
});

describe('as of a fact', () => {
  it('[R-STO-7] behind the last fact nothing is, and that is said', async () => {
    const source = createFileSource([{ program: 'native', path: join(fixtures, 'native/v1') }]);
    const facts = await factsOf(source, 'last');
    const last = facts.at(-1)?.position ?? -1;
    expect((await source.read('last', { asOf: last })).thread.turns).toEqual((await source.read('last')).thread.turns);
    await expect(source.read('last', { asOf: last + 1 })).rejects.toMatchObject({ code: 'positionBehindEnd', message: `fact ${last + 1} is behind the last fact of the thread, which is ${last}.` });
    await expect(createTranscriptReader(source).transcript('last', { asOf: 99_999 })).rejects.toMatchObject({ code: 'positionBehindEnd' });
  });
});
