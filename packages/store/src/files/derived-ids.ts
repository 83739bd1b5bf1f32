import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';

/** The namespace of ids that Tapefold derives (docs/thread-ids.md). It never changes: ids that were given out hold. */
export const NAMESPACE = '3e0a5f03-b3b6-4c01-88c0-6d7a60e2abaf';

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for a text in the form of a UUID, whichever version. */
export const isUuid = (text: string): boolean => uuidForm.test(text);

/** UUID of version 5 (RFC 9562): SHA-1 over the namespace's bytes and the name. */
export function uuidV5(name: string, namespace: string = NAMESPACE): string {
  const bytes = createHash('sha1').update(Buffer.from(namespace.replaceAll('-', ''), 'hex')).update(name, 'utf8').digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
