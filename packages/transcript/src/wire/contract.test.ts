import { describe, expect, it } from 'vitest';
import {
  agentIdSchema, agentTranscriptSnapshotSchema, textFrameSchema, transcriptGradeSpecSchema, transcriptMetaMergeSchema, transcriptMetaSchema, transcriptOperationSchema, transcriptOpsQuerySchema,
  transcriptResponseSchema, transcriptUnsubscribeV2PayloadSchema,
} from '../index.js';

describe('[R-OPS-11] the wire contract', () => {
  it('lets no agent id out of its folder', () => {
    for (const id of ['../main', '..\\main', '..', 'a/b', 'a\\b', '.', 'a\0b', 'a'.repeat(129), '', 'ä', 'main\n']) expect(agentIdSchema.safeParse(id).success, JSON.stringify(id)).toBe(false);
    for (const id of ['main', 'agent-0', 'sub-1', '01M8NS70D3FKQMTAGHZ7NZCEEM', '...', 'a'.repeat(128)]) expect(agentIdSchema.safeParse(id).success, id).toBe(true);
  });

  it('reads the shapes of older peers, and gives the newer ones', () => {
    const timing = { llmFirstTokenLatencyMs: 5 };
    const step = { kind: 'step', stepId: 't0.1', turnId: 't0', ordinal: 1, state: 'completed' };
    expect(transcriptOperationSchema.parse({ op: 'step.upsert', turnId: 't0', step: { ...step, timing } })).toEqual({ op: 'step.upsert', turnId: 't0', step: { ...step, llmTiming: timing } });
    expect(transcriptOperationSchema.parse({ op: 'step.upsert', turnId: 't0', step: { ...step, timing: {}, llmTiming: timing } })).toEqual({ op: 'step.upsert', turnId: 't0', step: { ...step, llmTiming: timing } });
    const phase = { kind: 'streaming', turnId: 0, step: 1, stepId: '', stream: 'assistant', since: 7 };
    expect(transcriptMetaSchema.parse({ agent: { phase } })).toEqual({ agent: { phase: { kind: 'running', turnId: 0, step: 1, stepId: '', since: 7 } } });
    const page = { agent_id: 'main', items: [], has_more: false, tasks: [], interactions: [], attachments: [], todos: [], meta: {}, agents: [], pending_interactions: [] };
    expect(transcriptResponseSchema.parse(page)).toEqual({ ...page, prompts: [] });
    expect(agentTranscriptSnapshotSchema.parse({ items: [], tasks: [], meta: {} })).toEqual({ items: [], tasks: [], interactions: [], attachments: [], todos: [], prompts: [], meta: {} });
  });

  it('drops fields that it does not know, so that newer peers are understood', () => {
    expect(transcriptOperationSchema.parse({ op: 'items.remove', ids: ['t0'], reason: 'undo' })).toEqual({ op: 'items.remove', ids: ['t0'] });
  });

  it.each([
    [transcriptGradeSpecSchema, { '*': 'stream' }], [transcriptOperationSchema, { op: 'append', target: { type: 'task', taskId: 'x' }, offset: -1, text: '' }],
    [transcriptOperationSchema, { op: 'turn.fold' }], [textFrameSchema, { kind: 'text', role: 'assistant', frameId: 'f', text: '', origin: { kind: 'user' } }],
    [transcriptUnsubscribeV2PayloadSchema, { session_id: 's', agent_ids: [] }], [transcriptOpsQuerySchema, { agent_id: 'main', since_seq: '-1' }], [transcriptMetaSchema, { goal: null }],
  ])('refuses what is none of it (%#)', (schema, value) => expect(schema.safeParse(value).success).toBe(false));

  it('carries a cleared goal and cleared modes in a merge', () => {
    expect(transcriptMetaMergeSchema.parse({ goal: null, modes: { plan: null, swarm: {} } })).toEqual({ goal: null, modes: { plan: null, swarm: {} } });
  });
});
