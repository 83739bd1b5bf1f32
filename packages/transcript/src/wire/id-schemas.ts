import { z } from 'zod';
import { isPlainAgentId } from '../model/ids.js';

const id = () => z.string().min(1);

/** Any id: not empty. */
export const idSchema = id();
export const turnIdSchema = id();
export const stepIdSchema = id();
export const frameIdSchema = id();
export const taskIdSchema = id();
/** An agent id as a client may send it: it can name a folder and nothing outside of it. The message is the original's, which clients see. */
export const agentIdSchema = z.string().refine(isPlainAgentId, { message: 'agent_id must be a plain agent id (no path separators)' });
