import type { ThreadItem } from '../objects/thread-item.js';

/** An item as it was when it began, for a client that hears of it only when it is complete: what comes in the course of it is not there yet. */
export function startedForm(item: ThreadItem): ThreadItem {
  const begun = { completedAtMs: null, outcome: undefined };
  switch (item.type) {
    case 'agentMessage': return { ...item, ...begun, text: '', memoryCitation: null };
    case 'reasoning': return { ...item, ...begun, summary: [], content: [] };
    case 'plan': return { ...item, ...begun, text: '' };
    case 'commandExecution': return { ...item, ...begun, status: 'inProgress', aggregatedOutput: null, exitCode: null, durationMs: null };
    case 'fileChange': return { ...item, ...begun, status: 'inProgress' };
    case 'mcpToolCall': return { ...item, ...begun, status: 'inProgress', result: null, error: null, durationMs: null };
    case 'dynamicToolCall': return { ...item, ...begun, status: 'inProgress', contentItems: null, success: null, durationMs: null };
    case 'collabAgentToolCall': return { ...item, ...begun, status: 'inProgress', receiverThreadIds: item.tool === 'spawnAgent' ? [] : item.receiverThreadIds, agentsStates: {} };
    case 'webSearch': return { ...item, ...begun, results: null };
    case 'imageGeneration': return { ...item, ...begun, status: 'in_progress', result: '' };
    default: return { ...item, ...begun };
  }
}
