import { Link, type LinkState } from './link.js';
import { type FollowedGrades, SessionFollow, type SyncListener } from './session-follow.js';
import type { SyncState } from '../sync/sync-state.js';
import type { TranscriptTransport } from './transport.js';

/** A session that is followed. */
export interface FollowedSession {
  readonly sessionId: string;
  agents(): readonly string[];
  state(agentId: string): SyncState | undefined;
  /** The answer ends the listening. A listener that throws harms nobody else. */
  onChange(listener: SyncListener): () => void;
  askOlder(agentId: string): void;
  regrade(agentId: string, grade: FollowedGrades[string]): void;
  /** No longer followed; what was loaded can still be read. */
  stop(): void;
}

/** A client of one server's transcripts. */
export interface TranscriptClient {
  follow(sessionId: string, grades: FollowedGrades): FollowedSession;
  link(): LinkState;
  onLink(listener: (state: LinkState) => void): () => void;
  close(): void;
}

/** `clientId` tells this client's connections apart from others' in the server's log. `failed` hears of listeners that threw. */
export interface TranscriptClientOptions {
  readonly transport: TranscriptTransport;
  readonly clientId: string;
  readonly failed?: ((error: unknown) => void) | undefined;
}

/**
 * Follows sessions over one connection, which it makes again whenever it ends, and keeps each agent's transcript equal to the server's: after a
 * reconnect it asks for what it missed, and where the server has that no more it takes a new baseline.
 */
export function createTranscriptClient({ transport, clientId, failed = () => undefined }: TranscriptClientOptions): TranscriptClient {
  const sessions = new Map<string, SessionFollow>();
  const linkListeners = new Set<(state: LinkState) => void>();
  let linkState: LinkState = { kind: 'connecting' };
  const link = new Link(transport, clientId, {
    changed: (state) => {
      linkState = state;
      for (const session of sessions.values()) session.connected(state.kind === 'open');
      for (const listener of linkListeners) try { listener(state); } catch (error) { failed(error); }
    },
    frame: ({ type, session_id: sessionId, payload }) => {
      const { agent_id: agentId, seq, epoch } = payload;
      const session = sessions.get(sessionId);
      if (type === 'transcript.reset') session?.feed(agentId, { type: 'reset', snapshot: withOlderFlag(payload), seq, epoch });
      else session?.feed(agentId, { type: 'batch', ops: payload.ops, seq, epoch });
    },
  });
  const port = { request: link.request.bind(link), get: (path: string) => transport.get(path), schedule: transport.schedule.bind(transport), failed };
  return {
    follow: (sessionId, grades) => {
      if (sessions.has(sessionId)) throw new Error(`session ${sessionId} is followed already: stop that first, or change its grades`);
      const session = new SessionFollow(sessionId, grades, port);
      sessions.set(sessionId, session);
      session.connected(linkState.kind === 'open');
      const stop = (): void => {
        if (sessions.get(sessionId) !== session) return;
        sessions.delete(sessionId);
        session.connected(false);
        if (linkState.kind === 'open') link.request('unsubscribe_v2', { session_id: sessionId }, () => undefined);
      };
      return {
        sessionId, stop, agents: () => session.agents(), state: (agentId) => session.state(agentId), onChange: (listener) => session.onChange(listener),
        askOlder: (agentId) => session.askOlder(agentId), regrade: (agentId, grade) => session.regrade(agentId, grade),
      };
    },
    link: () => linkState,
    onLink: (listener) => { linkListeners.add(listener); return () => linkListeners.delete(listener); },
    close: () => link.close(),
  };
}

/** The frame says it beside the snapshot; the snapshot is what is loaded. */
function withOlderFlag<S extends { readonly hasMoreOlder?: boolean | undefined }>(payload: { readonly snapshot: S; readonly has_more_older?: boolean | undefined }): S {
  return payload.has_more_older === undefined ? payload.snapshot : { ...payload.snapshot, hasMoreOlder: payload.has_more_older };
}
