import type { AgentProgram } from '@tapefold/store';
import type { AgentTranscriptSnapshot } from '@tapefold/transcript';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { folder } from '../../sockets.suite.js';
import { foldedFile, readerOf } from '../recorded/finished-files.suite.js';
import { type TestClient, LiveServer, followSession, until } from './live-server.suite.js';
import { expectInStep } from './recorded.suite.js';
import { ReplayedHome } from './replayed-home.suite.js';

const fixtures = fileURLToPath(new URL('../../../../../fixtures/', import.meta.url));
/** Without the session of 300 turns, which is for benchmarks. */
const scenarios = (folder: string): string[] => readdirSync(join(fixtures, folder)).filter((name) => name !== 'big-300-turns').sort().map((name) => `${folder}/${name}`);
const recorded: readonly (readonly [program: AgentProgram, scenario: string])[] = [
  ...['kimi/handmade', ...scenarios('kimi/recorded/2.1.0')].map((name) => ['kimi', name] as const), ...scenarios('codex/recorded/0.171').map((name) => ['codex', name] as const),
];

/** An agent of a session, and what somebody sees who is there when its files are finished. */
interface Finished { readonly sessionId: string; readonly agentId: string; readonly state: AgentTranscriptSnapshot }

/** Every session of a home: by the path of its file below the home, and its agents, folded cold. A turn that no record ends runs still, for whoever saw it begin. */
async function finishedIn(program: AgentProgram, path: string): Promise<{ readonly files: ReadonlyMap<string, string>; readonly agents: readonly Finished[] }> {
  const reader = readerOf(program, path);
  const files = new Map<string, string>();
  const agents: Finished[] = [];
  for (const { sessionId, summary } of (await reader.sessions()).sessions) {
    files.set(summary.path.slice(path.length + 1), sessionId);
    for (const { agentId } of await reader.agents(sessionId)) {
      const { running: state } = await foldedFile({ reader, sessionId, agentId });
      agents.push({ sessionId, agentId, state });
    }
  }
  return { files, agents };
}

/** Writes a recorded home once more, while a client follows each session from its first records on. */
async function replay(program: AgentProgram, from: string): Promise<{ readonly agents: number; readonly frames: number }> {
  const to = folder();
  const { files, agents } = await finishedIn(program, from);
  const server = new LiveServer(folder(), [{ program, path: to }], { isHasty: true });
  await server.start();
  const clients = new Map<string, TestClient>();
  try {
    const follow = async (sessionId: string): Promise<void> => {
      if (clients.has(sessionId)) return;
      const client = followSession(server, sessionId, 'delta');
      clients.set(sessionId, client);
      await until(`session ${sessionId} at its client`, () => client.session.state('main')?.kind === 'live');
    };
    await new ReplayedHome(from, to, 5).write(async (path) => {
      const sessionId = files.get(path);
      if (sessionId !== undefined) await follow(sessionId);
    });
    for (const { sessionId, agentId, state } of agents) {
      // Only one of which nothing was written was not followed by now.
      await follow(sessionId);
      await expectInStep(clients.get(sessionId)!, state, agentId);
    }
    expect(server.failures).toEqual([]);
    return { agents: agents.length, frames: [...clients.values()].reduce((sum, { transport }) => sum + transport.frames, 0) };
  } finally {
    for (const { client } of clients.values()) client.close();
    await server.stop();
  }
}

describe('recorded sessions, written once more while clients follow them', () => {
  const told = { agents: 0, frames: 0 };

  it.each(recorded)('[R-OPS-8] %s %s: every agent ends at the client in the state of the cold fold of the finished file', async (program, scenario) => {
    const { agents, frames } = await replay(program, join(fixtures, scenario, 'home'));
    told.agents += agents;
    told.frames += frames;
  });

  it('are all there is, and were told bit by bit', () => {
    expect(told.agents).toBeGreaterThanOrEqual(90);
    expect(told.frames).toBeGreaterThan(10 * told.agents);
  });
});
