import { publishedSchema } from '@tapefold/facts';
import { type ThreadSource, nativeThreadId } from '@tapefold/store';
import { z } from 'zod';
import type { FactBus, OrdinalGap, PublishRefusal } from '../live/hub/fact-bus.js';
import { CODES } from './codes.js';
import { type IngestBody, lineError, readIngestBody } from './ingest-body.js';
import { RestError } from './rest-error.js';
import { type Route, route } from './routes.js';

/** The ids that a recorder may give a thread: they name a folder. */
const threadIdSchema = z.string().regex(/^[A-Za-z0-9][\w.-]{0,127}$/, 'a thread id has letters, digits, "_", "." and "-", and begins with a letter or digit');
const ingestQuerySchema = z.object({ thread_id: threadIdSchema });
/** `session_id`: the id under which transcripts of the thread are asked for. `next_ordinal`: of the fact that comes next. */
const ingestAnswerSchema = z.object({ session_id: z.string(), next_ordinal: z.number().int().nonnegative() });

function refusal(refused: PublishRefusal, { lines }: IngestBody): RestError {
  switch (refused.why) {
    case 'full': return new RestError(CODES.busy, 'Too many threads are being recorded: try again later.', { status: 503 });
    case 'tape': return lineError(lines[refused.at] ?? 0, { path: 'fact.tape', message: `the facts before it are of the tape ${refused.expected}` });
    case 'gap': return gapError(refused.gap, `line ${lines[refused.at]}, fact.ordinal`);
  }
}

function gapError({ expected, got }: OrdinalGap, place: string): RestError {
  const message = `the next fact is ${expected}, and this one is ${got}: send those from ${expected} on`;
  return new RestError(CODES.ordinalGap, `${place}: ${message}`, { details: [{ path: place, message }], data: { next_ordinal: expected } });
}

/** A thread may begin to be told in its middle only where a session file has what came before. */
async function demandFile(source: ThreadSource, sessionId: string, { records, lines }: IngestBody): Promise<void> {
  const at = records.findIndex((record) => record.type === 'begin' && record.from > 0);
  const record = records[at];
  if (record?.type !== 'begin') return;
  const hasFile = await source.summary(sessionId).then(({ thread, program }) => thread.id === sessionId && program === 'native', () => false);
  if (!hasFile) throw gapError({ expected: 0, got: record.from }, `line ${lines[at]}, from`);
}

/** Where recorders in other processes tell what they record. */
export function ingestRoute(source: ThreadSource, bus: FactBus): Route {
  return route({
    path: '/api/v1/ingest', method: 'POST', query: ingestQuerySchema, data: ingestAnswerSchema, body: { type: 'application/x-ndjson', line: publishedSchema },
    summary: 'What a recorder tells of one thread, a record a line. All of it is taken, or nothing. Facts that are there already are passed over; an empty body says that the recorder is there.',
    answer: async ({ query: { thread_id: threadId }, body }) => {
      const sessionId = nativeThreadId(threadId);
      const read = readIngestBody(body);
      await demandFile(source, sessionId, read);
      const refused = bus.publish(threadId, read.records, body.length);
      if (refused) throw refusal(refused, read);
      return { session_id: sessionId, next_ordinal: bus.nextOrdinal(threadId) };
    },
  });
}
