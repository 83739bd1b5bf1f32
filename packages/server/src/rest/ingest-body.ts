import { type Published, type PublishedError, decodePublished } from '@tapefold/facts';
import { RestError } from './rest-error.js';
import { CODES } from './codes.js';

const NEWLINE = 0x0a;

/** What a recorder said, a record a line, and at which lines of its request the records stand. */
export interface IngestBody {
  readonly records: readonly Published[];
  readonly lines: readonly number[];
}

/** What is the matter with a line (from 1). */
export function lineError(line: number, { path, message }: PublishedError): RestError {
  const place = path === '' ? `line ${line}` : `line ${line}, ${path}`;
  return new RestError(CODES.validation, `${place}: ${message}`, { details: [{ path: place, message }] });
}

/** Reads the body of a request, a JSON record a line; blank lines are left out. Throws a `RestError` that names the line (from 1) and the field. */
export function readIngestBody(body: Uint8Array): IngestBody {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const records: Published[] = [];
  const lines: number[] = [];
  for (let line = 1, from = 0; from < body.length; line += 1) {
    const end = body.indexOf(NEWLINE, from);
    const bytes = body.subarray(from, end < 0 ? body.length : end);
    from += bytes.length + 1;
    let text: string;
    try { text = decoder.decode(bytes); } catch { throw lineError(line, { path: '', message: 'it is not UTF-8' }); }
    if (text.trim() === '') continue;
    const read = decodePublished(text);
    if (read.error) throw lineError(line, read.error);
    records.push(read.published);
    lines.push(line);
  }
  return { records, lines };
}
