import { describe, expect, it } from 'vitest';
import { isLoopback, listenUrl, parseListenUrl } from './listen-url.js';

const parse = (text: string) => parseListenUrl(text, { cwd: '/w', defaultSocket: '/state/server.sock' });

describe('places to listen at', () => {
  it('are read', () => {
    expect(parse('stdio://')).toEqual({ kind: 'stdio' });
    expect(parse('ws://127.0.0.1:0')).toEqual({ kind: 'ws', host: '127.0.0.1', port: 0 });
    expect(parse('ws://localhost:8080/')).toEqual({ kind: 'ws', host: '127.0.0.1', port: 8080 });
    expect(parse('ws://[::1]:65535')).toEqual({ kind: 'ws', host: '::1', port: 65535 });
    expect(parse('unix:///run/x.sock')).toEqual({ kind: 'unix', path: '/run/x.sock' });
    expect(parse('unix://x.sock')).toEqual({ kind: 'unix', path: '/w/x.sock' });
    expect(parse('unix://')).toEqual({ kind: 'unix', path: '/state/server.sock' });
    expect([listenUrl({ kind: 'ws', host: '::1', port: 9 }), listenUrl({ kind: 'unix', path: '/a' })]).toEqual(['ws://[::1]:9', 'unix:///a']);
  });

  it('are refused with the reason', () => {
    for (const [text, reason] of [
      ['', 'names no address'], ['tcp://1.2.3.4:5', 'names no address'], ['ws://127.0.0.1', 'names no address'], ['ws://example.com:80', 'example.com is no IP address'], ['ws://[1.2.3.4]:80', 'no IP address'],
      ['ws://:80', 'nothing is no IP address'], ['ws://127.0.0.1:65536', '65536 is no port'], ['ws://127.0.0.1:-1', 'names no address'], ['ws://127.1:80', '127.1 is no IP address'], ['ws://u@127.0.0.1:80', 'no IP address'], ['unix://a\0b', 'NUL'],
    ] as const) expect(() => parse(text), text).toThrow(reason);
  });

  it('[R-SEC-1] loopback is what only this machine reaches', () => {
    expect(['127.0.0.1', '127.255.0.9', '::1'].every(isLoopback)).toBe(true);
    expect(['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '127.evil', 'localhost', '::ffff:127.0.0.1'].some(isLoopback)).toBe(false);
  });
});
