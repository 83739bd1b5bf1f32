import type { KimiAgentState } from '@tapefold/dialects';
import type { Fact } from '@tapefold/facts';
import { MAIN_AGENT } from '@tapefold/tapes';
import { type Thread, type ThreadHead, type ThreadSource, threadObject } from '@tapefold/threads';
import type { KimiSessionSummary, SessionMember, ThreadSummary } from '../../thread-source.js';
import { ownValue } from '../kept-looks.js';
import type { Segment, Shelf, ShelfThread } from '../shelf.js';
import { withShownAgents } from '../shown-ids.js';
import type { KimiFile, KimiSession } from './kimi-file.js';
import type { KimiLook } from './kimi-look.js';
import type { AgentNote, SessionNote } from './session-notes.js';
import { kimiThreadId } from './thread-ids.js';

/** Who answers where no record names a provider. */
const DEFAULT_PROVIDER = 'moonshot';
/** Sub-agents inside each other that are followed. */
const DEPTH_LIMIT = 64;

/** What a shelf knows of a session as a whole. */
export interface KimiSessionView {
  readonly session: KimiSession;
  readonly note: SessionNote;
  /** As `kimi.json` has it, for a session whose own note names no folder. */
  readonly workDir: string | undefined;
}

/** Where a thread is. `look.file` stands in where the agent has no log (`hasLog`); `isInside`: its records stand in the log of its session. */
export interface KimiThreadPlace {
  readonly view: KimiSessionView;
  readonly agentId: string;
  readonly look: KimiLook;
  readonly hasLog: boolean;
  readonly isInside: boolean;
  readonly agentNote: AgentNote;
}

const withoutBegin = (head: ThreadHead): ThreadHead => ({ ...head, details: { ...head.details, firstPrompt: undefined, name: undefined, model: undefined, agentNickname: undefined } });

/** One thread of Kimi: a session's main agent, or a sub-agent. Its history is one log; a fork is a copy, and shares nothing with its origin but the text. */
export class KimiThread implements ShelfThread {
  readonly shelf: Shelf;
  readonly threadId: string;
  readonly #place: KimiThreadPlace;

  constructor(shelf: Shelf, place: KimiThreadPlace) {
    this.shelf = shelf;
    this.#place = place;
    this.threadId = this.#idOf(place.agentId);
  }

