import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cellWidth } from './text/cell-width.js';
import { environment, folder, main, samples, tapefold } from './built.suite.js';

interface Seen {
  readonly screen: string[];
  readonly raw: string;
  readonly code: number;
  readonly signal: number | undefined;
}

/** Runs the command in a terminal and returns what a person sees at the end. `onData` is told everything that was written so far. */
async function inTerminal(args: readonly string[], options: { cols: number; env?: Readonly<Record<string, string>>; onData?: (raw: string, interrupt: () => void) => void }): Promise<Seen> {
  const { cols, env, onData } = options;
  const pty = spawn(process.execPath, [main, ...args], { cols, rows: 50, env: environment({ TERM: 'xterm-256color', ...env }) });
  let raw = '';
  pty.onData((text) => {
    raw += text;
    onData?.(raw, () => pty.write('\u0003'));
  });
  const { exitCode, signal } = await new Promise<{ exitCode: number; signal?: number }>((resolve) => pty.onExit(resolve));
  const terminal = new xterm.Terminal({ cols, rows: 50, scrollback: 5_000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(raw, resolve));
  const buffer = terminal.buffer.active;
  const screen = Array.from({ length: buffer.length }, (_, y) => buffer.getLine(y)?.translateToString(true) ?? '');
  while (screen.at(-1) === '') screen.pop();
  return { screen, raw, code: exitCode, signal };
}

/** The same of a command that is interrupted as soon as some words are there. */
async function interrupted(args: readonly string[], { at, ...options }: { readonly at: string; readonly cols: number; readonly env?: Readonly<Record<string, string>> }): Promise<Seen & { readonly isSent: boolean }> {
  let isSent = false;
  const seen = await inTerminal(args, {
    ...options,
    onData: (raw, interrupt) => {
      if (isSent || !raw.includes(at)) return;
      isSent = true;
      interrupt();
    },
  });
  return { ...seen, isSent };
}

/** A session that takes well over a second to read. */
function longHome(): string {
  const home = folder();
  const id = '019b0000-0000-7000-8000-0000000000ff';
  const path = join(home, `sessions/2026/01/02/rollout-2026-01-02T03-04-05-${id}.jsonl`);
  const at = { timestamp: '2026-01-02T03:04:05.000Z' };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ ...at, type: 'session_meta', payload: { id, timestamp: at.timestamp, cwd: '/w', originator: 'x', cli_version: '0.150.0', source: 'cli', model_provider: 'openai' } })}\n`);
  const pair = [{ type: 'user_message', message: 'go on', images: [] }, { type: 'agent_message', message: 'words' }].map((payload) => `${JSON.stringify({ ...at, type: 'event_msg', payload })}\n`).join('');
  for (let i = 0; i < 5; i += 1) appendFileSync(path, pair.repeat(10_000));
  return home;
}

describe('in a terminal', () => {
  test.each([80, 120])('the list fits %i columns, in colour', async (cols) => {
    const { screen, raw, code } = await inTerminal(['list', '--all', '--archived', '--home', `codex=${samples}`], { cols });
    expect(code).toBe(0);
    expect(raw).toContain('\u001b[1m');
    expect(screen).toHaveLength(cols === 80 ? 10 : 6);
    for (const line of screen) expect(cellWidth(line)).toBeLessThanOrEqual(cols);
    expect(screen.join('\n')).toContain('✓ completed');
    expect((await inTerminal(['list', '--home', `codex=${samples}`], { cols, env: { NO_COLOR: '1' } })).raw).not.toContain('\u001b[1m');
  });

  test('a long read says how far it is, and takes that back', async () => {
    const { screen, raw, code } = await inTerminal(['show', 'last', '--turn', '1', '--home', `codex=${longHome()}`], { cols: 80 });
    expect(code).toBe(0);
    expect(raw).toMatch(/reading … \d+ %/);
    expect(screen[0]).toBe('# go on');
    expect(screen.join('\n')).not.toContain('reading …');
  }, 120_000);

  test('an interrupt takes the progress line away and ends by its signal', async () => {
    const { screen, isSent, signal } = await interrupted(['show', 'last', '--home', `codex=${longHome()}`], { cols: 80, at: 'reading' });
    expect([isSent, signal]).toEqual([true, 2]);
    expect(screen.join('\n')).not.toContain('reading …');
  }, 120_000);

  test('[R-STO-2] an interrupt of index takes the progress away, ends what is begun, and then ends by its signal', async () => {
    const env = { TAPEFOLD_HOME: folder(), CODEX_HOME: longHome() };
    const { screen, isSent, signal } = await interrupted(['index'], { cols: 100, env, at: 'indexing' });
    expect([isSent, signal]).toEqual([true, 2]);
    expect(screen.join('\n')).not.toContain('█');
    expect(screen.join('\n')).toContain('tapefold: stopping: what is indexed stays');
    expect(tapefold(['status'], { env }).out).toContain('nobody');
  }, 120_000);
});
