import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { factSchema } from '@tapefold/facts';
import { said } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { fixturesFolder } from '../corpus.suite.js';
import { createKimiStatePlayer } from './state-document.js';

function play(text: string) {
  const { facts, account } = createKimiStatePlayer({ tape: 'kimi-state/s', namedThreadId: 's' }).play({ offset: 0, length: text.length, text, isTerminated: false });
  for (const fact of facts) expect(factSchema.safeParse(fact).success).toBe(true);
  return { said: said(facts), verdict: account.verdict };
}

describe('[R-DIA-2] the state of a session', () => {
  it('tells title, folder, and agents with their parents', () => {
    const text = readFileSync(join(fixturesFolder, 'handmade/home/sessions/wd_proj_8f04e32c7203/session_00000000-0000-4000-8000-000000000001/state.json'), 'utf8');
    expect(play(text)).toEqual({
      verdict: 'played',
      said: [
        { type: 'thread.changed', threadId: 'session_00000000-0000-4000-8000-000000000001', details: { name: 'Oracle', cwd: '/home/dev/kh/proj', isArchived: false } },
        { type: 'agent.described', agentId: 'main', kind: 'main' },
        { type: 'agent.described', agentId: 'agent-0', kind: 'sub', parentAgentId: 'main' },
      ],
    });
  });

  it('of an older version, of a fork, of a swarm', () => {
    expect(play('{"createdAt":"2026-05-01T00:00:00.000Z","title":"","custom":{"cwd":"/p","archived":true}}').said).toEqual([{ type: 'thread.changed', threadId: 's', details: { cwd: '/p', isArchived: true } }]);
    expect(play('{"id":"b","workDir":"/w","forkedFrom":"a","agents":{"agent-3":{"parentAgentId":"main","labels":{"parentAgentId":"agent-1","swarmItem":"file 3","profileName":"coder"}},"x":null}}').said).toEqual([
      { type: 'thread.changed', threadId: 'b', details: { cwd: '/w', isArchived: false } },
      { type: 'thread.linked', relation: 'forkOf', threadId: 'a' },
      { type: 'agent.described', agentId: 'agent-3', kind: 'sub', parentAgentId: 'agent-1', name: 'file 3', role: 'coder' },
    ]);
  });

  it('that is damaged is said to be so', () => {
    expect(play('{"id":').verdict).toBe('damaged');
    expect(play('').verdict).toBe('blank');
  });
});
