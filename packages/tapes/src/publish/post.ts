import { isJsonObject, readJson } from '@tapefold/facts';

/** One request: `body` is a JSON record a line. */
export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** Sends one `POST`, and gives status and text of the answer. Rejects where nobody answered. */
export type Post = (request: PostRequest) => Promise<{ readonly status: number; readonly text: string }>;

/** `fetch`, without redirects: a token goes nowhere else. */
export const fetchPost: Post = async ({ url, headers, body, signal }) => {
  const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  return { status: answer.status, text: await answer.text() };
};

/**
 * What came of a request. `taken`: all of it; `next` is the ordinal that comes next. `gap`: nothing, since facts before are missing. `later`: the server is not there, or
 * takes nothing just now. `never`: it would not take this however often it is sent.
 */
export type Outcome = { readonly kind: 'taken' | 'gap'; readonly next: number } | { readonly kind: 'later' | 'never'; readonly why: string };

const GAP = 40931;
/** The request itself is wrong; with any other error another try may help (a token that was changed, a server that is full, or stops). */
const hopeless: ReadonlySet<number> = new Set([400, 404, 413, 415]);
const VALIDATION = 40001;

/** Reads an answer in the envelope of the REST API. Never throws. */
export function outcomeOf({ status, text }: { readonly status: number; readonly text: string }): Outcome {
  const { value } = readJson(text);
  const envelope = isJsonObject(value) ? value : {};
  const { code, msg, data } = envelope;
  const next = isJsonObject(data ?? null) ? (data as { next_ordinal?: unknown }).next_ordinal : undefined;
  if (typeof next === 'number' && (code === 0 || code === GAP)) return { kind: code === 0 ? 'taken' : 'gap', next };
  const why = typeof msg === 'string' ? `${msg} (HTTP ${status}, code ${typeof code === 'number' ? code : 'none'})` : `it is no Tapefold server that takes recordings (HTTP ${status})`;
  return { kind: hopeless.has(status) || code === VALIDATION ? 'never' : 'later', why };
}
