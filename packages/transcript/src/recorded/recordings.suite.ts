import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type TranscriptOpsCatchupResponse, type TranscriptResponse, transcriptEventSchema, transcriptOpsCatchupResponseSchema, transcriptResponseSchema } from '../index.js';

const fixtures = fileURLToPath(new URL('../../../../fixtures/kimi/', import.meta.url));

const answerSchema = z.object({ code: z.number(), data: z.unknown() });
const text = (path: string): string => readFileSync(`${fixtures}${path}`, 'utf8');

/** The `data` of a recorded answer. */
const dataOf = (answer: unknown): unknown => answerSchema.parse(answer).data;

/** A session that the real server (2.1.0) held in memory: its whole transcript, the batches it could still send, and its transcript in pages of one turn. */
export interface RecordedSession {
  readonly id: string;
  readonly transcript: TranscriptResponse;
  readonly ops: TranscriptOpsCatchupResponse;
  readonly pages: readonly TranscriptResponse[];
}

export function recordedSessions(): RecordedSession[] {
  const folder = 'recorded/2.1.0/web/golden/';
  const ids = readdirSync(`${fixtures}${folder}`).flatMap((name) => /^live\.(session_.*)\.ops\.json$/.exec(name)?.[1] ?? []);
  return ids.map((id) => {
    const read = (what: string): unknown => JSON.parse(text(`${folder}live.${id}.${what}.json`));
    return {
      id, transcript: transcriptResponseSchema.parse(dataOf(read('transcript'))), ops: transcriptOpsCatchupResponseSchema.parse(dataOf(read('ops'))),
      pages: z.array(z.unknown()).parse(read('transcript-paged')).map((page) => transcriptResponseSchema.parse(dataOf(page))),
    };
  });
}

/** One line of `traces/live-trace.jsonl`: a frame to or from one of its WebSocket connections, or a REST answer. */
const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ws'), conn: z.string(), dir: z.enum(['in', 'out']), frame: z.looseObject({ type: z.string(), payload: z.unknown().optional() }) }),
  z.object({ kind: z.literal('rest'), method: z.string(), path: z.string(), response: z.unknown() }),
]);
export type TraceLine = z.infer<typeof lineSchema>;

export const liveTrace = (): TraceLine[] => text('traces/live-trace.jsonl').trim().split('\n').map((line) => lineSchema.parse(JSON.parse(line)));

/** The transcript frame of a line; undefined for any other. Throws where it is one that the schema refuses. */
export function transcriptEventOf(line: TraceLine): z.infer<typeof transcriptEventSchema> | undefined {
  if (line.kind !== 'ws' || line.dir !== 'in' || !line.frame.type.startsWith('transcript.')) return undefined;
  return transcriptEventSchema.parse(line.frame.payload);
}

/** The page of turns that a line answers; undefined for any other. */
export function transcriptAnswerOf(line: TraceLine): TranscriptResponse | undefined {
  return line.kind === 'rest' && /\/transcript\?/.test(line.path) ? transcriptResponseSchema.parse(dataOf(line.response)) : undefined;
}

/** The answer to a question for the batches behind a cursor, and the cursor; undefined for any other line. */
export function catchUpOf(line: TraceLine): { readonly since: number; readonly answer: TranscriptOpsCatchupResponse } | undefined {
  const since = line.kind === 'rest' ? /\/transcript\/ops\?.*since_seq=(\d+)/.exec(line.path)?.[1] : undefined;
  return since === undefined || line.kind !== 'rest' ? undefined : { since: Number(since), answer: transcriptOpsCatchupResponseSchema.parse(dataOf(line.response)) };
}

/** The frames of a session that was loaded from disk and went on; REST answers beside. */
export const resumeTrace = (): unknown[] => text('traces/resume-trace.jsonl').trim().split('\n').map((line) => JSON.parse(line) as unknown);
