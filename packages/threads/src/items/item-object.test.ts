import { readFileSync } from 'node:fs';
import { type ContentPart, type ItemBody, contentDigest as digestOf } from '@tapefold/facts';
import { describe, expect, it } from 'vitest';
import type { InputBody, ItemRow, RowBody } from '../fold/row.js';
import { type ThreadItem, threadItemSchema } from '../objects/thread-item.js';
import { itemObject } from './item-object.js';

type Recorded = Record<'allKinds' | 'extended' | 'patches' | 'probed' | 'quoted' | 'reviews' | 'agents', ThreadItem[]>;
const recorded = JSON.parse(readFileSync(new URL('../../fixtures/recorded-items.json', import.meta.url), 'utf8')) as Recorded;

const rowOf = (body: RowBody, of: { id: string; startedAtMs: number | null; completedAtMs: number | null }, more: Partial<ItemRow> = {}): ItemRow => ({
  key: 'a#1', id: of.id, turn: 'a#0', turnId: null, step: null, body, visibility: 'shown', isAdded: false, isOpen: false, startedAtMs: of.startedAtMs ?? undefined, completedAtMs: of.completedAtMs ?? undefined,
  large: [], position: 1, order: [1], placedAt: 1, placedAs: null, otherwise: null, heldFor: null, effective: [[1, null]], earlier: [], growth: [], touched: 1, ...more,
});
const input = (content: ContentPart[], clientId?: string): InputBody => ({ kind: 'input', content, clientId });
const text = (value: string): ContentPart => ({ kind: 'text', text: value });
const command = (more: Partial<Extract<ItemBody, { kind: 'command' }>>): ItemBody => ({ kind: 'command', command: ['rm'], cwd: '/w', source: 'userShell', status: 'completed', actions: [], ...more });
const mcp = (more: Partial<Extract<ItemBody, { kind: 'mcpCall' }>>): ItemBody => ({ kind: 'mcpCall', server: 's', tool: 't', arguments: {}, status: 'completed', ...more });
const says = (words: string, more: Partial<Extract<ItemBody, { kind: 'agentMessage' }>> = {}): ItemBody => ({ kind: 'agentMessage', text: words, ...more });

