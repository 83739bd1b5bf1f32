import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { run } from '../run.js';

const recorded = fileURLToPath(new URL('../../../../fixtures/codex/recorded/', import.meta.url));

/** Runs the command line over a recorded home, outside a terminal. */
async function tapefold(scenario: string, args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const texts = { out: '', err: '' };
  const into = (name: 'out' | 'err'): Writable => new Writable({ write: (chunk: Buffer, _, done) => { texts[name] += chunk.toString(); done(); } });
  const code = await run([...args, '--home', `codex=${recorded}${scenario}/home`], { output: into('out'), errors: into('err'), env: {}, cwd: '/', homeDir: '/home/sam', nowMs: () => 0 } as Parameters<typeof run>[1]);
  return { code, ...texts };
}
const lines = (text: string): string[] => text.split('\n').slice(0, -1);
const item = z.looseObject({ role: z.string().optional() });
const bodySchema = z.object({ provider: z.string(), version: z.number(), leftOut: z.array(z.unknown()), input: z.array(item).optional(), system: z.array(item).optional(), messages: z.array(item).optional() });
type Body = z.infer<typeof bodySchema>;
const json = (text: string): unknown => JSON.parse(text) as unknown;

describe('[R-CTX-6] tapefold context', () => {
  test('shows the request, one item a line, and what was made up in it', async () => {
    const { code, out, err } = await tapefold('0.171/sigkill-resume', ['context', 'last']);
    expect([code, err]).toEqual([0, '']);
    expect(lines(out)[0]).toMatch(/^11 items, about [\d,]+ tokens for OpenAI Responses; the history was rewritten 0 times$/);
    expect(out).toContain('         result     made up  aborted\n');
    expect(out).toMatch(/^ +17 {2}user +run and die$/m);
  });

  test('gives the body of the request of any wire as JSON', async () => {
    const of = async (provider: string): Promise<Body> => bodySchema.parse(json((await tapefold('0.171/sigkill-resume', ['context', 'last', '--json', '--provider', provider])).out));
    const [responses, anthropic, chat] = [await of('responses'), await of('anthropic'), await of('chat')];
    expect([responses.provider, responses.version, responses.input?.length, responses.leftOut]).toEqual(['responses', 0, 11, []]);
    expect([anthropic.system?.length, anthropic.messages?.map(({ role }) => role)]).toEqual([3, ['user', 'assistant', 'user', 'assistant', 'user', 'assistant']]);
    expect(chat.messages?.map(({ role }) => role)).toEqual(['system', 'user', 'user', 'assistant', 'user', 'assistant', 'tool', 'tool', 'user', 'assistant']);
  });

  test('[R-CTX-7] shows it as of an earlier fact, and refuses one that is not there', async () => {
    const { out } = await tapefold('0.171/compact', ['context', 'last', '--as-of', '24']);
    expect(lines(out)[0]).toMatch(/^7 items, .* 0 times$/);
    const wrong = await tapefold('0.171/compact', ['context', 'last', '--as-of', '9999']);
    expect([wrong.code, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toMatch(/^tapefold: fact 9999 is behind the last fact of the thread, which is \d+\.\n$/);
    expect((await tapefold('0.171/compact', ['context', 'last', '--as-of', 'x'])).code).toBe(2);
    expect((await tapefold('0.171/compact', ['context', 'last', '--provider', 'x'])).code).toBe(2);
  });

  test('[R-CTX-7] shows the fate of each item and why', async () => {
    const { out } = await tapefold('0.171/compact', ['context', 'last', '--fates']);
    expect(lines(out)[0]).toBe('18 items: 8 sent, 8 summarised, 0 rolled back, 0 hidden, 2 never sent');
    expect(out).toMatch(/^ +6 {2}sent +user +question 1$/m);
    expect(out).toMatch(/^ +11 {2}summarised {2}compaction \(#36\) {2}assistant +answer 1$/m);
    expect(out).toMatch(/^ +39 {2}never sent {2}only shown +compaction/m);
    const rolled = await tapefold('0.98.0/interactive', ['context', '01a22bab-86b7', '--fates', '--json']);
    expect(json(rolled.out)).toEqual(expect.arrayContaining([expect.objectContaining({ fate: 'rolledBack', reason: 'rollback' }), expect.objectContaining({ fate: 'summarised', reason: 'compaction' })]));
  });
});
