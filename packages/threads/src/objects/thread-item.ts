import { z } from 'zod';
import { agentItemSchemas } from './agent-items.js';
import { callItemSchemas } from './call-items.js';
import { messageItemSchemas } from './message-items.js';
import { otherItemSchemas } from './other-items.js';

/** A piece of a turn as Codex's app-server serves it (`codex-history.md` §6): every nullable key stands, as null where nothing is known. */
export const threadItemSchema = z.discriminatedUnion('type', [...messageItemSchemas, ...callItemSchemas, ...agentItemSchemas, ...otherItemSchemas]);
export type ThreadItem = z.infer<typeof threadItemSchema>;
/** Tag of an item, as the wire has it. */
export type ThreadItemType = ThreadItem['type'];
/** The items of one tag, or of several. */
export type ThreadItemOf<T extends ThreadItemType> = Extract<ThreadItem, { type: T }>;
