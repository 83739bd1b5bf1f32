import type { IncomingHttpHeaders } from 'node:http';

/** Whether a request was sent by a page at all. */
export function isFromPage({ origin }: IncomingHttpHeaders): boolean {
  return origin !== undefined;
}

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).host;
  } catch {
    return undefined;
  }
}

/** Whether a request came from a page of another origin: by its `Origin`, or, where a browser sends none (images, scripts), by what the browser says of the site. */
export function isFromOtherOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined) return false;
  const from = hostOf(origin);
  return from === undefined || from !== hostOf(`http://${host ?? ''}`);
}