/** Bodies as facts carry them, by the id of the recorded item that they give. */
const allKinds: Record<string, RowBody> = {
  u1: input([text('all kinds')]), hp1: { kind: 'hookPrompt', fragments: [{ text: 'hook text', hookRunId: 'run1' }] }, r1: { kind: 'reasoning', summary: ['s1'], content: ['c1'] }, pl1: { kind: 'plan', text: '# p' },
  c1: command({ command: ['bash', '-lc', "echo 'a b'"], cwd: '/work/proj', processId: '9', source: 'agent', actions: [{ kind: 'unknown', command: 'echo' }], output: 'a b\n', exitCode: 0, durationMs: 7 }),
  f1: { kind: 'fileChange', changes: [{ path: '/work/proj/a', kind: 'update', diff: '@@' }], status: 'declined' }, f2: { kind: 'fileChange', changes: [], status: 'running' },
  m1: mcp({ arguments: { a: 1 }, status: 'failed', error: 'no', durationMs: 0 }), m2: mcp({ arguments: null, status: 'running' }),
  d1: { kind: 'toolCall', tool: 'look', arguments: {}, status: 'completed', output: [text('x')], isSuccess: true, durationMs: 2 },
  co1: {
    kind: 'agentCall', tool: 'spawnAgent', status: 'completed', senderThreadId: '01990000-0000-7000-8000-000000000060', receiverThreadIds: ['01990000-0000-7000-8000-000000000061'], prompt: 'go', model: 'm',
    effort: 'low', agents: { '01990000-0000-7000-8000-000000000061': { status: 'running' } },
  },
  sa1: { kind: 'agentActivity', activity: 'started', agentThreadId: '01990000-0000-7000-8000-000000000061', agentPath: '/root/a' },
  w1: { kind: 'webSearch', query: 'q', action: { kind: 'findInPage', url: 'u', pattern: 'p' }, status: 'completed' },
  ig1: { kind: 'imageGeneration', status: 'completed', revisedPrompt: 'cat', result: 'Zm9v' }, er1: { kind: 'reviewEntered', hint: 'cur' }, xr1: { kind: 'reviewExited', findings: [] }, cc1: { kind: 'compaction' },
  fo1: { kind: 'callOutput', name: 'n', output: 'out' }, a1: says('partial', { phase: 'commentary' }), a2: says('final', { phase: 'finalAnswer' }), a3: says('two parts'), a4: says(''),
};
const extended: Record<string, RowBody> = {
  u1: input([
    text('x'), { kind: 'image', source: { url: 'https://i/a.png' } }, { kind: 'image', source: { path: '/a.png' } }, { kind: 'skill', name: 's', path: '/s' }, { kind: 'mention', name: 'm', path: 'app://m' },
  ], 'cl'),
  'cwd-uri': command({ cwd: '/work/proj', status: 'declined' }), inprog: command({ status: 'running' }), 'src-int': command({ source: 'unifiedExecInteraction', status: 'failed' }),
  'iv-uri': { kind: 'imageView', path: '/p.png' }, 'e-a': { kind: 'sleep', durationMs: 5 }, 'ig-saved': { kind: 'imageGeneration', status: 'completed', result: '', savedPath: '/img.png' },
  fc: { kind: 'fileChange', changes: [{ path: '/a', kind: 'delete', diff: 'x' }], status: 'failed' },
  mc: mcp({
    app: { connectorId: 'c', linkId: 'l', resourceUri: 'ui://x', appName: 'A', actionName: 'B' }, resourceUri: 'ui://x', pluginId: 'p', isReadOnly: true,
    result: { content: [{ type: 'text', text: 'zzzzzzzzzz' }], structuredContent: null, meta: { a: 1 } },
  }),
  sub: { kind: 'agentActivity', activity: 'completed', agentThreadId: '01990000-0000-7000-8000-000000000092', agentPath: '/root/x', model: 'm' },
};
const docs = (more: Partial<Extract<ItemBody, { kind: 'mcpCall' }>>): ItemBody => mcp({ server: 'docs', tool: 'find', arguments: null, durationMs: 0, ...more });
const patches: Record<string, RowBody> = {
  'item-1': input([text('edit and call')]), 'item-2': says('finished'), 'plan-1': { kind: 'plan', text: '# Plan\n1. do' }, ig1: { kind: 'imageGeneration', status: 'completed', revisedPrompt: 'cat', result: 'Zm9v' },
  p1: {
    kind: 'fileChange', status: 'completed',
    changes: [
      { path: '/work/proj/z.txt', kind: 'add', diff: 'hello\n' }, { path: '/work/proj/a.txt', kind: 'update', movePath: '/work/proj/b.txt', diff: '@@ -1 +1 @@\n-a\n+b\n' },
      { path: '/work/proj/d.txt', kind: 'delete', diff: 'bye\n' },
    ],
  },
  p2: { kind: 'fileChange', status: 'failed', changes: [{ path: '/work/proj/q.txt', kind: 'update', diff: '@@\n' }] }, p3: { kind: 'fileChange', status: 'declined', changes: [] },
  m1: docs({ arguments: { q: 'x' }, durationMs: 250, result: { content: [{ type: 'text', text: 'found' }], structuredContent: { n: 1 }, meta: null } }), m2: docs({ status: 'failed', error: 'no such tool' }),
  m3: docs({ status: 'failed', result: { content: [{ type: 'text', text: 'err' }], structuredContent: null, meta: null } }),
  w1: { kind: 'webSearch', query: 'weather', action: { kind: 'search', query: 'weather', queries: ['weather'] }, status: 'completed' },
  w2: { kind: 'webSearch', query: 'https://x', action: { kind: 'openPage', url: 'https://x' }, status: 'completed' },
};
const probed: Record<string, RowBody> = {
  'am-a': says('a', { phase: 'partialAnswer' }), 'am-b': says('b', { isAsync: true }), 'am-d': says('d', { citation: { entries: [{ path: '/m', lineStart: 1, lineEnd: 2, note: 'n' }], threadIds: ['r'] } }),
  'am-f': says('f', { questions: [{ title: 'q', options: ['a'] }] }), ws: { kind: 'webSearch', query: 'q', action: { kind: 'search', query: 'q' }, results: [{ u: 1 }], status: 'completed' },
  ig: { kind: 'imageGeneration', status: 'completed', result: 'aa' }, ws2: { kind: 'webSearch', query: 'q2', action: { kind: 'openPage', url: 'u' }, results: [{ a: 1 }], status: 'completed' },
  er: { kind: 'reviewEntered', hint: 'h' }, xr: { kind: 'reviewExited', explanation: 'fine', findings: [] }, fco: { kind: 'callOutput', name: 'n', namespace: 'ns', output: [{ type: 'input_text', text: 'z' }] },
  dt: { kind: 'toolCall', namespace: 'nn', tool: 't', arguments: 1, status: 'running' },
  big: command({
    command: ['x'], source: 'agent', exitCode: 0,
    actions: [{ kind: 'search', command: 'rg', path: 'src' }, { kind: 'listFiles', command: 'ls' }, { kind: 'read', command: 'cat a', name: 'a', path: '/w/a' }],
  }),
};
const finding = (title: string, body: string, [path, startLine, endLine]: [string, number, number]): Extract<ItemBody, { kind: 'reviewExited' }>['findings'][number] => ({ title, body, path, startLine, endLine });
const reviews: Record<string, RowBody> = {
  'item-1': input([text('reviews')]), 'item-2': { kind: 'reviewEntered' }, 'item-3': { kind: 'reviewEntered' }, 'item-4': { kind: 'reviewEntered' }, 'item-5': { kind: 'reviewEntered' },
  'item-6': { kind: 'reviewExited', explanation: ' Two. ', findings: [finding('A', 'line1\nline2', ['/a', 1, 1]), finding('B', 'bb', ['/b', 3, 9])] },
  'item-7': { kind: 'reviewExited', findings: [finding('Only', 'x', ['/c', 2, 2])] }, 'item-8': { kind: 'reviewExited', explanation: '  ', findings: [] },
};

