import type { ThreadSummary } from '@tapefold/store';
import type { Thread, ThreadItem, ThreadItemOf, ThreadItemType, Turn } from '@tapefold/threads';
import { type Line, createPaint } from '../text/line.js';
import { createTimes } from '../text/times.js';
import type { TranscriptView } from './transcript/view.js';

/** Thread objects made by hand, for tests of what is rendered of them. */

const noTimes = { startedAtMs: null, completedAtMs: null } as const;
export const now = Date.parse('2026-03-07T12:00:00Z');
export const times = createTimes(now, 'UTC');
export const view: TranscriptView = { program: 'codex', isFull: false, homeDir: '/home/sam', times, cwd: '/home/sam/w' };
export const fullView: TranscriptView = { ...view, isFull: true };

const paint = createPaint(false);
/** What a terminal without colours shows. */
export const text = (lines: readonly Line[]): string => lines.map(paint).join('\n');

export function item<T extends ThreadItemType>(type: T, fields: Omit<ThreadItemOf<T>, 'type' | 'id' | 'startedAtMs' | 'completedAtMs'>): ThreadItem {
  return { type, id: 'i1', ...noTimes, ...fields } as unknown as ThreadItem;
}

type Fields<T extends ThreadItemType> = Partial<ThreadItemOf<T>>;

export const user = (words: string): ThreadItem => item('userMessage', { clientId: null, content: [{ type: 'text', text: words, text_elements: [] }] });
export const agent = (words: string): ThreadItem => item('agentMessage', { text: words, phase: null, moderation: null, memoryCitation: null, delivery: null, questions: null });
export const command = (line: string, fields: Fields<'commandExecution'> = {}): ThreadItem => item('commandExecution', {
  command: line, cwd: '/home/sam/w', pluginId: null, scriptPath: null, processId: null, source: 'agent', status: 'completed', commandActions: [], aggregatedOutput: null, exitCode: 0, durationMs: null,
  ...fields,
});
export const mcp = (fields: Fields<'mcpToolCall'> = {}): ThreadItem => item('mcpToolCall', {
  server: 'docs', tool: 'find', environmentId: null, status: 'completed', arguments: { q: 'csv' }, appContext: null, mcpAppUi: null, pluginId: null, readOnlyHint: null, result: null, error: null,
  durationMs: null, ...fields,
});
export const agentCall = (fields: Fields<'collabAgentToolCall'> = {}): ThreadItem => item('collabAgentToolCall', {
  tool: 'spawnAgent', status: 'completed', senderThreadId: 'a', receiverThreadIds: ['b'], prompt: null, model: null, reasoningEffort: null, agentsStates: {}, ...fields,
});

/** An item of every type and variant, with `words` wherever a file can put words of its own. */
export function everyItem(words: string): ThreadItem[] {
  const w = words;
  const search = { query: w, results: null } as const;
  return [
    item('userMessage', { clientId: w, content: [
      { type: 'text', text: w, text_elements: [] }, { type: 'image', url: w, detail: w }, { type: 'localImage', detail: w, path: w }, { type: 'audio', url: w }, { type: 'localAudio', path: w },
      { type: 'skill', name: w, path: w }, { type: 'mention', name: w, path: w },
    ] }),
    item('hookPrompt', { fragments: [{ text: w, hookRunId: w }] }),
    item('agentMessage', { text: w, phase: null, moderation: null, memoryCitation: null, delivery: null, questions: [{ title: w, options: [w] }] }),
    item('functionCallOutput', { name: w, namespace: w, output: w }), item('functionCallOutput', { name: w, namespace: null, output: [{ type: 'x', text: w }, { [w]: w }, w] }),
    item('plan', { text: w }), item('reasoning', { summary: [w, `**${w}**`], content: [w] }),
    command(w, { cwd: w, aggregatedOutput: w }), command(`bash -lc '${w}'`, { aggregatedOutput: `${w}\n`.repeat(40), status: 'failed', exitCode: null }),
    item('fileChange', { status: 'completed', changes: [
      { path: w, kind: { type: 'add' }, diff: w }, { path: w, kind: { type: 'delete' }, diff: w }, { path: w, kind: { type: 'update', move_path: w }, diff: `@@ ${w}\n+${w}\n-${w}\n` },
    ] }),
    mcp({ server: w, tool: w, arguments: { [w]: [w] }, result: { content: [{ type: 'text', text: w }, { type: w, data: w, mimeType: w }, w], structuredContent: w, _meta: null } }),
    mcp({ status: 'failed', error: { message: w }, arguments: w }),
    item('dynamicToolCall', { namespace: w, tool: w, arguments: w, status: 'completed', contentItems: [{ type: 'inputText', text: w }, { type: 'inputImage', imageUrl: w }], success: true, durationMs: 1 }),
    agentCall({ receiverThreadIds: [w], senderThreadId: w, prompt: w, model: w, reasoningEffort: w, agentsStates: { [w]: { status: 'completed', message: w } } }), agentCall({ tool: 'wait', receiverThreadIds: [w] }),
    item('subAgentActivity', { model: w, reasoningEffort: w, kind: 'started', agentThreadId: w, agentPath: w }),
    item('webSearch', { ...search, action: { type: 'search', query: w, queries: [w] } }), item('webSearch', { ...search, action: { type: 'openPage', url: w } }),
    item('webSearch', { ...search, action: { type: 'findInPage', url: w, pattern: w } }), item('webSearch', { ...search, action: null, outcome: 'unknown' }),
    item('imageView', { path: w }), item('sleep', { durationMs: 5 }), item('contextCompaction', {}),
    item('imageGeneration', { status: w, revisedPrompt: w, transparentBackground: null, failure: null, savedPath: w, generationId: w, result: w }),
    item('enteredReviewMode', { review: w }), item('exitedReviewMode', { review: w }),
  ];
}

export function turn(items: ThreadItem[], fields: Partial<Turn> = {}): Turn {
  return { id: 't1', rootTurnId: null, items, itemsView: 'full', status: 'completed', error: null, startedAt: 1_772_442_000, completedAt: null, durationMs: 12_000, ...fields };
}

export function thread(fields: Partial<Thread> = {}): Thread {
  return {
    id: '019cb927-e528-73c5-aaa9-0b1f4de070b5', environments: null, extra: null, sessionId: '', forkedFromId: null, attachedToThreadId: null, parentThreadId: null, preview: 'Add a CSV export', ephemeral: false,
    section: null, sectionEnteredAt: null, projectId: null, historyMode: 'paginated', modelProvider: 'openai', model: 'gpt-5.5', reasoningEffort: 'medium', createdAt: 1_772_442_000, updatedAt: 1_772_445_600,
    recencyAt: null, status: { type: 'notLoaded' }, path: '/home/sam/.codex/sessions/rollout-x.jsonl', cwd: '/home/sam/w', cliVersion: '0.171.0', originator: 'codex_cli_rs', source: 'cli',
    canAcceptDirectInput: null, threadSource: null, agentNickname: null, agentRole: null, gitInfo: null, name: null, daybreakEnabled: null, turns: [], ...fields,
  };
}

export function summary(fields: Partial<ThreadSummary> = {}): ThreadSummary {
  return {
    thread: thread(), program: 'codex', path: '/x.jsonl', isArchived: false, isSubAgent: false, isConfiguredProvider: true, sizeBytes: 12_400, updatedAtMs: Date.parse('2026-03-04T14:20:00Z'), turnCount: 4, lastTurn: 'completed',
    lastRecordAtMs: undefined,
    problem: undefined, ...fields,
  };
}
