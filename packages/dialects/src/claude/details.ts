import type { ThreadDetails, ThreadOrigin } from '@tapefold/facts';
import { objectAt, present, stringAt } from '../shape.js';
import type { ClaudeLine } from './line.js';
import { type Play, say } from './play.js';
import { firstPromptOf, nameOf } from './titles.js';

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for the tape of a sub-agent: its file is named by the agent, a session's by a UUID. */
export function isAgentTape(namedThreadId: string | undefined): boolean {
  return namedThreadId !== undefined && !uuidForm.test(namedThreadId);
}

function originOf(line: ClaudeLine, agentId: string | undefined, sessionId: string): ThreadOrigin {
  if (agentId !== undefined) return { kind: 'subAgent', role: 'threadSpawn', spawn: { parentThreadId: sessionId } };
  const entrypoint = stringAt(line.raw, 'entrypoint');
  switch (entrypoint) {
    case undefined: case 'cli': return { kind: 'cli' };
    case 'sdk-cli': return { kind: 'exec' };
    case 'claude-vscode': return { kind: 'vscode' };
    default: return { kind: 'custom', name: entrypoint };
  }
}

function detailsOf({ raw, message, kind }: ClaudeLine): ThreadDetails {
  const branch = stringAt(raw, 'gitBranch');
  const model = kind === 'assistant' ? stringAt(message ?? {}, 'model') : undefined;
  return present({ cwd: stringAt(raw, 'cwd'), git: branch === undefined || branch === '' ? undefined : { branch }, model: model === '<synthetic>' ? undefined : model });
}

/** The first line of the tree says who the thread is; the file's name knows better which. */
export function openThread(play: Play): void {
  const { state, line, identity } = play;
  if (state.isOpened) return;
  const { namedThreadId } = identity;
  const sessionId = stringAt(line.raw, 'sessionId') ?? namedThreadId ?? '';
  const agentId = isAgentTape(namedThreadId) ? namedThreadId : undefined;
  state.isOpened = true;
  state.threadId = namedThreadId ?? sessionId;
  state.details = detailsOf(line);
  play.pen.write(present({
    type: 'thread.opened' as const, at: line.at, threadId: state.threadId, sessionId: agentId === undefined ? state.threadId : sessionId, program: 'claude' as const, programVersion: stringAt(line.raw, 'version'),
    originator: stringAt(line.raw, 'entrypoint'), createdAt: line.at ?? identity.namedCreatedAt, origin: originOf(line, agentId, sessionId), historyMode: 'legacy' as const, details: { ...state.details },
  }));
  if (agentId !== undefined && sessionId !== '') play.pen.write(present({ type: 'thread.linked' as const, at: line.at, relation: 'parent' as const, threadId: sessionId }));
}

/** Writes what is new of the thread's details. */
export function changeDetails(play: Play, next: ThreadDetails): void {
  const { details } = play.state;
  const changed = Object.entries(next).filter(([name, value]) => value !== undefined && JSON.stringify(details[name as keyof ThreadDetails]) !== JSON.stringify(value));
  if (!changed.length) return;
  const news = Object.fromEntries(changed) as ThreadDetails;
  play.state.details = { ...details, ...news };
  play.pen.write(present({ type: 'thread.changed' as const, at: play.line.at, details: news }));
}

/** What the line and the chain as it now is say of the thread. Lines of the chain only: a branch that was left does not say where the thread is. */
export function tellDetails(play: Play): void {
  const isOwn = play.at >= 0 && play.node.run === 0 && play.node.isLive && play.node.kind !== 'bridge';
  changeDetails(play, { ...(isOwn ? detailsOf(play.line) : {}), name: nameOf(play), firstPrompt: firstPromptOf(play.state) } as ThreadDetails);
  const mode = stringAt(play.line.raw, 'permissionMode');
  if (isOwn && mode !== undefined) changePermissions(play, mode);
}

export function changePermissions(play: Play, mode: string): void {
  if (play.state.permissionMode === mode) return;
  play.state.permissionMode = mode;
  say(play, { type: 'context.configured', approvalPolicy: mode });
}

/** The session moved: to a worktree, or with its folder. */
export function moveThread(play: Play): void {
  const { raw } = play.line;
  const worktree = objectAt(raw, 'worktreeSession') ?? {};
  const branch = stringAt(worktree, 'worktreeBranch');
  changeDetails(play, present({ cwd: stringAt(raw, 'relocatedCwd') ?? stringAt(worktree, 'worktreePath'), git: branch === undefined ? undefined : { branch } }));
}
