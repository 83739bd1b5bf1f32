import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { recordedData } from '../recorded-transcripts.suite.js';
import { type Answer, bearer, get, http, startedRest, threadIds } from '../sockets.suite.js';
import { sessionsSchema } from './sessions-v1.js';
import { sessionsV2Schema } from './sessions-v2.js';

const id = threadIds[0]!;
const ulid = /^[0-9A-HJKMNP-TV-Z]{26}$/;

describe('REST', () => {
  it('[R-REST-1] answers in the original\'s envelope, with the request\'s own id where it is one', async () => {
    const { port } = await startedRest();
    const { answer, status, headers } = await get(port, '/api/v1/auth', { ...bearer(), 'x-request-id': '01JZX4A6E7M8V0R3Q0N2K2M5Q9' });
    expect([status, answer]).toEqual([200, { code: 0, msg: 'success', data: { models_ready: true, providers_count: 1, managed_provider: null }, request_id: '01JZX4A6E7M8V0R3Q0N2K2M5Q9' }]);
    expect(headers['content-type']).toMatch(/^application\/json/);
    for (const other of ['', 'x', '../../etc', '01JZX4A6E7M8V0R3Q0N2K2M5QI', '81JZX4A6E7M8V0R3Q0N2K2M5Q9', 'a'.repeat(300)]) {
      expect((await get(port, '/api/v1/healthz', { 'x-request-id': other })).answer.request_id, other).toMatch(ulid);
    }
  });

  it('[R-REST-1] lists sessions in both versions, one session, and the folders they ran in', async () => {
    const { port } = await startedRest();
    const { data } = (await get(port, '/api/v1/sessions')).answer;
    const { items, has_more } = z.strictObject({ items: sessionsSchema.shape.items, has_more: z.boolean() }).parse(data);
    expect([new Set(items.map((item) => item.id)), has_more]).toEqual([new Set(threadIds), false]);
    expect((await get(port, `/api/v1/sessions/${id}`)).answer.data).toEqual(items.find((item) => item.id === id));
    const grouped = sessionsV2Schema.parse((await get(port, '/api/v2/sessions?view=by_workspace&group.page_size=5&meta.has_prompt=true')).answer.data);
    expect(grouped).toMatchObject({ total: 1, has_more: false, next_page_token: null, groups: [{ total: threadIds.length }] });
    const { data: folders } = (await get(port, '/api/v1/workspaces')).answer as Answer & { data: { items: { id: string; session_count: number }[] } };
    expect(folders.items).toEqual([expect.objectContaining({ id: items[0]!.workspace_id, root: items[0]!.metadata.cwd, session_count: threadIds.length })]);
    expect((await get(port, `/api/v1/sessions?workspace_id=${items[0]!.workspace_id}`)).answer.data).toEqual(data);
    expect((await get(port, '/api/v1/sessions?workspace_id=wd_none_000000000000')).answer).toMatchObject({ code: 40410, msg: 'workspace wd_none_000000000000 does not exist', data: null });
  });

  it('[R-REST-1] pages through sessions, by id and by token, each once', async () => {
    const { port } = await startedRest();
    const all = ((await get(port, '/api/v1/sessions')).answer.data as { items: { id: string }[] }).items.map((item) => item.id);
    const byId: string[] = [];
    for (let before = ''; ;) {
      const page = (await get(port, `/api/v1/sessions?page_size=1${before && `&before_id=${before}`}`)).answer.data as { items: { id: string }[]; has_more: boolean };
      byId.push(...page.items.map((item) => item.id));
      before = page.items.at(-1)!.id;
      if (!page.has_more) break;
    }
    expect(byId).toEqual(all);
    const byToken: string[] = [];
    let token: string | null = '';
    while (token !== null) {
      const page = (await get(port, `/api/v2/sessions?page_size=1${token && `&page_token=${token}`}`)).answer.data as { items: { id: string }[]; next_page_token: string | null };
      byToken.push(...page.items.map((item) => item.id));
      ({ next_page_token: token } = page);
    }
    expect(byToken).toEqual(all);
    for (const wrong of ['x', '0.1', 'abc.-1', `${'A'.repeat(16)}.1`]) expect((await get(port, `/api/v2/sessions?page_token=${wrong}`)).answer.code, wrong).toBe(40922);
  });

  it('[R-REST-1] transcripts of what does not run: a page with its number, no batches, messages, plans', async () => {
    const { port } = await startedRest();
    const under = `/api/v1/sessions/${id}/transcript`;
    expect((await get(port, `${under}?agent_id=main&page_size=100`)).answer.data).toEqual({ ...recordedData<object>('transcript-main-full'), seq: 0 });
    expect((await get(port, `${under}?agent_id=main&before_turn=t3&page_size=2`)).answer.data).toEqual({ ...recordedData<object>('transcript-main-before-t3'), seq: 0 });
    expect((await get(port, `${under}/ops?agent_id=main&since_seq=0`)).answer.data).toEqual(recordedData('ops-cold'));
    expect((await get(port, `${under}/user-messages`)).answer.data).toEqual(recordedData('user-messages'));
    expect((await get(port, `${under}/plan?agent_id=main`)).answer.data).toEqual(recordedData('plan'));
    expect((await get(port, `${under}/plan?agent_id=main&tool_call_id=call_1`)).answer).toMatchObject({ code: 40416, msg: 'no ExitPlanMode tool call found for tool_call_id: call_1', data: null });
  });

  it('[R-REST-1] [R-RPC-3] refuses in the original\'s words and numbers, with HTTP status 200', async () => {
    const { port } = await startedRest();
    const under = `/api/v1/sessions/${id}/transcript`;
    const refused: [string, number, string][] = [
      ['/api/v1/sessions/session_nope/transcript?agent_id=main', 40401, 'session not found: session_nope'], ['/api/v1/sessions/session_nope/transcript/ops?agent_id=main&since_seq=0', 40401, 'session not found: session_nope'],
      ['/api/v1/sessions/session_nope', 40401, 'session not found: session_nope'], [`${under}`, 40001, 'agent_id: Invalid input: expected string, received undefined'], [`${under}?agent_id=main&page_size=0`, 40001, 'page_size: Too small: expected number to be >=1'],
      [`${under}?agent_id=main&page_size=101`, 40001, 'page_size: Too big: expected number to be <=100'], [`${under}/ops?agent_id=main`, 40001, 'since_seq: Invalid input: expected number, received NaN'], ['/api/v1/sessions?page_size=x', 40001, 'page_size: Invalid input: expected number, received NaN'],
      [`${under}?agent_id=main&agent_id=main`, 40001, 'agent_id: Invalid input: expected string, received array'],
    ];
    for (const [path, code, msg] of refused) {
      const { status, answer } = await get(port, path);
      expect([status, answer.code, answer.msg, answer.data], path).toEqual([200, code, msg, null]);
      if (code === 40001) expect(answer.details).toEqual([{ path: msg.split(':')[0], message: msg.slice(msg.indexOf(':') + 2) }]);
    }
  });

  it('[R-REST-1] [R-RPC-2] everything else is "not found" in an envelope: other routes, other methods, what would change something', async () => {
    const { port } = await startedRest();
    for (const [method, path] of [['GET', '/'], ['GET', '/api/v1'], ['GET', '/api/v1/config'], ['GET', '/api/v1/nope'], ['POST', '/api/v1/sessions'], ['POST', `/api/v1/sessions/${id}/prompts`], ['DELETE', `/api/v1/sessions/${id}`], ['PUT', '/x'], ['PATCH', '/x'], ['OPTIONS', '/api/v1/auth']] as const) {
      for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'x']) {
        const { status, body } = await http({ port, method, path, headers: { ...bearer(), 'content-type': type } }, method.startsWith('P') ? '{"a":[1]}' : undefined);
        expect([status, (JSON.parse(body) as Answer).code], `${method} ${path}`).toEqual([404, 40400]);
      }
    }
  });

  it('[R-REST-1] health, and an OpenAPI document that names every route', async () => {
    const { port } = await startedRest();
    for (const path of ['/healthz', '/readyz']) expect(await http({ port, path })).toMatchObject({ status: 200, body: '' });
    expect((await get(port, '/api/v1/healthz', {})).answer.data).toEqual({ ok: true });
    expect((await http({ port, path: '/openapi.json' })).status).toBe(401);
    const document = JSON.parse((await http({ port, path: '/openapi.json', headers: bearer() })).body) as { openapi: string; paths: Record<string, { get: { parameters: { name: string }[]; responses: unknown } }> };
    expect(document.openapi).toBe('3.0.3');
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/api/v1/sessions/{session_id}/transcript', '/api/v1/sessions/{session_id}/transcript/ops', '/api/v2/sessions', '/api/v1/healthz']));
    expect(document.paths['/api/v1/sessions/{session_id}/transcript']?.get.parameters.map(({ name }) => name)).toEqual(['session_id', 'agent_id', 'before_turn', 'after_turn', 'page_size']);
    for (const [path, { get: { responses } }] of Object.entries(document.paths)) expect(JSON.stringify(responses), path).toContain(path.includes('/media/') ? '"binary"' : '"request_id"');
  });

  it('[R-SEC-1] an error that nobody foresaw is said in the log, and not in the answer', async () => {
    const { port, log } = await startedRest({ transcripts: { agents: () => Promise.reject(new Error('/home/secret/path')), transcript: () => Promise.reject(new Error('/home/secret/path')), userMessages: () => Promise.reject(new Error('x')), plans: () => Promise.reject(new Error('x')) } });
    const { status, answer, body } = await get(port, `/api/v1/sessions/${id}/transcript?agent_id=main`);
    expect([status, answer.code, answer.msg]).toEqual([500, 50001, 'internal error']);
    expect(body).not.toContain('secret');
    expect(log.join()).toContain('/home/secret/path');
  });
});
