import { describe, expect, it } from 'vitest';
import type { AgentTranscriptSnapshot, TranscriptInteraction, TranscriptTurn } from '../index.js';
import { plansAnswer, transcriptAnswer, userMessagesAnswer } from './index.js';

const empty: AgentTranscriptSnapshot = { items: [], tasks: [], interactions: [], attachments: [], todos: [], prompts: [], meta: {} };
const agents = [{ agentId: 'main', type: 'main' as const }];

function turnWith(call: object, ordinal = 0): TranscriptTurn {
  const id = `t${ordinal}`;
  const frame = { kind: 'tool' as const, frameId: `${id}.1.c`, toolCallId: 'c', name: 'ExitPlanMode', state: 'done' as const, ...call };
  return { kind: 'turn', turnId: id, ordinal, state: 'completed', origin: { kind: 'user' }, steps: [{ kind: 'step', stepId: `${id}.1`, turnId: id, ordinal: 1, state: 'completed', frames: [frame] }] };
}

const approval = (fields: object): TranscriptInteraction => ({ interactionId: 'i', interactionKind: 'approval', toolCallId: 'c', state: 'approved', ...fields });
const plansOf = (call: object, interactions: TranscriptInteraction[] = []) => plansAnswer({ agentId: 'main', snapshot: { ...empty, items: [turnWith(call)], interactions } }).plans;

describe('plans', () => {
  const review = { kind: 'plan_review', plan: 'P', path: '/p.md', options: [{ label: 'Go', description: 'd' }, { label: '' }, 7] };

  it('[R-REST-1] are read where they were asked about, then where they were displayed, then from the result', () => {
    const asked = approval({ request: { display: review }, response: { decision: 'approved', selectedLabel: 'Go', feedback: '' } });
    expect(plansOf({ output: 'x' }, [asked])).toEqual([{ tool_call_id: 'c', turn_id: 't0', source: 'interaction', plan: 'P', path: '/p.md', options: [{ label: 'Go', description: 'd' }], review: { state: 'approved', selected_option: 'Go' } }]);
    expect(plansOf({ display: review, output: 'x' })).toMatchObject([{ source: 'display', plan: 'P' }]);
    expect(plansOf({ output: 'Plan saved to: /x.md\n\n## Approved Plan:\n1. do it' })).toEqual([{ tool_call_id: 'c', turn_id: 't0', source: 'output', plan: '1. do it', path: '/x.md' }]);
    expect(plansOf({ output: '## Plan (auto-approved, not user-reviewed):\n1.' })).toMatchObject([{ source: 'output', plan: '1.' }]);
  });

  it('[R-REST-1] without text are none; those of other tools say it by what they display', () => {
    expect(plansOf({ display: { kind: 'plan_review', plan: ' ' }, output: '## Approved Plan:\n ' })).toEqual([]);
    expect(plansOf({ name: 'plan', display: review })).toMatchObject([{ source: 'display' }]);
    expect(plansOf({ name: 'Bash', output: '## Approved Plan:\n1.' })).toEqual([]);
    const other = { ...empty, items: [turnWith({ display: review })] };
    expect(plansAnswer({ agentId: 'main', snapshot: other }, 'another')).toEqual({ agent_id: 'main', plans: [] });
  });
});

describe('user messages', () => {
  it('[R-REST-1] are those of turns with words or attachments, with the attachments that they name, each once', () => {
    const turn = turnWith({});
    const items = [{ ...turn, prompt: 'a', attachmentIds: ['att_1'] }, { ...turnWith({}, 1), attachmentIds: ['att_1'] }, turnWith({}, 2)];
    const attachments = [{ attachmentId: 'att_1', mediaType: 'image/*' }, { attachmentId: 'att_2', mediaType: 'image/*' }];
    expect(userMessagesAnswer([{ agentId: 'main', snapshot: { ...empty, items, attachments }, hasModes: false }])).toEqual({
      agents: [{
        agent_id: 'main', attachments: [attachments[0]],
        messages: [
          { turn_id: 't0', ordinal: 0, state: 'completed', origin: { kind: 'user' }, prompt: 'a', attachment_ids: ['att_1'] }, { turn_id: 't1', ordinal: 1, state: 'completed', origin: { kind: 'user' }, prompt: '', attachment_ids: ['att_1'] },
        ],
      }],
    });
  });
});

describe('a page', () => {
  it('[R-OPS-10] holds its turns, and all entities; a tower is not shown, and leaves nothing of modes that held no more', () => {
    const snapshot = { ...empty, items: [0, 1, 2].map((n) => turnWith({}, n)), interactions: [approval({ state: 'pending' })], meta: { modes: { tower: {} } } };
    const answer = transcriptAnswer({ agentId: 'main', snapshot, hasModes: true }, { page: { pageSize: 1, beforeTurn: 't2' }, agents });
    expect(answer).toMatchObject({ agent_id: 'main', items: [{ turnId: 't1' }], has_more: true, interactions: [{ interactionId: 'i' }], meta: {}, agents, pending_interactions: ['i'] });
    expect(answer.meta).toEqual({});
    expect(transcriptAnswer({ agentId: 'main', snapshot: empty, hasModes: true }, { page: {}, agents }).meta).toEqual({ modes: {} });
  });
});
