import { isIP } from 'node:net';
import { isLoopback } from '../listen/listen-url.js';

const hostHeader = /^(?:\[([0-9a-fA-F:.]{2,45})\]|([A-Za-z0-9._-]{1,253}))(?::\d{1,5})?$/;

/** The name in a `Host` header, in lower case and without port and brackets; undefined where it is none. */
export function nameOfHost(header: string | undefined): string | undefined {
  const [, six, name] = hostHeader.exec(header ?? '') ?? [];
  return (six ?? name)?.toLowerCase();
}

/**
 * Whether a request may name this host. A page that had its own name resolved to this machine (DNS rebinding) sends that name; it cannot send an IP
 * address or `localhost`. `bound`: the address that is listened at; `allowed`: names, in lower case, under which it is reached besides.
 */
export function isAllowedHost(header: string | undefined, { bound, allowed }: { readonly bound: string; readonly allowed: readonly string[] }): boolean {
  const name = nameOfHost(header);
  if (name === undefined) return false;
  if (name === 'localhost' || isLoopback(name) || allowed.includes(name)) return true;
  return !isLoopback(bound) && isIP(name) !== 0;
}
