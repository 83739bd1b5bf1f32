import { isIPv4, isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { ServerError } from '../errors.js';

/** A place to listen at over TCP. `host` is an IP address, without brackets. */
export interface TcpAddress {
  /** `ws`: JSON-RPC. `http`: REST and the transcript WebSocket. */
  readonly kind: 'ws' | 'http';
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/** A place to listen at in the file system: JSON-RPC over WebSocket. */
export interface UnixAddress {
  readonly kind: 'unix';
  readonly path: string;
}

/** Where somebody can listen. */
export type ListenAddress = { readonly kind: 'stdio' } | TcpAddress | UnixAddress;

/** Whether only programs of the same machine reach an IP address. */
export function isLoopback(host: string): boolean {
  return host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** An IP address as it stands in a URL. */
export function urlHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

const tcpUrl = /^(ws|http):\/\/(?:\[([^\]]*)\]|([^:/[\]]*)):(\d{1,5})\/?$/;

function tcpAddress(text: string): TcpAddress {
  const [, kind, six, four, port] = tcpUrl.exec(text) ?? [];
  if (kind !== 'ws' && kind !== 'http') throw new ServerError('badListenUrl', { about: text, reason: 'it names no address and port' });
  const host = six ?? (four === 'localhost' ? '127.0.0.1' : four ?? '');
  const isAddress = six === undefined ? isIPv4(host) : isIPv6(host);
  if (!isAddress) throw new ServerError('badListenUrl', { about: text, reason: `${host === '' ? 'nothing' : host} is no IP address` });
  if (Number(port) > 65_535) throw new ServerError('badListenUrl', { about: text, reason: `${port} is no port` });
  return { kind, host, port: Number(port) };
}

/** Reads a place to listen at. `defaultSocket`: what `unix://` alone means. Refusals are `badListenUrl`. */
export function parseListenUrl(text: string, { cwd, defaultSocket }: { readonly cwd: string; readonly defaultSocket: string }): ListenAddress {
  if (text === 'stdio://') return { kind: 'stdio' };
  if (text.startsWith('unix://')) {
    const path = text.slice('unix://'.length);
    if (path.includes('\0')) throw new ServerError('badListenUrl', { about: text, reason: 'it holds a NUL' });
    return { kind: 'unix', path: path === '' ? defaultSocket : resolve(cwd, path) };
  }
  return tcpAddress(text);
}

/** An address as a URL; the port is the one that was bound. */
export function listenUrl(address: TcpAddress | UnixAddress): string {
  return address.kind === 'unix' ? `unix://${address.path}` : `${address.kind}://${urlHost(address.host)}:${address.port}`;
}
