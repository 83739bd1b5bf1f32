import type { FactBus } from '../live/hub/fact-bus.js';
import type { LiveSource } from '../live/live-source.js';
import type { ServerIdentity } from '../rpc/identity.js';
import type { SessionSources } from '../sessions.js';
import { ingestRoute } from './ingest-route.js';
import type { Route } from './routes.js';
import { newUlid } from './request-id.js';
import { sessionRows } from './session-row.js';
import { sessionRoutes } from './session-routes.js';
import { smallRoutes } from './small-routes.js';

/** What all routes are made of. */
export interface ApiOptions {
  readonly sources: SessionSources;
  readonly live: LiveSource;
  /** Where recorders in other processes publish; undefined: they may not. */
  readonly bus: FactBus | undefined;
  readonly identity: Pick<ServerIdentity, 'version'>;
  readonly homeDir: string;
  readonly hasToken: boolean;
  readonly nowMs: () => number;
}

/** All routes that answer in an envelope. */
export function createRoutes({ sources, live, bus, identity, homeDir, hasToken, nowMs }: ApiOptions): Route[] {
  const recentRoots = async (): Promise<string[]> => [...new Set((await sessionRows(sources.source)).map(({ cwd }) => cwd))];
  const startedAtMs = nowMs();
  return [...smallRoutes({ version: identity.version, startedAtMs, serverId: newUlid(startedAtMs), hasToken, homeDir, recentRoots }), ...sessionRoutes(sources, live), ...(bus ? [ingestRoute(sources.source, bus)] : [])];
}
