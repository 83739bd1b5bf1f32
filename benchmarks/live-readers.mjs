// @ts-check
// The reading side of `--only live`: so many WebSocket clients in a process of their own, which count what arrives. `live-readers.mjs PORT CLIENTS PATH DEFLATE SESSION`
// says `ready` when all have their baseline; told `report`, it says how many frames and bytes came since, and the frames of the first client with their times.
import { WebSocket } from 'ws';

const [port, clients, path, deflate, session] = process.argv.slice(2);
const say = (/** @type {object} */ message) => process.send?.(message);
let frames = 0;
let startMs = 0;
/** @type {{ atMs: number, text: string }[]} */
let first = [];
/** @type {WebSocket[]} */
const sockets = [];

const bytesRead = () => sockets.reduce((sum, socket) => sum + /** @type {{ _socket: { bytesRead: number } }} */ (/** @type {unknown} */ (socket))._socket.bytesRead, 0);

/** @param {number} i @returns {Promise<void>} */
const connected = (i) => new Promise((resolve, reject) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: deflate === '1' });
  sockets.push(socket);
  const isSubscribing = session !== undefined && session !== '';
  socket.on('open', () => {
    if (!isSubscribing) return resolve();
    socket.send(JSON.stringify({ type: 'subscribe_v2', id: 's', payload: { session_id: session, transcript: { '*': 'delta' } } }));
  });
  socket.on('message', (/** @type {Buffer} */ data) => {
    frames += 1;
    if (i > 0 && startMs > 0) return;
    const text = data.toString('utf8');
    if (text.startsWith('{"type":"ack"')) resolve();
    if (i === 0 && startMs > 0) first.push({ atMs: performance.now() - startMs, text });
  });
  socket.on('error', reject);
});

let before = 0;
process.on('message', (/** @type {'begin' | 'report'} */ order) => {
  if (order === 'begin') { frames = 0; first = []; startMs = performance.now(); before = bytesRead(); return say({ begun: true }); }
  say({ frames, bytes: bytesRead() - before, first });
  return undefined;
});

for (let i = 0; i < Number(clients); i += 50) await Promise.all(Array.from({ length: Math.min(50, Number(clients) - i) }, (_, n) => connected(i + n)));
say({ ready: true });
