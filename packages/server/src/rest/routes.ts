import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { parsed } from './rest-error.js';

/** An answer that is no envelope: bytes. Without a stream it has none. */
export class BytesAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: Readable | undefined;

  constructor(status: number, headers: Readonly<Record<string, string>>, stream: Readable | undefined) {
    this.status = status;
    this.headers = headers;
    this.stream = stream;
  }
}

/** A request as it came. */
export interface RawRequest {
  readonly params: unknown;
  readonly query: unknown;
  /** Its `Range` header. */
  readonly range: string | undefined;
  /** What was posted. */
  readonly body: Uint8Array;
}

/** What a route takes in: a media type, and what each line of it is. */
export interface RouteBody { readonly type: string; readonly line: z.ZodType }

/** A route that answers JSON in an envelope, or bytes. */
export interface Route {
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly summary: string;
  /** `GET` where absent. */
  readonly method?: 'POST' | undefined;
  readonly body?: RouteBody | undefined;
  readonly params?: z.ZodObject | undefined;
  readonly query?: z.ZodType | undefined;
  /** What the envelope's `data` is; undefined: the answer is bytes. */
  readonly data?: z.ZodType | undefined;
  /** Anybody may ask, without a token. */
  readonly isOpen?: boolean | undefined;
  readonly answer: (request: RawRequest) => unknown;
}

interface Asked<P, Q> { readonly params: P; readonly query: Q; readonly range: string | undefined; readonly body: Uint8Array }
type Output<S> = S extends z.ZodType ? z.infer<S> : undefined;
type Answer<D> = D extends z.ZodType ? z.infer<D> : BytesAnswer;

/** A route whose handler gets what its schemas let through. */
export function route<D extends z.ZodType | undefined = undefined, P extends z.ZodObject | undefined = undefined, Q extends z.ZodType | undefined = undefined>(
  given: Omit<Route, 'params' | 'query' | 'data' | 'answer'> & { readonly params?: P; readonly query?: Q; readonly data?: D; readonly answer: (asked: Asked<Output<P>, Output<Q>>) => Answer<D> | Promise<Answer<D>> },
): Route {
  const { params, query, answer } = given;
  const output = <S extends z.ZodType | undefined>(schema: S, value: unknown): Output<S> => (schema ? parsed(schema, value) : undefined) as Output<S>;
  return { ...given, answer: (asked) => answer({ params: output(params as P, asked.params), query: output(query as Q, asked.query), range: asked.range, body: asked.body }) };
}

/** A path as the HTTP library writes it. A colon in a path of ours is no parameter. */
export function fastifyPath(path: string): string {
  return path.replaceAll(':', '::').replace(/\{(\w+)\}/g, ':$1');
}
