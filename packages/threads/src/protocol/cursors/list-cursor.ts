import { RpcError } from '../wire/rpc-error.js';
import { readUuid } from '../wire/uuid-text.js';

/** A place in a list of threads: a time (Unix ms), and the id of the thread there; without an id, the bare time. */
export interface ListAnchor {
  readonly timeMs: number;
  readonly threadId: string | undefined;
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const FILE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)$/;

function timeOf(text: string): number | undefined {
  const file = FILE_TIME.exec(text);
  if (!file && !RFC3339.test(text)) return undefined;
  const ms = Date.parse(file ? `${file[1]}T${file[2]}:${file[3]}:${file[4]}Z` : text.replace(' ', 'T').toUpperCase());
  return Number.isNaN(ms) ? undefined : ms;
}

/** Reads a list cursor: RFC 3339 with an id after `|`, a bare RFC 3339 time, or `YYYY-MM-DDTHH-MM-SS` as in file names. Anything else is an `RpcError`. */
export function readListCursor(text: string): ListAnchor {
  const [time = '', id, ...more] = text.split('|');
  const timeMs = timeOf(time);
  const read = id === undefined ? undefined : readUuid(id);
  if (timeMs === undefined || more.length > 0 || (read && 'problem' in read)) throw new RpcError('invalidCursor', { about: text });
  return { timeMs, threadId: read && 'uuid' in read ? read.uuid : undefined };
}

/** Writes a cursor: whole seconds without a fraction, as the original does. */
export function writeListCursor({ timeMs, threadId }: ListAnchor): string {
  const time = new Date(timeMs).toISOString().replace('.000Z', 'Z');
  return threadId === undefined ? time : `${time}|${threadId}`;
}
