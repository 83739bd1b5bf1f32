import { transcriptResetEventSchema } from '@tapefold/transcript';
import { describe, expect, it } from 'vitest';
import { FRAME_BYTES } from '../limits.js';
import { recordedData, recordedTranscripts } from '../recorded-transcripts.suite.js';
import { type Json, Talk, TOKEN, bearer, closeOf, opened, startedRest, threadIds } from '../sockets.suite.js';

const [id, other] = threadIds as [string, string];
interface Whole { readonly items: unknown[]; readonly tasks: unknown[] }

async function talking(options: Parameters<typeof startedRest>[0] = {}): Promise<{ talk: Talk; socket: Awaited<ReturnType<typeof opened>>; port: number }> {
  const { port } = await startedRest(options);
  const socket = await opened(`ws://127.0.0.1:${port}/api/v1/ws?client_id=web_1`, bearer());
  const talk = new Talk(socket);
  await talk.find(({ type }) => type === 'server_hello');
  return { talk, socket, port };
}

const payloadOf = (frame: Json): Json => frame['payload'] as Json;
const resets = (talk: Talk): Json[] => talk.seen.filter(({ type }) => type === 'transcript.reset');

describe('the transcript WebSocket', () => {
  it('[R-REST-1] says hello first, and answers the client\'s', async () => {
    const { talk } = await talking();
    expect(talk.seen[0]).toEqual({
      type: 'server_hello', timestamp: expect.stringMatching(/Z$/),
      payload: { ws_connection_id: expect.stringMatching(/^conn_\w{26}$/), protocol_version: 2, heartbeat_ms: 10_000, max_event_buffer_size: 1000, capabilities: { event_batching: false, compression: false } },
    });
    expect(await talk.call({ id: 'c_1', type: 'client_hello', payload: { client_id: 'web_1', subscriptions: [], cursors: {} } })).toEqual({ type: 'ack', id: 'c_1', code: 0, msg: 'success', payload: { accepted_subscriptions: [], resync_required: [], cursors: {} } });
    const again = await talk.call({ id: 'c_2', type: 'client_hello', payload: { subscriptions: [id, other, 'nope'], cursors: { [id]: { seq: 0, epoch: 'ep_old' }, [other]: { seq: 0 } } } });
    expect(payloadOf(again)).toMatchObject({ accepted_subscriptions: [id, other], resync_required: [id], cursors: { [id]: { seq: 0, epoch: expect.stringMatching(/^ep_/) } } });
  });

  it('[R-LIVE-4] D-12: a session that does not run is accepted; one baseline with the newest turns goes before the ack, sub-agents whole', async () => {
    const { talk } = await talking();
    const ack = await talk.call({ id: 'c_1', type: 'subscribe_v2', payload: { session_id: id, transcript: { '*': 'delta' } } });
    expect(ack).toMatchObject({ code: 0, payload: { accepted: [id], not_found: [], resync_required: [], cursors: { [id]: { seq: 0 } } } });
    expect(talk.seen.map(({ type }) => type)).toEqual(['server_hello', 'transcript.reset', 'transcript.reset', 'ack']);
    const [main, sub] = resets(talk);
    expect(main).toMatchObject({ seq: 0, epoch: expect.stringMatching(/^ep_/), volatile: true, session_id: id, payload: { type: 'transcript.reset', agent_id: 'main', has_more_older: false, seq: 0 } });
    for (const [frame, name] of [[main, 'transcript-main-full'], [sub, 'transcript-agent-0']] as const) {
      const { snapshot } = transcriptResetEventSchema.parse(payloadOf(frame!));
      const { items, tasks } = recordedData<Whole>(name);
      expect([snapshot.items, snapshot.tasks]).toEqual([items, tasks]);
    }
  });

  it('[R-OPS-6] who has everything gets nothing; who has what nobody knows, and who asks for more, gets a baseline', async () => {
    const { talk } = await talking();
    const subscribe = async (n: number, transcript: Json, more: Json = {}): Promise<number> => {
      const before = resets(talk).length;
      await talk.call({ id: `c_${n}`, type: 'subscribe_v2', payload: { session_id: id, transcript, ...more } });
      return resets(talk).length - before;
    };
    expect(await subscribe(1, { main: 'turn' }, { transcript_since: { main: 0 } })).toBe(0);
    expect(await subscribe(2, { main: 'turn' })).toBe(0);
    expect(await subscribe(3, { main: 'block' })).toBe(1);
    expect(await subscribe(4, { main: 'delta' }, { transcript_since: { '*': 0 } })).toBe(0);
    expect(await subscribe(5, { main: 'turn' })).toBe(0);
    expect(await subscribe(6, { main: 'turn' }, { transcript_since: { main: 7 } })).toBe(1);
    expect(await subscribe(7, { main: 'turn' }, { transcript_since: { main: 0 }, transcript_epoch: 'other' })).toBe(1);
    expect(await subscribe(8, { main: 'off', 'agent-0': 'delta' })).toBe(1);
    const turns = (payloadOf(resets(talk)[1]!)['snapshot'] as { items: { kind: string; steps?: unknown[] }[] }).items.filter(({ kind }) => kind === 'turn');
    expect(turns.every(({ steps }) => steps?.length === 0)).toBe(true);
  });

  it('[R-REST-1] unsubscribing: some agents, all, twice, sessions that nobody follows', async () => {
    const { talk } = await talking();
    const accepted = { accepted: [id], not_found: [], resync_required: [] };
    await talk.call({ id: 'c_1', type: 'subscribe_v2', payload: { session_id: id, transcript: { '*': 'delta' } } });
    expect(payloadOf(await talk.call({ id: 'c_2', type: 'unsubscribe_v2', payload: { session_id: id, agent_ids: ['main'] } }))).toEqual(accepted);
    expect(payloadOf(await talk.call({ id: 'c_3', type: 'unsubscribe_v2', payload: { session_id: id } }))).toEqual(accepted);
    expect(payloadOf(await talk.call({ id: 'c_4', type: 'unsubscribe_v2', payload: { session_id: id } }))).toEqual(accepted);
    expect(payloadOf(await talk.call({ id: 'c_5', type: 'unsubscribe', payload: { session_ids: [id, 'nope'] } }))).toEqual({ accepted: [], not_found: [], resync_required: [] });
    const before = resets(talk).length;
    await talk.call({ id: 'c_6', type: 'subscribe_v2', payload: { session_id: id, transcript: { main: 'delta' } } });
    expect(resets(talk).length - before).toBe(1);
  });

  it('[R-REST-1] bad payloads are told, unknown sessions named, other frames left out; path tricks are unknown sessions', async () => {
    const transcripts = recordedTranscripts();
    const { talk } = await talking({ transcripts });
    for (const [i, payload] of [{}, { session_id: id, transcript: { '*': 'stream' } }, { session_id: 5, transcript: {} }, null, [], { session_id: id, transcript: { main: 'delta' }, transcript_since: { main: -1 } }].entries()) {
      expect(await talk.call({ id: `b_${i}`, type: 'subscribe_v2', payload })).toEqual({ type: 'ack', id: `b_${i}`, code: 1, msg: 'invalid subscribe_v2 payload', payload: {} });
    }
    for (const type of ['unsubscribe_v2', 'subscribe', 'unsubscribe', 'client_hello']) expect(await talk.call({ id: type, type, payload: 5 })).toMatchObject({ code: 1 });
    for (const text of ['nonsense', '[]', '5', '{"type":5}', '{"type":"abort","id":"x"}', '{"type":"pong"}']) talk.write(text);
    for (const sessionId of ['nope', '..', '../../etc/passwd', `${id}/x`, 'last', id.slice(0, 8), '__proto__', '']) {
      const ack = await talk.call({ id: `s_${sessionId}`, type: 'subscribe_v2', payload: { session_id: sessionId, transcript: { main: 'delta' } } });
      if (sessionId !== '') expect(payloadOf(ack), sessionId).toEqual({ accepted: [], not_found: [sessionId], resync_required: [], cursors: {} });
      expect(payloadOf(await talk.call({ id: `e_${sessionId}`, type: 'subscribe', payload: { session_ids: [sessionId] } }))).toMatchObject({ accepted: [], not_found: [sessionId] });
    }
    expect(transcripts.asked).toEqual([]);
    expect(talk.seen.every(({ type }) => type === 'server_hello' || type === 'ack')).toBe(true);
  });

  it('[R-REST-1] frames are answered strictly in order, however fast they come', async () => {
    const { talk } = await talking();
    for (let i = 0; i < 100; i++) talk.write({ id: String(i), type: i % 2 ? 'subscribe_v2' : 'unsubscribe_v2', payload: { session_id: id, transcript: { main: 'delta' } } });
    await talk.find((frame) => frame['id'] === '99');
    expect(talk.seen.filter(({ type }) => type === 'ack').map((frame) => frame['id'])).toEqual(Array.from({ length: 100 }, (_, i) => String(i)));
  });

  it('[R-REST-1] pings; who gives no sign for two of them is closed, who answers is not', async () => {
    const { talk, socket, port } = await talking({ limits: { heartbeatMs: 100 } });
    const silent = await opened(`ws://127.0.0.1:${port}/api/v1/ws`, bearer());
    const closed = closeOf(silent);
    const pong = setInterval(() => talk.write({ type: 'pong', payload: { nonce: 'x' } }), 40);
    expect(payloadOf(await talk.find(({ type }) => type === 'ping'))).toEqual({ nonce: expect.stringMatching(/^\w{26}$/) });
    expect(await closed).toEqual({ code: 1001, reason: 'heartbeat timeout' });
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    clearInterval(pong);
    expect(socket.readyState).toBe(socket.OPEN);
  });

  it('[R-SEC-1] a flood of frames, a frame that is too large, and a wrong token in the hello end the connection', async () => {
    const { port } = await startedRest();
    const open = () => opened(`ws://127.0.0.1:${port}/api/v1/ws`, bearer());
    const flood = await open();
    const closed = closeOf(flood);
    for (let i = 0; i < 2_000; i++) flood.send(JSON.stringify({ id: String(i), type: 'subscribe_v2', payload: { session_id: id, transcript: { main: 'delta' } } }));
    expect((await closed).code).toBe(1008);
    const large = await open();
    large.send(`{"type":"${'x'.repeat(FRAME_BYTES)}"}`);
    expect((await closeOf(large)).code).toBe(1009);
    const wrong = await open();
    const talk = new Talk(wrong);
    const gone = closeOf(wrong);
    expect(await talk.call({ id: 'c', type: 'client_hello', payload: { token: 'x' } })).toMatchObject({ code: 40112, msg: 'unauthorized' });
    expect((await gone).code).toBe(1008);
    const right = new Talk(await open());
    expect(await right.call({ id: 'c', type: 'client_hello', payload: { token: TOKEN } })).toMatchObject({ code: 0 });
  });
});
