import { transcriptPlanResponseSchema, transcriptResponseSchema, transcriptUserMessagesResponseSchema } from '@tapefold/transcript';
import { settleTranscript } from '@tapefold/transcript/fold';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type AgentProgram, createFileSource, createTranscriptReader } from '../index.js';

const fixtures = fileURLToPath(new URL('../../../../fixtures/', import.meta.url));
const readerOf = (program: AgentProgram, home: string) => createTranscriptReader(createFileSource([{ program, path: `${fixtures}${home}` }]));

const homes: readonly (readonly [program: AgentProgram, home: string])[] = [
  ['codex', 'codex/recorded/0.171/subagents-v1/home'], ['codex', 'codex/recorded/0.171/rich-text/home'], ['codex', 'codex/handmade/4-rollback/home'], ['claude', 'claude/recorded/2.1.197/task-subagent/home'],
  ['claude', 'claude/recorded/2.1.197/permission-prompts/home'], ['kimi', 'kimi/recorded/2.1.0/subagent/home'], ['kimi', 'kimi/handmade/home'],
];

describe('transcripts of sessions of every agent program', () => {
  it.each(homes)('[R-REST-1] %s %s: every session answers as the wire contract has it, for each of its agents', async (program, home) => {
    const reader = readerOf(program, home);
    const { sessions } = await reader.sessions();
    expect(sessions.length).toBeGreaterThan(0);
    for (const { sessionId } of sessions) {
      const agents = await reader.agents(sessionId);
      expect(agents[0]).toMatchObject({ agentId: 'main', type: 'main' });
      for (const { agentId } of agents) {
        const answer = await reader.transcript(sessionId, { agentId, pageSize: 100 });
        expect(transcriptResponseSchema.parse(JSON.parse(JSON.stringify(answer))).agent_id).toBe(agentId);
        transcriptPlanResponseSchema.parse(await reader.plans(sessionId, { agentId }));
      }
      expect(transcriptUserMessagesResponseSchema.parse(await reader.userMessages(sessionId)).agents.map(({ agent_id }) => agent_id)).toEqual(agents.map(({ agentId }) => agentId));
    }
  });

  it.each([['codex', homes[0]![1]], ['claude', homes[3]![1]], ['kimi', homes[5]![1]]] as const)('[R-THR-1] %s: a call names the agents that it started, and each has a transcript of its own', async (program, home) => {
    const reader = readerOf(program, home);
    const [session] = (await reader.sessions()).sessions;
    const agents = await reader.agents(session!.sessionId);
    const { items } = await reader.transcript(session!.sessionId);
    const refs = items.flatMap((item) => (item.kind === 'turn' ? item.steps.flatMap(({ frames }) => frames.flatMap((frame) => (frame.kind === 'tool' ? frame.agentRefs ?? [] : []))) : []));
    const known = new Set(agents.map(({ agentId }) => agentId));
    expect(refs.length).toBeGreaterThan(0);
    for (const { agentId } of refs) {
      expect(known.has(agentId)).toBe(true);
      expect((await reader.transcript(session!.sessionId, { agentId })).items.length).toBeGreaterThan(0);
    }
  });

  it('[R-REST-1] an agent that is none has nothing and joins no roster; a session that is none is an error; a thread of an agent is its session seen from there', async () => {
    const reader = readerOf('claude', homes[3]![1]);
    const [session] = (await reader.sessions()).sessions;
    const { sessionId, summary } = session!;
    const ghost = await reader.transcript(sessionId, { agentId: 'ghost' });
    expect(ghost).toMatchObject({ agent_id: 'ghost', items: [], tasks: [], meta: {}, has_more: false });
    expect(ghost.agents.map(({ agentId }) => agentId)).not.toContain('ghost');
    await expect(reader.transcript('nope')).rejects.toMatchObject({ code: 'threadNotFound' });
    const sub = (await reader.agents(sessionId))[1]!.agentId;
    expect((await reader.transcript(sub)).agent_id).toBe(sub);
    expect((await reader.transcript(summary.thread.id)).agent_id).toBe('main');
  });

  it('[R-THR-4] turns that were rolled back are gone, and those behind them follow on', async () => {
    const reader = readerOf('codex', homes[2]![1]);
    const { sessions } = await reader.sessions();
    for (const { sessionId } of sessions) {
      const turns = (await reader.transcript(sessionId, { pageSize: 100 })).items.filter(({ kind }) => kind === 'turn');
      expect(turns.map((turn) => (turn.kind === 'turn' ? turn.turnId : ''))).toEqual(turns.map((_, i) => `t${i}`));
    }
  });

  it('[R-OPS-8] an agent that is followed reaches the state of its history, read whole', async () => {
    const reader = readerOf('kimi', homes[5]![1]);
    const [session] = (await reader.sessions()).sessions;
    const followed = await reader.follow(session!.sessionId);
    const fold = followed!.newFold();
    const stop = new AbortController();
    for await (const growth of followed!.growth(stop.signal)) {
      if (growth.kind === 'facts') for (const fact of growth.facts) fold.fold(fact);
      else if (growth.kind === 'caughtUp') stop.abort();
    }
    expect(JSON.parse(JSON.stringify(settleTranscript(fold.view()).items))).toEqual(JSON.parse(JSON.stringify((await reader.transcript(session!.sessionId, { pageSize: 100 })).items)));
    expect(await reader.follow(session!.sessionId, 'ghost')).toBeUndefined();
  });
});
