// @ts-check
// The serving side of `--only live`, a process of its own that its parent tells what to do (see `live.mjs`). `tapefold FOLDER`: a hub with a recorder in this process.
// `bare`: a WebSocket server that sends the same bytes to all, as plainly as `ws` can.
import { createNativePlayer } from '@tapefold/dialects';
import { createLive, startServer } from '@tapefold/server';
import { createFileSource, createTranscriptReader, openLiveLog } from '@tapefold/store';
import { openTape } from '@tapefold/tapes';
import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { peakBytes } from './peak-memory.mjs';

export const THREAD = '01a22b99-774f-7000-8000-00000000be4c';
const [kind, folder = ''] = process.argv.slice(2);
const say = (/** @type {object} */ message) => process.send?.(message);
const pause = (/** @type {number} */ ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Calls for each token at its time: `perSecond` of them, or all at once where it is 0. @param {{ tokens: number, perSecond: number }} how @param {(i: number) => void} act */
async function paced({ tokens, perSecond }, act) {
  const start = performance.now();
  for (let i = 0; i < tokens; i++) {
    const dueMs = perSecond === 0 ? 0 : start + (i * 1000) / perSecond - performance.now();
    // A burst leaves room for what it makes to be sent, as a model that is quick does.
    if (dueMs > 1) await pause(dueMs);
    else if (perSecond === 0 && i % 100 === 99) await pause(1);
    act(i);
  }
}

/** @param {() => Promise<void>} work */
async function measured(work) {
  const [before, start] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(before);
  say({ done: true, cpuMs: (user + system) / 1000, wallMs: performance.now() - start, peakBytes: peakBytes(), rssBytes: process.memoryUsage().rss });
}

async function serveTapefold() {
  const home = join(folder, 'home');
  const source = createFileSource([{ program: 'native', path: home }]);
  const transcripts = createTranscriptReader(source);
  const failed = (/** @type {unknown} */ error) => console.error(error);
  const live = createLive({ source, transcripts, log: openLiveLog(join(folder, 'live.sqlite')), nowMs: Date.now, failed });
  const recorder = await openTape({ home, threadId: THREAD, createPlayer: createNativePlayer, agent: { name: 'bench' }, ...live.bus.sinks(THREAD) });
  const step = recorder.turn('go').step();
  const server = await startServer({
    source, transcripts, live: live.source, identity: { version: '0', home, platform: process.platform, arch: process.arch }, addresses: [{ kind: 'http', host: '127.0.0.1', port: 0 }], token: undefined, nowMs: Date.now, log: () => undefined,
  });
  const { address } = /** @type {{ address: { port: number } }} */ (server.listeners[0]);
  process.on('message', (/** @type {{ tokens: number, perSecond: number, text: string }} */ how) => void measured(async () => {
    const message = step.message();
    await paced(how, (i) => message.delta(`${how.text}${i % 10} `));
    await message.complete();
    await pause(100);
  }));
  say({ port: address.port });
}

/** The frames that the other server sent, at the same times. */
function serveBare() {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  process.on('message', (/** @type {{ frames: { atMs: number, text: string }[] }} */ { frames }) => void measured(async () => {
    const start = performance.now();
    for (const { atMs, text } of frames) {
      const dueMs = start + atMs - performance.now();
      if (dueMs > 1) await pause(dueMs);
      const bytes = Buffer.from(text);
      for (const client of sockets.clients) client.send(bytes, { binary: false });
    }
    await pause(100);
  }));
  sockets.on('listening', () => say({ port: /** @type {{ port: number }} */ (sockets.address()).port }));
}

if (process.send) {
  if (kind === 'bare') serveBare();
  else await serveTapefold();
}
