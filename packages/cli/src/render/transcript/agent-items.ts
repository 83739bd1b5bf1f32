import type { ThreadItemOf } from '@tapefold/threads';
import type { Line } from '../../text/line.js';
import { safeLine } from '../../text/safe-text.js';
import { endingOf } from '../turn-ends.js';
import { callLine } from './call-items.js';
import { INDENT, codeSpan, summaryLine } from './cut.js';
import type { TranscriptView } from './view.js';

type AgentCall = ThreadItemOf<'collabAgentToolCall'>;
type AgentState = AgentCall['agentsStates'][string];

/** A deed as a noun, for every end but a good one, and what was done to the sub-agent, for that. */
const deeds: Record<AgentCall['tool'], { noun: string; done: string }> = {
  spawnAgent: { noun: 'Start of sub-agent', done: 'was started' }, sendInput: { noun: 'Input to sub-agent', done: 'was given input' },
  resumeAgent: { noun: 'Resumption of sub-agent', done: 'was resumed' }, wait: { noun: 'Wait for sub-agent', done: 'was waited for' },
  closeAgent: { noun: 'Closing of sub-agent', done: 'was closed' }, sendMessage: { noun: 'Message to sub-agent', done: 'was sent a message' },
  followupTask: { noun: 'Further task for sub-agent', done: 'was given a further task' }, interruptAgent: { noun: 'Interruption of sub-agent', done: 'was interrupted' },
  listAgents: { noun: 'List of sub-agents', done: 'was listed' },
};

const states: Record<AgentState['status'], string> = {
  pendingInit: 'was about to start', running: 'was running', interrupted: 'was interrupted', completed: 'completed', errored: 'failed', shutdown: 'was shut down', notFound: 'was not found',
};

function stateLine(id: string, state: AgentState, view: TranscriptView): Line {
  const message = state.message === null ? '' : `: ${summaryLine(state.message, view)}`;
  return [INDENT, { text: `${codeSpan(safeLine(id))} ${states[state.status]}${message}`, tone: 'dim' }];
}

/** What an agent had another one do, and how that one stood then. */
export function agentCallLines(item: AgentCall, view: TranscriptView): Line[] {
  const { noun, done } = deeds[item.tool];
  const ending = endingOf(item);
  const isDone = ending.words === 'completed';
  const ids = item.receiverThreadIds.map((id) => codeSpan(safeLine(id))).join(', ');
  const model = [item.model, item.reasoningEffort].filter((word) => word !== null).join(' ');
  return [
    callLine([isDone ? 'Sub-agent' : noun, ids].filter(Boolean).join(' '), isDone ? { ...ending, words: done } : ending, [safeLine(model)]),
    ...(item.prompt === null ? [] : [[INDENT, { text: `> ${summaryLine(item.prompt, view)}` }]]),
    ...Object.entries(item.agentsStates).map(([id, state]) => stateLine(id, state, view)),
  ];
}

const activities = { started: 'Sub-agent was started', interacted: 'Sub-agent was written to', interrupted: 'Sub-agent was interrupted', completed: 'Sub-agent completed' } as const;

/** What happened to a sub-agent, with its id: `show` takes it. */
export function agentActivityLines(item: ThreadItemOf<'subAgentActivity'>): Line[] {
  const path = item.agentPath === '' ? '' : ` ${codeSpan(safeLine(item.agentPath))}`;
  return [['- ', { text: '↳', tone: 'accent' }, ` ${activities[item.kind]}${path} `, { text: safeLine(item.agentThreadId), tone: 'dim' }]];
}
