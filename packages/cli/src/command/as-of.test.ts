import { type Thread, isSuperseded } from '@tapefold/threads';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../run.js';

const home = fileURLToPath(new URL('../../../../fixtures/codex/handmade/4-rollback/home', import.meta.url));
const id = '01990000-0000-7000-8000-000000000006';

/** Runs the command line over a home with a rollback, outside a terminal. */
async function tapefold(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const texts = { out: '', err: '' };
  const into = (name: 'out' | 'err'): Writable => new Writable({ write: (chunk: Buffer, _, done) => { texts[name] += chunk.toString(); done(); } });
  const code = await run([...args, '--home', `codex=${home}`], { output: into('out'), errors: into('err'), env: {}, cwd: '/', homeDir: '/home/sam', nowMs: () => 0 } as Parameters<typeof run>[1]);
  return { code, ...texts };
}
const threadOf = async (...args: readonly string[]): Promise<Thread> => (JSON.parse((await tapefold('show', id, '--json', ...args)).out) as { thread: Thread }).thread;

describe('show as of a fact, and all branches', () => {
  it('[R-STO-7] shows a thread as it was before a rollback, and refuses a fact that is not there', async () => {
    const facts = (await tapefold('facts', id)).out.trim().split('\n').map((line) => JSON.parse(line) as { position: number; type: string });
    const rollback = facts.find(({ type }) => type === 'history.superseded')!;
    const [now, before, behind] = [await threadOf(), await threadOf('--as-of', String(rollback.position - 1)), await threadOf('--as-of', String(rollback.position))];
    expect(before.turns.length).toBeGreaterThan(behind.turns.length);
    expect(now.turns.map((turn) => turn.id).slice(0, behind.turns.length)).toEqual(behind.turns.map((turn) => turn.id));
    expect(await tapefold('show', id, '--as-of', '9999')).toMatchObject({ code: 2, out: '', err: `tapefold: fact 9999 is behind the last fact of the thread, which is ${facts.at(-1)?.position}.\n` });
    expect((await tapefold('transcript', id, '--as-of', '9999')).code).toBe(2);
    expect((await tapefold('show', id, '--as-of', 'x')).code).toBe(2);
  });

  it('[R-THR-4] shows what was rolled back, marked, and the numbers of the other turns stay', async () => {
    const all = await threadOf('--all-branches');
    const gone = all.turns.filter(isSuperseded);
    expect(gone.length).toBeGreaterThan(0);
    expect(all.turns.filter((turn) => !isSuperseded(turn))).toEqual((await threadOf()).turns);
    const { out } = await tapefold('show', id, '--all-branches');
    expect(out.match(/^## Superseded turn/gm)).toHaveLength(gone.length);
    const numbers = async (...args: readonly string[]): Promise<unknown> => (await tapefold('show', id, ...args)).out.match(/^## Turn \d+.*$/gm);
    expect(await numbers('--all-branches')).toEqual(await numbers());
    expect(await numbers('--all-branches', '--turn', '-1')).toEqual(await numbers('--turn', '-1'));
  });
});
