import { StoreError } from '@tapefold/store';
import type { z } from 'zod';
import { INGEST_BYTES } from '../limits.js';
import { CODES } from './codes.js';

/** One thing that is wrong with a request. */
export interface ErrorDetail {
  /** Name of the parameter. */
  readonly path: string;
  readonly message: string;
}

/** A request that is refused. `status`: the HTTP status; the original answers 200 for what a well-formed request asks in vain. */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly code: number;
  readonly status: number;
  readonly details: readonly ErrorDetail[] | undefined;
  /** What a program needs to go on. */
  readonly data: object | undefined;

  constructor(code: number, message: string, { status = 200, details, data }: { readonly status?: number; readonly details?: readonly ErrorDetail[]; readonly data?: object } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.data = data;
  }
}

export const sessionNotFound = (id: string): RestError => new RestError(CODES.sessionNotFound, `session not found: ${id}`);

/** What does not fit a schema, in the original's words: the first fault in the message, all of them in the details. */
export function validationError(error: z.core.$ZodError): RestError {
  const details = error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
  const [first] = details;
  return new RestError(CODES.validation, first === undefined ? 'Invalid request' : `${first.path}: ${first.message}`, { details });
}

/** Reads parameters. Throws a `RestError` where they do not fit. */
export function parsed<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const read = schema.safeParse(value);
  if (!read.success) throw validationError(read.error);
  return read.data;
}

const hasCode = (error: unknown): error is Error & { readonly code: string; readonly statusCode?: number } => error instanceof Error && 'code' in error && typeof error.code === 'string';

export const strangeType = new RestError(CODES.strangeType, 'The body is of a type that is not taken here: the OpenAPI document names the one that is.', { status: 415 });
const tooLarge = new RestError(CODES.tooLarge, `The body is larger than ${INGEST_BYTES} bytes: send less at once.`, { status: 413 });

/** The one place where errors of the packages below, and of the HTTP library, become answers. Undefined: nobody foresaw it, and only the log may say more. */
export function restErrorOf(error: unknown, sessionId: string | undefined): RestError | undefined {
  if (error instanceof RestError) return error;
  if (error instanceof StoreError && error.code === 'threadNotFound') return sessionNotFound(sessionId ?? '');
  if (hasCode(error) && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return strangeType;
  if (hasCode(error) && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge;
  if (hasCode(error) && error.code.startsWith('FST_') && error.statusCode !== undefined && error.statusCode < 500) return new RestError(CODES.malformed, 'The request is malformed.', { status: error.statusCode });
  return undefined;
}