describe('[R-THR-1] public objects equal recorded ones, key for key', () => {
  const cases = { allKinds, extended, patches, probed, reviews };
  for (const [name, bodies] of Object.entries(cases) as [keyof typeof cases, Record<string, RowBody>][]) {
    for (const item of recorded[name].filter(({ id }) => id in bodies)) {
      it(`${name}: ${item.type} ${item.id}`, () => {
        const body = bodies[item.id];
        if (!body) throw new Error('no body');
        const object = itemObject(rowOf(body, item), { isTurnOver: true });
        expect(object).toStrictEqual(item);
        expect(threadItemSchema.parse(object)).toStrictEqual(item);
      });
    }
    it(`${name}: leaves out only what the fact contract cannot say (a question without options)`, () => {
      expect(recorded[name].filter(({ id }) => !(id in bodies)).map(({ id }) => id)).toEqual(name === 'probed' ? ['am-g'] : []);
    });
  }

  it('calls to agents, with the states of all that they name', () => {
    for (const item of recorded.agents) {
      if (item.type !== 'collabAgentToolCall') continue;
      const agents = Object.fromEntries(Object.entries(item.agentsStates).map(([id, state]) => [id, { status: state.status, message: state.message ?? undefined }]));
      const body = {
        kind: 'agentCall' as const, tool: item.tool, status: item.status === 'inProgress' ? ('running' as const) : item.status, senderThreadId: item.senderThreadId, receiverThreadIds: item.receiverThreadIds,
        prompt: item.prompt ?? undefined, model: item.model ?? undefined, effort: item.reasoningEffort ?? undefined, agents,
      };
      expect(itemObject(rowOf(body, item), { isTurnOver: true })).toStrictEqual(item);
    }
    expect(recorded.agents).toHaveLength(5);
  });

  it('accepts every recorded item with the schemas', () => {
    for (const item of Object.values(recorded).flat()) expect(threadItemSchema.parse(item)).toStrictEqual(item);
  });
});

