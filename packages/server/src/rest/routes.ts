import type { z } from 'zod';
import { parsed } from './rest-error.js';

/** A route that answers JSON in an envelope. */
export interface Route {
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly summary: string;
  readonly params?: z.ZodObject | undefined;
  readonly query?: z.ZodType | undefined;
  /** What the envelope's `data` is. */
  readonly data: z.ZodType;
  /** Anybody may ask, without a token. */
  readonly isOpen?: boolean | undefined;
  readonly answer: (asked: { readonly params: Readonly<Record<string, string>>; readonly query: unknown }) => unknown;
}

interface Asked<P, Q> { readonly params: P; readonly query: Q }
type Output<S> = S extends z.ZodType ? z.infer<S> : undefined;

/** A route whose handler gets what its schemas let through. */
export function route<D extends z.ZodType, P extends z.ZodObject | undefined = undefined, Q extends z.ZodType | undefined = undefined>(
  given: Omit<Route, 'params' | 'query' | 'data' | 'answer'> & { readonly params?: P; readonly query?: Q; readonly data: D; readonly answer: (asked: Asked<Output<P>, Output<Q>>) => z.infer<D> | Promise<z.infer<D>> },
): Route {
  const { params, query, answer } = given;
  return {
    ...given,
    answer: (asked) => answer({ params: (params ? parsed(params, asked.params) : undefined) as Output<P>, query: (query ? parsed(query, asked.query) : undefined) as Output<Q> }),
  };
}

/** A path as the HTTP library writes it. A colon in a path of ours is no parameter. */
export function fastifyPath(path: string): string {
  return path.replaceAll(':', '::').replace(/\{(\w+)\}/g, ':$1');
}
