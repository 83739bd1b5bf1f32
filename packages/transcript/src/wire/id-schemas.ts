import { z } from 'zod';
import { isPlainAgentId } from '../model/ids.js';

/** Any id: not empty. */
export const idSchema = z.string().min(1);
export const turnIdSchema = idSchema;
export const stepIdSchema = idSchema;
export const frameIdSchema = idSchema;
export const taskIdSchema = idSchema;
/** An agent id as a client may send it: it can name a folder and nothing outside of it. */
export const agentIdSchema = z.string().refine(isPlainAgentId, { message: 'an agent id has 1 to 128 letters, digits, ".", "_" or "-", and is neither "." nor ".."' });
