import type { Fact } from '@tapefold/facts';
import { type Thread, type ThreadHead, type ThreadSource, threadObject } from '@tapefold/threads';
import type { SessionMember, ThreadSummary } from '../../thread-source.js';
import type { Segment, Shelf, ShelfThread, StoredOutputs } from '../shelf.js';
import { withShownAgents } from '../shown-ids.js';
import type { ClaudeFile } from './claude-file.js';
import type { ClaudeLook } from './claude-look.js';
import { storedOutputs } from './stored-outputs.js';
import { claudeThreadId } from './thread-ids.js';

/** Who answers where no record names a provider. */
const DEFAULT_PROVIDER = 'anthropic';
/** What a session's own agent is called. */
const MAIN_AGENT = 'main';

/** The shelf of a thread, with what files beside its own say of it. */
export interface ClaudeNeighbours extends Shelf {
  /** The summary that another file of the folder has for a session. */
  summaryOf(look: ClaudeLook): string | undefined;
  /** The session that a session was forked from, as far as files of its folder tell. */
  forkOriginOf(look: ClaudeLook): string | undefined;
}

/** Where a thread is: a session, a sub-agent in a file of its own, or one whose lines stand in its session's file (`insideAgent`). */
export interface ClaudeThreadPlace {
  readonly look: ClaudeLook;
  readonly threadId: string;
  /** Native id of the session; of a sub-agent its parent's. */
  readonly sessionId: string;
  readonly insideAgent?: string | undefined;
}

/** One thread of Claude Code: a session or a sub-agent. Its history is one file; a fork is a copy, and shares nothing with its origin but the text. */
export class ClaudeThread implements ShelfThread {
  readonly shelf: ClaudeNeighbours;
  readonly threadId: string;
  readonly #place: ClaudeThreadPlace;

  constructor(shelf: ClaudeNeighbours, place: ClaudeThreadPlace) {
    this.shelf = shelf;
    this.threadId = place.threadId;
    this.#place = place;
  }

  get file(): ClaudeFile { return this.#place.look.file; }
  get notThread(): string | undefined { return this.#place.insideAgent === undefined ? this.#place.look.notSession : undefined; }

  /** The agent's own id; undefined for a session. */
  get agentId(): string | undefined {
    const { name } = this.file;
    return this.#place.insideAgent ?? (name.kind === 'agent' ? name.agentId : undefined);
  }

  member(): SessionMember {
    const { look, sessionId } = this.#place;
    const { agentId } = this;
    if (agentId === undefined) return { sessionId, agent: { agentId: MAIN_AGENT, type: 'main' } };
    const createdAt = this.#place.insideAgent === undefined ? look.head.identity?.createdAt : undefined;
    return { sessionId, agent: { agentId, type: 'sub', parentAgentId: MAIN_AGENT, label: look.note.description, createdAt } };
  }

  row(): ThreadSummary {
    const { look, insideAgent } = this.#place;
    const isInside = insideAgent !== undefined;
    return {
      thread: this.object(look.head), program: 'claude', path: this.file.path, isArchived: false, isSubAgent: this.agentId !== undefined, isConfiguredProvider: true, sizeBytes: this.file.sizeBytes,
      updatedAtMs: this.file.mtimeMs, turnCount: isInside ? undefined : look.turnCount, lastTurn: isInside ? undefined : look.lastTurn, lastRecordAtMs: look.lastRecordAtMs, problem: look.problem,
    };
  }

  fileRows(): ThreadSummary[] {
    return [this.row()];
  }

  object(head: ThreadHead): Thread {
    const { mtimeMs, path } = this.file;
    const told = this.#place.insideAgent === undefined ? head : { ...head, details: { ...head.details, firstPrompt: undefined, name: undefined, model: undefined, agentNickname: undefined } };
    const object = threadObject(told, { path, updatedAtMs: mtimeMs, recencyAtMs: mtimeMs, status: { type: 'notLoaded' }, name: this.#name(told), defaultModelProvider: DEFAULT_PROVIDER });
    return { ...object, id: this.threadId, sessionId: this.threadId, ...this.#relations(object) };
  }

  segments(): { segments: Segment[]; problems: string[] } {
    return { segments: [{ file: this.file, endOffset: undefined, endOrdinal: undefined }], problems: [] };
  }

  /** What is said of the session as a whole counts for every thread in its file. */
  owns(fact: Fact): boolean {
    return fact.agent === this.#place.insideAgent || fact.type === 'thread.opened' || fact.type === 'thread.changed';
  }

  tells(fact: Fact): boolean {
    return this.#place.insideAgent === undefined || this.owns(fact);
  }

  shown(fact: Fact): Fact {
    return withShownAgents(fact, (id) => this.#idOf(id));
  }

  outputs(): StoredOutputs {
    return storedOutputs(this.file);
  }

  /**
   * Nothing: which lines of a tree are alive is told by its newest lines and by every parent between them and the root, and an older line may name a
   * younger leaf. A window from the end cannot tell whether the branch that it sees is the one that counts, so a session is read whole.
   */
  openNewest(): undefined {
    return undefined;
  }

  #idOf(agentId: string): string {
    const { sessionId, insideAgent } = this.#place;
    const isSelf = agentId === this.agentId || (insideAgent === undefined && agentId === claudeThreadId({ sessionId }));
    return isSelf ? this.threadId : claudeThreadId({ sessionId, agentId });
  }

  #name(head: ThreadHead): string | undefined {
    const { look } = this.#place;
    return head.details.name ?? (this.agentId === undefined ? look.titles.own ?? this.shelf.summaryOf(look) : look.note.description);
  }

  /** A session's source is one that a Codex client lists, whichever way the program was started: `originator` says that. */
  #relations({ source }: Thread): Pick<Thread, 'source' | 'parentThreadId' | 'forkedFromId' | 'agentRole'> {
    const { look, sessionId } = this.#place;
    if (this.agentId === undefined) return { source: source === 'vscode' ? 'vscode' : 'cli', parentThreadId: null, forkedFromId: this.shelf.forkOriginOf(look) ?? null, agentRole: null };
    const parent = claudeThreadId({ sessionId });
    const agentRole = look.note.role ?? null;
    const spawn: ThreadSource = { subAgent: { thread_spawn: { parent_thread_id: parent, depth: 1, agent_path: null, agent_nickname: null, agent_role: agentRole } } };
    return { source: spawn, parentThreadId: parent, forkedFromId: null, agentRole };
  }
}
