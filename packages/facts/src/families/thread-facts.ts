import { z } from 'zod';
import { envelopeSchema } from '../envelope.js';
import { jsonValueSchema } from '../json.js';
import { tapeIdSchema } from '../keys.js';

/** How a thread came to be: the program's own kind of start, or the agent that spawned it. */
export const threadOriginSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['cli', 'vscode', 'exec', 'appServer', 'unknown']) }),
  z.object({ kind: z.literal('custom'), name: z.string() }),
  z.object({ kind: z.literal('internal'), name: z.string() }),
  z.object({
    kind: z.literal('subAgent'), role: z.enum(['review', 'compact', 'memoryConsolidation', 'threadSpawn', 'other']), name: z.string().optional(),
    spawn: z.object({ parentThreadId: z.string(), depth: z.number().optional(), agentPath: z.string().optional(), nickname: z.string().optional(), agentRole: z.string().optional() }).optional(),
  }),
]);
export type ThreadOrigin = z.infer<typeof threadOriginSchema>;

/** Commit, branch and remote of the working folder, as the agent recorded them; no fold looks at the repository. */
export const gitInfoSchema = z.object({ sha: z.string().optional(), branch: z.string().optional(), originUrl: z.string().optional() });
export type GitInfo = z.infer<typeof gitInfoSchema>;

/** What a thread is called and where it runs; each field as a record last said it. */
export const threadDetailsSchema = z.object({
  name: z.string().optional(),
  /** The first thing a person asked, as the agent's own list shows it (wrappers cut, `[Image]` for a picture alone). */
  firstPrompt: z.string().optional(),
  goal: z.string().optional(), cwd: z.string().optional(), model: z.string().optional(), effort: z.string().optional(), modelProvider: z.string().optional(),
  isArchived: z.boolean().optional(), git: gitInfoSchema.optional(), agentNickname: z.string().optional(), agentRole: z.string().optional(),
});
export type ThreadDetails = z.infer<typeof threadDetailsSchema>;

const opened = envelopeSchema.extend({
  type: z.literal('thread.opened'),
  /** Native id of the thread; the tape's id may differ (a later segment of the same thread). */
  threadId: z.string(), sessionId: z.string(), program: z.enum(['codex', 'kimi', 'claude', 'native']), programVersion: z.string().optional(), originator: z.string().optional(),
  createdAt: z.string().optional(), origin: threadOriginSchema, historyMode: z.enum(['legacy', 'paginated']), threadSource: jsonValueSchema.optional(), details: threadDetailsSchema,
  /** Ordinal (of the agent's own numbering) from which the history is this sub-agent's own and not inherited. */
  ownHistoryFrom: z.number().optional(),
});
/** `threadId` on side tapes that speak of several threads; absent: the tape's own. */
const changed = envelopeSchema.extend({ type: z.literal('thread.changed'), threadId: z.string().optional(), details: threadDetailsSchema });
const based = envelopeSchema.extend({
  type: z.literal('thread.based'),
  /** The tape that the history goes on from, and where it is cut: the first byte (and agent's ordinal) that no longer belongs. */
  base: z.object({ tape: tapeIdSchema, endOffset: z.number().int().nonnegative().optional(), endOrdinal: z.number().int().nonnegative().optional() }),
  reason: z.enum(['revert', 'fork', 'continuation']),
});
const linked = envelopeSchema.extend({ type: z.literal('thread.linked'), relation: z.enum(['parent', 'forkOf', 'continues', 'attachedTo']), threadId: z.string() });

const agentDescribed = envelopeSchema.extend({
  type: z.literal('agent.described'), agentId: z.string(), kind: z.enum(['main', 'sub', 'independent']).optional(), swarmIndex: z.number().optional(), createdAt: z.string().optional(), name: z.string().optional(), role: z.string().optional(), path: z.string().optional(), parentAgentId: z.string().optional(),
  parentCall: z.string().optional(), description: z.string().optional(), model: z.string().optional(), effort: z.string().optional(), isBackground: z.boolean().optional(),
});
const agentDisposed = envelopeSchema.extend({ type: z.literal('agent.disposed'), agentId: z.string() });

/** Families `thread.*` and `agent.*`. */
export const threadFactSchemas = [opened, changed, based, linked, agentDescribed, agentDisposed] as const;
