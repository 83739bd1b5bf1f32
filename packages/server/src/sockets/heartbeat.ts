import type { WebSocket, WebSocketServer } from 'ws';

/** Pings every client, and cuts those that gave no sign since the last ping. Ends with the returned function. */
export function keepAlive(server: WebSocketServer, pingMs: number): () => void {
  const silent = new WeakSet<WebSocket>();
  server.on('connection', (socket) => {
    const speak = (): void => { silent.delete(socket); };
    socket.on('pong', speak).on('message', speak);
  });
  const timer = setInterval(() => {
    for (const socket of server.clients) {
      if (silent.has(socket)) {
        socket.terminate();
        continue;
      }
      silent.add(socket);
      socket.ping();
    }
  }, pingMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Says goodbye to a client ("going away"), and cuts it where it does not answer. */
export async function closeSocket(socket: WebSocket, waitMs: number): Promise<void> {
  if (socket.readyState === socket.CLOSED) return;
  await new Promise<void>((resolve) => {
    const cut = setTimeout(() => socket.terminate(), waitMs);
    socket.once('close', () => { clearTimeout(cut); resolve(); });
    socket.close(1001, 'the server stops');
  });
}
