import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { claudeSamples, folder, kimiSamples, samples } from '../built.suite.js';
import { Served } from '../served.suite.js';

/** The real program (0.171.0): `TAPEFOLD_CODEX` names it. */
const codex = [process.env['TAPEFOLD_CODEX'], '/tmp/codex/node_modules/.bin/codex'].find((path) => path !== undefined && existsSync(path));
/** Where screens are kept when somebody asks for it with `TAPEFOLD_CAPTURES=1`. */
const captures = fileURLToPath(new URL('../../../../docs/captures/codex-client/', import.meta.url));

const COLS = 120;
const ROWS = 36;
const closed = 'http://127.0.0.1:9';
const keys = { expand: '\u0005', transcript: '\u0014', down: '\u001b[B' };

const terminals: IPty[] = [];
afterEach(() => { for (const terminal of terminals.splice(0)) terminal.kill('SIGKILL'); });

/** A home of the client's own: nothing in it leads out of this machine. */
function clientHome(): string {
  const home = folder();
  const config = ['model = "gpt-5.5"', 'model_provider = "mock"', 'check_for_update_on_startup = false', '[model_providers.mock]', 'name = "mock"', 'base_url = "http://127.0.0.1:9/v1"', 'wire_api = "responses"', 'requires_openai_auth = false'];
  writeFileSync(join(home, 'config.toml'), `${config.join('\n')}\n`);
  writeFileSync(join(home, 'auth.json'), '{"OPENAI_API_KEY":"sk-invented"}');
  return home;
}

/** Codex's picker in a terminal, beside a server that it reads from. */
class Picker {
  readonly #pty: IPty;
  readonly #terminal = new xterm.Terminal({ cols: COLS, rows: ROWS, allowProposedApi: true });

  constructor(program: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder(), CODEX_HOME: clientHome(), TERM: 'xterm-256color', TZ: 'UTC', HTTPS_PROXY: closed, HTTP_PROXY: closed, NO_PROXY: '127.0.0.1', ...more };
    this.#pty = spawn(program, [...args], { cols: COLS, rows: ROWS, cwd: folder(), env });
    terminals.push(this.#pty);
    this.#pty.onData((text) => this.#terminal.write(text));
    // The program asks the terminal what it is.
    this.#terminal.onData((text) => this.#pty.write(text));
  }

  get screen(): string {
    const buffer = this.#terminal.buffer.active;
    return Array.from({ length: ROWS }, (_, y) => buffer.getLine(buffer.viewportY + y)?.translateToString(true) ?? '').join('\n');
  }

  press(text: string): void {
    this.#pty.write(text);
  }

  /** The screen, once it shows something. */
  async shows(pattern: RegExp): Promise<string> {
    const until = Date.now() + 60_000;
    while (!pattern.test(this.screen)) {
      if (Date.now() > until) throw new Error(`the screen never showed ${pattern.source}:\n${this.screen}`);
      await new Promise((resolve) => { setTimeout(resolve, 50); });
    }
    return this.screen;
  }

  keep(name: string): void {
    if (process.env['TAPEFOLD_CAPTURES'] !== '1') return;
    mkdirSync(captures, { recursive: true });
    writeFileSync(join(captures, `${name}.txt`), `${this.screen.trimEnd()}\n`);
  }
}

describe('the real terminal program of Codex as a client', () => {
  if (codex === undefined) it.skip('skipped: codex 0.171.0 is not here (npm i @openai/codex@0.171.0 somewhere, and name its bin with TAPEFOLD_CODEX)', () => undefined);
  else {
    it('[R-RPC-1] lists the sessions of all agents, unfolds a preview of each, and opens its transcript', async () => {
      const served = new Served(['--home', `codex=${samples}`, '--home', `claude=${claudeSamples}`, '--home', `kimi=${kimiSamples}`, '--listen', 'ws://127.0.0.1:0', '--no-auth']);
      const [url] = await served.says(/ws:\/\/127\.0\.0\.1:\d+/);
      const sessions = [
        { name: 'codex', title: /CSV export of all parcels/, previewed: /Conversation:[^]*│ \S/, read: /CSV/ },
        { name: 'claude', title: /Why does the map take five seconds to open\?/, previewed: /Conversation:[^]*└ Six is where it stops paying\./, read: /Six is where it stops paying\./ },
        { name: 'kimi', title: /Which printers does the office have\?/, previewed: /Conversation:[^]*│ Four: door, desk, store and lab\./, read: /I begin with the one at the door\./ },
      ];
      for (const { name, title, previewed, read } of sessions) {
        const picker = new Picker(codex, ['resume', '--all', '--remote', url]);
        await picker.shows(/› \S+ ago/);
        for (const session of sessions) expect(picker.screen).toMatch(session.title);
        if (name === 'codex') picker.keep('list');
        for (let row = 0; !new RegExp(`› \\S+ ago +${title.source}`).test(picker.screen); row += 1) {
          expect(row).toBeLessThan(20);
          const before = picker.screen;
          picker.press(keys.down);
          while (picker.screen === before) await new Promise((resolve) => { setTimeout(resolve, 20); });
        }
        picker.press(keys.expand);
        expect(await picker.shows(previewed)).toMatch(/Session: [^]*Created: [^]*Updated: [^]*Directory: /);
        picker.keep(`${name}-preview`);
        picker.press(keys.transcript);
        await picker.shows(/T R A N S C R I P T/);
        await picker.shows(read);
        picker.keep(`${name}-transcript`);
      }
      served.child.kill('SIGTERM');
      expect(await served.ended).toBe(0);
    }, 180_000);

    it('[R-SEC-1] reads with the token, and not without; over a socket in the file system it needs none', async () => {
      const state = folder();
      const file = join(state, 'token');
      const socket = join(state, 'closed/server.sock');
      const served = new Served(['--home', `codex=${samples}`, '--listen', 'ws://127.0.0.1:0', '--listen', `unix://${socket}`, '--token-file', file]);
      const [url] = await served.says(/ws:\/\/127\.0\.0\.1:\d+/);
      await served.says(/listening at unix:/);
      const refused = new Picker(codex, ['resume', '--all', '--remote', url]);
      expect(await refused.shows(/401/)).not.toContain('CSV export');
      const shown = new Picker(codex, ['resume', '--all', '--remote', url, '--remote-auth-token-env', 'TOKEN_OF_TEST'], { TOKEN_OF_TEST: readFileSync(file, 'utf8').trim() });
      await shown.shows(/CSV export of all parcels/);
      const local = new Picker(codex, ['resume', '--all', '--remote', `unix://${socket}`]);
      await local.shows(/CSV export of all parcels/);
    }, 90_000);
  }
});
