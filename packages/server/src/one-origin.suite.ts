import { readFileSync, statSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { connect } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { onTestFinished } from 'vitest';

const types: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.ico': 'image/x-icon', '.woff2': 'font/woff2', '.json': 'application/json' };

/** A request that a page made of the API, and how it was answered. */
export interface Passed { readonly method: string; readonly url: string; readonly status: number }

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, { port, passed }: { readonly port: number; readonly passed: Passed[] }): void {
  const sent = request({ host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers: incoming.headers }, (answer) => {
    passed.push({ method: incoming.method ?? '', url: incoming.url ?? '', status: answer.statusCode ?? 0 });
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  sent.on('error', () => outgoing.destroy());
  incoming.pipe(sent);
}

function sendFile(folder: string, url: string, response: ServerResponse): void {
  const path = join(folder, normalize(decodeURIComponent(url.split('?', 1)[0] ?? '/')));
  const file = statSync(path, { throwIfNoEntry: false })?.isFile() ? path : join(folder, 'index.html');
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
}

/** A folder of files and an API under one origin, as a proxy in front of both would make it: `Host` and `Origin` are passed on. Ends with the test. */
export async function oneOrigin(folder: string, port: number): Promise<{ readonly url: string; readonly passed: readonly Passed[] }> {
  const passed: Passed[] = [];
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith('/api/')) passOn(incoming, outgoing, { port, passed });
    else sendFile(folder, incoming.url ?? '/', outgoing);
  });
  server.on('upgrade', (incoming: IncomingMessage, socket, head: Buffer) => {
    const behind = connect(port, '127.0.0.1', () => {
      const lines = Array.from({ length: incoming.rawHeaders.length / 2 }, (_, i) => `${incoming.rawHeaders[2 * i]}: ${incoming.rawHeaders[2 * i + 1]}`);
      behind.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      behind.write(head);
      behind.pipe(socket).pipe(behind);
    });
    for (const end of [behind, socket]) end.on('error', () => { behind.destroy(); socket.destroy(); });
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, passed };
}
