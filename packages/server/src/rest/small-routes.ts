import { z } from 'zod';
import { type Route, route } from './routes.js';

/** What the small routes tell. */
export interface AboutServer {
  readonly version: string;
  /** When it was started (Unix ms). */
  readonly startedAtMs: number;
  readonly serverId: string;
  readonly hasToken: boolean;
  readonly homeDir: string;
  /** Folders of sessions, the one used last first. */
  readonly recentRoots: () => Promise<readonly string[]>;
}

const RECENT_ROOTS = 20;

const metaSchema = z.object({
  server_version: z.string(), capabilities: z.record(z.string(), z.boolean()), server_id: z.string(), started_at: z.string(), open_in_apps: z.array(z.string()), dangerous_bypass_auth: z.boolean(), backend: z.string(),
});

/** What a page asks before and beside the sessions. Nothing can be run here, so there are no models to choose from. */
export function smallRoutes({ version, startedAtMs, serverId, hasToken, homeDir, recentRoots }: AboutServer): Route[] {
  return [
    route({ path: '/api/v1/healthz', summary: 'Whether the server answers.', isOpen: true, data: z.object({ ok: z.boolean() }), answer: () => ({ ok: true }) }),
    route({
      path: '/api/v1/auth', summary: 'Whether the page may go on: it may, there is nobody to sign in.', data: z.object({ models_ready: z.boolean(), providers_count: z.number(), managed_provider: z.null() }),
      answer: () => ({ models_ready: true, providers_count: 1, managed_provider: null }),
    }),
    route({
      path: '/api/v1/meta', summary: 'The server.', data: metaSchema,
      answer: () => ({ server_version: version, capabilities: { websocket: true }, server_id: serverId, started_at: new Date(startedAtMs).toISOString(), open_in_apps: [], dangerous_bypass_auth: !hasToken, backend: 'v2' }),
    }),
    route({ path: '/api/v1/models', summary: 'Models: none, nothing is run here.', data: z.object({ items: z.array(z.unknown()) }), answer: () => ({ items: [] }) }),
    route({ path: '/api/v1/catalog/providers', summary: 'Providers of models: none, nothing is run here.', data: z.object({ items: z.array(z.unknown()) }), answer: () => ({ items: [] }) }),
    route({
      path: '/api/v1/fs:home', summary: 'The home of the person, and folders that sessions ran in.', data: z.object({ home: z.string(), recent_roots: z.array(z.string()) }),
      answer: async () => ({ home: homeDir, recent_roots: (await recentRoots()).slice(0, RECENT_ROOTS) }),
    }),
  ];
}
