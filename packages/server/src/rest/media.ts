import type { SessionMedia } from '@tapefold/store';
import { BytesAnswer } from './routes.js';

/** What browsers show and cannot run. Anything else is only downloaded. */
const shown = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|video\/[\w.+-]{1,60}|audio\/[\w.+-]{1,60})$/;

/** The part of a file that is asked for; undefined: all of it, also where the header asks for several parts or none that there is. */
export function rangeOf(header: string | undefined, sizeBytes: number): { readonly start: number; readonly end: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  return start <= end ? { start, end } : undefined;
}

/** A media file as an answer: it is given a type only where a browser shows that type without running anything. */
export function mediaAnswer(media: SessionMedia, rangeHeader: string | undefined): BytesAnswer {
  const { name, mediaType, sizeBytes } = media;
  const isShown = shown.test(mediaType);
  const range = rangeOf(rangeHeader, sizeBytes);
  const headers = {
    'content-type': isShown ? mediaType : 'application/octet-stream', 'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`,
    'accept-ranges': 'bytes', 'content-length': String(range ? range.end - range.start + 1 : sizeBytes), ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${sizeBytes}` }),
  };
  if (sizeBytes === 0) void media.close();
  return new BytesAnswer(range ? 206 : 200, headers, sizeBytes === 0 ? undefined : media.stream(range));
}