  get file(): KimiFile { return this.#place.look.file; }
  /** The agent's own id; `main` for a session. */
  get agentId(): string { return this.#place.agentId; }
  /** The session's own name. */
  get sessionId(): string { return this.#place.view.session.sessionId; }

  /** A session of kimi-code is one by its state, whatever its log holds; one of kimi-cli only by what was said (kimi-older §1.1). */
  get notThread(): string | undefined {
    const { view: { session }, look: { isReal, problem }, hasLog } = this.#place;
    if (session.family === 'code' || problem !== undefined || (hasLog && isReal !== false)) return undefined;
    return 'It holds nothing that anybody said: a start that was given up, so it is no session.';
  }

  /** What the state says of the agents, as Kimi's own server lists them; only kimi-cli's sub-agents, which no state names, get what else is known. */
  member(): SessionMember {
    const { view: { session: { sessionId, bucket, family } }, agentId, agentNote, look } = this.#place;
    const resolvePlanKey = (key: string): string => `sessions/${bucket}/${sessionId}/agents/${agentId}/${key}`;
    if (!this.#isSub) return { sessionId, agent: { agentId, type: 'main' }, resolvePlanKey };
    const parentAgentId = this.#agent?.parentAgentId ?? MAIN_AGENT;
    const known = family === 'cli' ? { label: agentNote.description, createdAt: this.#place.isInside ? undefined : look.head.identity?.createdAt } : {};
    return { sessionId, agent: { agentId, type: this.#agent?.kind ?? 'sub', parentAgentId, ...known }, resolvePlanKey };
  }

  row(): ThreadSummary {
    const { look, isInside, hasLog } = this.#place;
    const thread = this.object(look.head);
    return {
      thread, program: 'kimi', path: this.file.path, isArchived: this.#state?.isArchived === true, isSubAgent: this.#isSub, isConfiguredProvider: true, sizeBytes: this.file.sizeBytes, updatedAtMs: this.#updatedAtMs,
      turnCount: isInside ? undefined : hasLog ? look.turnCount : 0, lastTurn: isInside ? undefined : this.#lastTurn, lastRecordAtMs: look.lastRecordAtMs, problem: this.#problem, kimi: this.#sessionSummary(),
    };
  }

  fileRows(): ThreadSummary[] {
    return [this.row()];
  }

  object(head: ThreadHead): Thread {
    const { look, isInside, view } = this.#place;
    const told = isInside ? withoutBegin(head) : head;
    const object = threadObject(told, { path: this.file.path, updatedAtMs: this.#updatedAtMs, recencyAtMs: this.#updatedAtMs, status: { type: 'notLoaded' }, name: this.#name, defaultModelProvider: DEFAULT_PROVIDER });
    const created = this.#isSub ? undefined : this.#state?.createdAtMs;
    const firstPrompt = isInside ? ownValue(look.insideAgents, this.agentId) ?? '' : object.preview || look.firstPrompt || this.#stateTitle || '';
    return {
      ...object, id: this.threadId, sessionId: this.threadId, preview: firstPrompt, cwd: this.#state?.cwd ?? (object.cwd || (view.workDir ?? '')), ...(created === undefined ? {} : { createdAt: Math.floor(created / 1000) }), ...this.#relations(),
    };
  }

  segments(): { segments: Segment[]; problems: string[] } {
    if (!this.#place.hasLog) return { segments: [], problems: this.#problem === undefined ? [] : [`${this.#problem}.`] };
    return { segments: [{ file: this.file, endOffset: undefined, endOrdinal: undefined }], problems: [] };
  }

  /** What is said of the session as a whole counts for every thread in its log. */
  owns(fact: Fact): boolean {
    const isOwn = fact.agent === this.agentId || (fact.agent === undefined && !this.#place.isInside);
    return isOwn || (this.#place.isInside && (fact.type === 'thread.opened' || fact.type === 'thread.changed'));
  }

  tells(fact: Fact): boolean {
    return !this.#place.isInside || this.owns(fact);
  }

  shown(fact: Fact): Fact {
    return withShownAgents(fact, (id) => this.#idOf(id));
  }

  outputs(): undefined {
    return undefined;
  }

  /** Nothing: an undo and a switch of branches count from the beginning, and so do the ids of turns, so a session is read whole. */
  openNewest(): undefined {
    return undefined;
  }

  get #state(): SessionNote['state'] { return this.#place.view.note.state; }
  get #isSub(): boolean { return this.agentId !== MAIN_AGENT; }
  get #agent(): KimiAgentState | undefined { return ownValue(this.#state?.agents, this.agentId); }
  get #stateTitle(): string | undefined { return this.#isSub ? undefined : this.#state?.title; }

  /** A title that the program took from the first prompt is no name, but for that of a fork, which has the first prompt of its origin. */
  get #name(): string | undefined {
    if (this.#isSub) return this.#place.agentNote.description;
    return this.#state?.isOwnTitle === true || this.#state?.forkedFrom !== undefined ? this.#stateTitle : undefined;
  }

  /** The state is written once a turn, a log as it goes: what is newer counts. */
  get #updatedAtMs(): number {
    const told = Math.max(this.#isSub ? 0 : this.#state?.updatedAtMs ?? 0, this.#place.look.lastRecordAtMs ?? 0);
    return told > 0 ? told : this.file.mtimeMs;
  }

  get #lastTurn(): ThreadSummary['lastTurn'] {
    const { look, hasLog } = this.#place;
    if (!hasLog) return 'empty';
    return look.lastTurn ?? (this.#isSub ? undefined : this.#state?.lastTurn);
  }

  get #problem(): string | undefined {
    const { look, view: { note }, hasLog } = this.#place;
    const missing = hasLog || this.#agent === undefined ? undefined : 'its log is not there, so nothing of what was said is left';
    const problems = [look.problem, missing, this.#isSub ? undefined : note.problem].filter((problem) => problem !== undefined);
    return problems.length === 0 ? undefined : problems.join('; ');
  }

  #idOf(agentId: string): string {
    const { view: { session: { key, sessionId } } } = this.#place;
    const isSelf = agentId === key || agentId === sessionId;
    return kimiThreadId({ sessionId: key, agentId: isSelf ? MAIN_AGENT : agentId });
  }

  #sessionSummary(): KimiSessionSummary {
    const { view: { session: { sessionId, bucket } }, agentId } = this.#place;
    const { title, lastPrompt, createdAtMs, updatedAtMs, archivedAtMs, lastTurn } = this.#state ?? {};
    return { sessionId, agentId, workspaceId: bucket, title, lastPrompt, createdAtMs, updatedAtMs, archivedAtMs, lastTurn };
  }

  /** The agents above this one, its parent first, the session's own left out. Where they go in a circle, or name an agent that nobody knows, it stands below its session. */
  #ancestors(): string[] {
    const { view: { session, note } } = this.#place;
    const above: string[] = [];
    for (let parent = this.#agent?.parentAgentId ?? MAIN_AGENT; parent !== MAIN_AGENT; parent = ownValue(note.state?.agents, parent)?.parentAgentId ?? MAIN_AGENT) {
      const isKnown = session.files.has(parent) || ownValue(note.state?.agents, parent) !== undefined;
      if (!isKnown || parent === this.agentId || above.includes(parent) || above.length === DEPTH_LIMIT) return [];
      above.push(parent);
    }
    return above;
  }

  /** A session's source is one that a Codex client lists, whichever way the program was started. */
  #relations(): Pick<Thread, 'source' | 'parentThreadId' | 'forkedFromId' | 'agentRole'> {
    const forkedFrom = this.#state?.forkedFrom;
    if (!this.#isSub) return { source: 'cli', parentThreadId: null, forkedFromId: forkedFrom === undefined ? null : kimiThreadId({ sessionId: forkedFrom.toLowerCase(), agentId: MAIN_AGENT }), agentRole: null };
    const above = this.#ancestors();
    const parent = this.#idOf(above[0] ?? MAIN_AGENT);
    const agentRole = this.#agent?.role ?? this.#place.agentNote.role ?? null;
    const source: ThreadSource = { subAgent: { thread_spawn: { parent_thread_id: parent, depth: above.length + 1, agent_path: null, agent_nickname: null, agent_role: agentRole } } };
    return { source, parentThreadId: parent, forkedFromId: null, agentRole };
  }
}
