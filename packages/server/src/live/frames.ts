import { z } from 'zod';
import type { Baseline, Batch, EventCursor } from './live-source.js';

/** What a client sends. Anything else is left out without a word, as the original does. */
export const clientFrameSchema = z.object({ type: z.string(), id: z.string().max(256).optional(), payload: z.unknown().optional() });
export type ClientFrame = z.infer<typeof clientFrameSchema>;

const sessionIds = z.array(z.string()).max(1_000);
const cursors = z.record(z.string(), z.object({ seq: z.number(), epoch: z.string().optional() }));

export const helloPayloadSchema = z.object({ client_id: z.string().optional(), subscriptions: sessionIds.default([]), cursors: cursors.default({}), token: z.string().optional() });
export const subscribePayloadSchema = z.object({ session_ids: sessionIds, cursors: cursors.default({}) });
export const unsubscribePayloadSchema = z.object({ session_ids: sessionIds });

export interface HelloOptions { readonly connectionId: string; readonly heartbeatMs: number; readonly at: string }

export function helloFrame({ connectionId, heartbeatMs, at }: HelloOptions): object {
  return {
    type: 'server_hello', timestamp: at,
    payload: { ws_connection_id: connectionId, protocol_version: 2, heartbeat_ms: heartbeatMs, max_event_buffer_size: 1000, capabilities: { event_batching: false, compression: false } },
  };
}

export function ackFrame(id: string | undefined, payload: object, { code = 0, msg = 'success' } = {}): object {
  return { type: 'ack', ...(id !== undefined && { id }), code, msg, payload };
}

export function pingFrame(nonce: string, at: string): object {
  return { type: 'ping', timestamp: at, payload: { nonce } };
}

interface InEnvelope { readonly sessionId: string; readonly cursor: EventCursor; readonly at: string }

function envelope(type: string, { sessionId, cursor, at }: InEnvelope, payload: object): object {
  return { type, seq: cursor.seq, epoch: cursor.epoch, volatile: true, session_id: sessionId, timestamp: at, payload: { type, ...payload } };
}

const numbered = ({ seq, epoch }: Pick<Batch, 'seq' | 'epoch'>): object => ({ seq, ...(epoch !== undefined && { epoch }) });

export function resetFrame(baseline: Baseline, around: InEnvelope): object {
  const { agentId, snapshot, hasMoreOlder } = baseline;
  return envelope('transcript.reset', around, { agent_id: agentId, snapshot, has_more_older: hasMoreOlder, ...numbered(baseline) });
}

export function opsFrame(batch: Batch, around: InEnvelope): object {
  return envelope('transcript.ops', around, { agent_id: batch.agentId, ops: batch.ops, ...numbered(batch) });
}
