import { z } from 'zod';
import { threadItemSchema } from '../objects/thread-item.js';
import { threadSchema } from '../objects/thread.js';
import { turnSchema } from '../objects/turn.js';
import { threadNotifications } from '../live/notifications.js';
import { methods } from './methods.js';
import { deprecationNoticeSchema, rpcRequestSchema } from './schemas/handshake.js';
import { threadItemEntrySchema } from './schemas/history-results.js';
import { readStateSchema } from './schemas/list-results.js';

/** Names of the objects that results share: each has a schema of its own, and results refer to it. */
const shared = { Thread: threadSchema, Turn: turnSchema, ThreadItem: threadItemSchema, ThreadItemEntry: threadItemEntrySchema, ReadState: readStateSchema, Request: rpcRequestSchema, DeprecationNotice: deprecationNoticeSchema };

/** `thread/turns/list` → `ThreadTurnsList`. */
function pascal(method: string): string {
  return method.split('/').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/**
 * The contract as JSON Schema (2020-12), by file name without its ending: `ThreadListParams`, `ThreadListResponse`, …, and the objects that they share.
 * Params as a client may send them, results and notifications as the server writes them.
 */
export function protocolJsonSchemas(): Readonly<Record<string, unknown>> {
  const objects = z.registry<{ id: string }>();
  const inputs = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(shared)) objects.add(schema, { id });
  for (const [method, { params, result }] of Object.entries(methods)) {
    inputs.add(params, { id: `${pascal(method)}Params` });
    objects.add(result, { id: `${pascal(method)}Response` });
  }
  for (const [method, params] of Object.entries(threadNotifications)) objects.add(z.object({ method: z.literal(method), params, emittedAtMs: z.number() }), { id: `${pascal(method)}Notification` });
  const uri = (id: string): string => `${id}.json`;
  return { ...z.toJSONSchema(inputs, { uri, io: 'input' }).schemas, ...z.toJSONSchema(objects, { uri }).schemas };
}
