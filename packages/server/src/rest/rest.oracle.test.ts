import { createFileSource, createTranscriptReader } from '@tapefold/store';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Answer, bearer, get, startedRest } from '../sockets.suite.js';

const root = fileURLToPath(new URL('../../../../fixtures/kimi/', import.meta.url));

/** A request of the real server, and what it answered. */
interface Recorded { readonly name: string; readonly path: string; readonly answer: Answer }

const answerAt = (path: string): Answer => {
  const answer = JSON.parse(readFileSync(path, 'utf8')) as Answer & { readonly body?: Answer };
  return answer.body ?? answer;
};

/** What the hand-made home was asked; `meta` tells of the server itself. */
function handmade(): Recorded[] {
  const lines = readFileSync(join(root, 'handmade/requests.tsv'), 'utf8').trim().split('\n').map((line) => line.split('\t'));
  return lines.filter(([name]) => name !== 'meta').map(([name = '', path = '']) => ({ name, path: `/api/v1${path}`, answer: answerAt(join(root, 'handmade/responses', `${name}.json`)) }));
}

const queries: Readonly<Record<string, string>> = { 'sessions': '', 'sessions-with-archived': '?include_archive=true&page_size=100' };

/** What the recorded home of a scenario was asked about sessions and batches. */
function recorded(scenario: string): Recorded[] {
  const golden = join(root, 'recorded/2.1.0', scenario, 'golden');
  return readdirSync(golden).flatMap((file): Recorded[] => {
    const [, session, ops, list] = /^cold\.(?:(session_[0-9a-f-]+)\.(ops)|(sessions(?:-with-archived)?))\.json$/.exec(file) ?? [];
    if (ops !== undefined) return [{ name: file, path: `/api/v1/sessions/${session}/transcript/ops?agent_id=main&since_seq=0`, answer: answerAt(join(golden, file)) }];
    return list === undefined ? [] : [{ name: file, path: `/api/v1/sessions${queries[list]}`, answer: answerAt(join(golden, file)) }];
  });
}

async function serving(home: string): Promise<(path: string) => Promise<Answer>> {
  const source = createFileSource([{ program: 'kimi', path: home }]);
  const { port } = await startedRest({ source, transcripts: createTranscriptReader(source) });
  return async (path) => (await get(port, path)).answer;
}

const comparable = (answer: Answer): unknown => ({ ...answer, request_id: undefined });

describe('REST beside what the real server answered', () => {
  it('[R-REST-1] errors, batches and the list of the hand-made home are the recorded ones', async () => {
    const ask = await serving(join(root, 'handmade/home'));
    const exact = handmade().filter(({ name, answer }) => answer.code !== 0 || name.startsWith('ops'));
    expect(exact.length).toBe(10);
    for (const { name, path, answer } of exact) expect(comparable(await ask(path)), name).toEqual(comparable(answer));
    // The home got more sessions after its list was recorded.
    const { items } = handmade().find(({ name }) => name === 'sessions')!.answer.data as { items: { id: string }[] };
    const listed = (await ask('/api/v1/sessions')).data as { items: { id: string }[]; has_more: boolean };
    expect([listed.items.filter(({ id }) => items.some((item) => item.id === id)), listed.has_more]).toEqual([items, false]);
  });

  it('[R-REST-1] lists of sessions and batches of the recorded homes are the recorded ones', async () => {
    const scenarios = readdirSync(join(root, 'recorded/2.1.0')).filter((name) => existsSync(join(root, 'recorded/2.1.0', name, 'home')));
    let compared = 0;
    for (const scenario of scenarios) {
      const ask = await serving(join(root, 'recorded/2.1.0', scenario, 'home'));
      for (const { name, path, answer } of recorded(scenario)) {
        expect(comparable(await ask(path)), `${scenario} ${name}`).toEqual(comparable(answer));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(50);
  });
});

describe('media by reference', () => {
  it('[R-REST-1] what a session kept is given by its id: whole, in part, and to be shown only where nothing in it can run', async () => {
    const home = join(root, 'recorded/2.1.0/headless-mcp/home');
    const source = createFileSource([{ program: 'kimi', path: home }]);
    const { port } = await startedRest({ source, transcripts: createTranscriptReader(source) });
    const [session = ''] = readdirSync(join(home, 'sessions', readdirSync(join(home, 'sessions'))[0]!));
    const media = join(home, 'sessions', readdirSync(join(home, 'sessions'))[0]!, session, 'media');
    const file = readdirSync(media).find((name) => name.endsWith('.png'))!;
    const path = `/api/v1/sessions/${session}/media/${file.replace('.png', '')}`;
    const ask = (headers: Readonly<Record<string, string>> = {}, at = path) => fetch(`http://127.0.0.1:${port}${at}`, { headers: { ...bearer(), ...headers } });
    const bytes = readFileSync(join(media, file));
    const whole = await ask();
    expect([whole.status, whole.headers.get('content-type'), whole.headers.get('content-disposition'), whole.headers.get('x-content-type-options')]).toEqual([200, 'image/png', 'inline; filename*=UTF-8\'\'attachment.png', 'nosniff']);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    for (const [range, from, to] of [['bytes=0-3', 0, 4], ['bytes=10-', 10, bytes.length], ['bytes=-5', bytes.length - 5, bytes.length], [`bytes=4-${bytes.length * 9}`, 4, bytes.length]] as const) {
      const part = await ask({ range });
      expect([part.status, part.headers.get('content-range')], range).toEqual([206, `bytes ${from}-${to - 1}/${bytes.length}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from, to)), range).toBe(true);
    }
    for (const range of ['bytes=0-1,4-5', 'bytes=9-2', 'bytes=-', 'items=0-1', 'bytes=999999999-']) expect((await ask({ range })).status, range).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(401);
    for (const id of ['nope', '..%2f..%2fstate', `${file}`, 'meta', encodeURIComponent('../agents/main/wire')]) {
      const answer = await ask({}, `/api/v1/sessions/${session}/media/${id}`);
      expect([answer.status, ((await answer.json()) as Answer).code], id).toEqual([404, 40407]);
    }
  });
});
