import {
  type TranscriptOpsCatchupResponse, type TranscriptResponse, transcriptOpsCatchupResponseSchema, transcriptOpsPayloadSchema, transcriptResetPayloadSchema, transcriptResponseSchema,
} from '@tapefold/transcript';
import { z } from 'zod';

const resetFrame = z.object({ type: z.literal('transcript.reset'), session_id: z.string(), payload: transcriptResetPayloadSchema });
const opsFrame = z.object({ type: z.literal('transcript.ops'), session_id: z.string(), payload: transcriptOpsPayloadSchema });
const helloFrame = z.object({ type: z.literal('server_hello'), payload: z.object({ ws_connection_id: z.string(), heartbeat_ms: z.number().positive().optional() }) });
const pingFrame = z.object({ type: z.literal('ping'), payload: z.object({ nonce: z.string() }) });
const ackFrame = z.object({
  type: z.literal('ack'), id: z.string(), code: z.number(), msg: z.string().optional(),
  payload: z.object({ accepted: z.array(z.string()).optional(), not_found: z.array(z.string()).optional() }),
});

const serverFrameSchema = z.discriminatedUnion('type', [resetFrame, opsFrame, helloFrame, pingFrame, ackFrame]);
/** A frame of the server that concerns transcripts, or the connection. */
export type ServerFrame = z.infer<typeof serverFrameSchema>;

/** `unknown`: JSON of another type, which a client passes over. `broken`: no JSON, or a known type with a field that is not as agreed; `reason` names it. */
export type DecodedFrame = ServerFrame | { readonly type: 'unknown' } | { readonly type: 'broken'; readonly reason: string };

const known: ReadonlySet<string> = new Set(['transcript.reset', 'transcript.ops', 'server_hello', 'ping', 'ack']);
const typeOf = (value: unknown): unknown => (typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined);

const reasonOf = (error: z.ZodError): string => {
  const issue = error.issues[0];
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as agreed'}`;
};

/** One text frame of `/api/v1/ws`. Never throws. */
export function decodeFrame(text: string): DecodedFrame {
  let value: unknown;
  try { value = JSON.parse(text); } catch { return { type: 'broken', reason: 'the frame is not JSON' }; }
  const type = typeOf(value);
  if (typeof type !== 'string' || !known.has(type)) return { type: 'unknown' };
  const parsed = serverFrameSchema.safeParse(value);
  return parsed.success ? parsed.data : { type: 'broken', reason: reasonOf(parsed.error) };
}

function checked<T>(schema: z.ZodType<T>, data: unknown, what: string): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Error(`the server's ${what} is not as agreed: ${reasonOf(parsed.error)}`);
}

/** Throws an `Error` that names the field where the answer is not as agreed. */
export const decodePage = (data: unknown): TranscriptResponse => checked(transcriptResponseSchema, data, 'transcript page');
/** Throws an `Error` that names the field where the answer is not as agreed. */
export const decodeCatchUp = (data: unknown): TranscriptOpsCatchupResponse => checked(transcriptOpsCatchupResponseSchema, data, 'answer to a catch-up');
