import { type HomeRef, createFileSource, createTranscriptReader } from '@tapefold/store';
import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Page, chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { oneOrigin } from '../one-origin.suite.js';
import { TOKEN, startedRest } from '../sockets.suite.js';

/** The built page of the npm package `@moonshot-ai/kimi-code` (2.1.0): `TAPEFOLD_KIMI` names the package's folder. */
const page = [process.env['TAPEFOLD_KIMI'], '/tmp/kimi/node_modules/@moonshot-ai/kimi-code'].map((path) => path && `${path}/dist-web`).find((path) => path && existsSync(`${path}/index.html`));
const browser = [process.env['TAPEFOLD_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path));
/** Where screenshots are kept when somebody asks for it with `TAPEFOLD_CAPTURES=1`. */
const captures = fileURLToPath(new URL('../../../../docs/captures/kimi-page/', import.meta.url));

const sample = (program: 'codex' | 'claude' | 'kimi'): HomeRef => ({ program, path: fileURLToPath(new URL(`../../../../samples/${program}`, import.meta.url)) });
const homes = [sample('codex'), sample('claude'), sample('kimi')];
/** A session of each agent, and what is said in it near its end. */
const sessions = [
  { name: 'codex', title: 'CSV export of all parcels', said: 'You declined the push, so nothing was deployed.' },
  { name: 'claude', title: 'Why does the map take five seconds to open?', said: 'Six is where it stops paying.' },
  { name: 'kimi', title: 'Which printers does the office have?', said: 'I begin with the one at the door.' },
];

async function keep(shown: Page, name: string): Promise<void> {
  if (process.env['TAPEFOLD_CAPTURES'] !== '1') return;
  mkdirSync(captures, { recursive: true });
  await shown.screenshot({ path: `${captures}${name}.png` });
}

describe('the real web page of Kimi Code as a client', () => {
  if (!page || !browser) it.skip('skipped: it needs @moonshot-ai/kimi-code 2.1.0 (npm i it somewhere, and name its folder with TAPEFOLD_KIMI) and Chromium (TAPEFOLD_CHROMIUM)', () => undefined);
  else {
    it('[R-REST-1] takes the token from its address, lists the sessions of all agents and opens a transcript of each', async () => {
      const source = createFileSource(homes);
      const { port } = await startedRest({ source, transcripts: createTranscriptReader(source) });
      const origin = await oneOrigin(page, port);
      const chrome = await chromium.launch({ executablePath: browser, args: ['--no-sandbox'] });
      onTestFinished(() => chrome.close());
      const shown = await chrome.newPage({ viewport: { width: 1280, height: 900 } });
      // The page's own first-visit dialog is no matter of ours.
      await shown.addInitScript({ content: 'localStorage.setItem("kimi-web.onboarded", "1")' });
      const failures: string[] = [];
      shown.on('pageerror', (error) => failures.push(error.message));
      shown.on('console', (message) => { if (message.type() === 'error' && !message.text().includes('404')) failures.push(message.text()); });
      const frames: string[] = [];
      shown.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => void frames.push(String(payload))));

      await shown.goto(`${origin.url}/#token=${TOKEN}`);
      for (const { title } of sessions) await shown.getByText(title).first().waitFor();
      expect(shown.url()).not.toContain(TOKEN);
      await keep(shown, 'list');
      for (const { name, title, said } of sessions) {
        await shown.getByText(title).first().click();
        await shown.getByText(said).first().waitFor();
        expect(await shown.innerText('body')).not.toMatch(/Operation failed|Kimi server returned an error|Realtime connection error/);
        await keep(shown, name);
      }
      const types = new Set(frames.map((frame) => (JSON.parse(frame) as { type: string }).type));
      expect(types).toEqual(new Set(['server_hello', 'ack', ...(types.has('ping') ? ['ping'] : []), ...(types.has('transcript.reset') ? ['transcript.reset'] : [])]));
      // Each transcript is read once: the number in the page tells the page that it has everything.
      const reads = origin.passed.filter(({ url }) => url.includes('/transcript?')).map(({ url }) => url);
      expect(reads.length, reads.join('\n')).toBeLessThanOrEqual(2 * sessions.length + 2);
      expect(origin.passed.filter(({ status }) => status !== 200 && status !== 404 && status !== 304)).toEqual([]);
      expect(failures).toEqual([]);
    }, 180_000);
  }
});