describe('[R-DIA-7] ends that the public status has no word for', () => {
  const at = { id: 'x', startedAtMs: null, completedAtMs: null };
  const ends = (body: ItemBody, more: Partial<ItemRow> = {}, isTurnOver = true): unknown[] => {
    const item = itemObject(rowOf(body, at, more), { isTurnOver });
    return ['status' in item ? item.status : null, item.outcome ?? null];
  };
  const change = (status: 'running' | 'declined' | 'timedOut' | 'cancelled'): ItemBody => ({ kind: 'fileChange', changes: [], status });

  it('an item that began and that no record completed is unknown, unless its turn runs', () => {
    expect(ends(command({ status: 'running' }), { isOpen: true })).toEqual(['inProgress', 'unknown']);
    expect(ends(command({ status: 'running' }), { isOpen: true }, false)).toEqual(['inProgress', null]);
    expect(ends({ kind: 'webSearch', query: 'q', status: 'running' }, { isOpen: true })).toEqual([null, 'unknown']);
    expect(ends({ kind: 'imageGeneration', status: 'generating' }, { isOpen: true })).toEqual(['generating', 'unknown']);
    expect(ends(says('half'), { isOpen: true })).toEqual([null, null]);
  });

  it('a completed record that says "running" is taken at its word, as the original program does', () => {
    expect(ends(change('running'))).toEqual(['inProgress', null]);
  });

  it('declined, interrupted, timed out and cancelled fail with an outcome where the enum has no word', () => {
    expect(ends(change('declined'))).toEqual(['declined', null]);
    expect(ends(mcp({ status: 'declined' }))).toEqual(['failed', 'declined']);
    expect(ends(command({ status: 'interrupted' }))).toEqual(['failed', 'interrupted']);
    expect(ends(change('timedOut'))).toEqual(['failed', 'timedOut']);
    expect(ends({ kind: 'toolCall', tool: 't', arguments: {}, status: 'cancelled' })).toEqual(['failed', 'cancelled']);
    expect(ends({ kind: 'agentCall', tool: 'wait', status: 'interrupted', senderThreadId: 's', receiverThreadIds: [], agents: {} })).toEqual(['interrupted', null]);
    expect(ends({ kind: 'webSearch', query: 'q', status: 'failed' })).toEqual([null, 'failed']);
  });
});

describe('parts of an input', () => {
  it('map to the nearest part of the protocol, and leave out what only a provider reads', () => {
    const parts: ContentPart[] = [
      { kind: 'text', text: 'a @b', elements: [{ byteStart: 2, byteEnd: 4, placeholder: '@b' }] }, { kind: 'image', source: { fileId: 'f' }, detail: 'high' }, { kind: 'audio', source: { url: 'data:audio' } },
      { kind: 'audio', source: { path: '/c.wav' } }, { kind: 'file', source: { path: '/d/e.pdf' } }, { kind: 'video', source: { url: 'https://v' }, name: 'V' }, { kind: 'encrypted', data: 'x' }, { kind: 'other', raw: 1 },
    ];
    expect(itemObject(rowOf(input(parts), { id: 'u', startedAtMs: null, completedAtMs: null }), { isTurnOver: true })).toMatchObject({
      content: [
        { type: 'text', text: 'a @b', text_elements: [{ byteRange: { start: 2, end: 4 }, placeholder: '@b' }] }, { type: 'image', fileId: 'f', detail: 'high' }, { type: 'audio', url: 'data:audio' },
        { type: 'localAudio', path: '/c.wav' }, { type: 'mention', name: 'e.pdf', path: '/d/e.pdf' }, { type: 'mention', name: 'V', path: 'https://v' },
      ],
    });
  });
});

describe('large texts', () => {
  it('are put back whole where the tape still has them', () => {
    const whole = 'w'.repeat(40_000);
    const large = [{ at: ['body', 'output'], pieces: [{ text: 'w'.repeat(20_000) }, { tape: 'a', line: { offset: 0, length: 1 }, record: 0, path: ['o'] }], sizeChars: 40_000, digest: digestOf(whole) }];
    const row = rowOf(command({ output: 'w … w' }), { id: 'c', startedAtMs: null, completedAtMs: null }, { large });
    expect(itemObject(row, { isTurnOver: true, readPiece: () => 'w'.repeat(20_000) })).toMatchObject({ aggregatedOutput: whole });
    expect(itemObject(row, { isTurnOver: true, readPiece: () => undefined })).toMatchObject({ aggregatedOutput: 'w … w' });
  });
});
