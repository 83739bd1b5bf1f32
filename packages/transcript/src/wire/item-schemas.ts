import { z } from 'zod';
import { idSchema } from './id-schemas.js';
import { transcriptTurnSchema } from './turn-schemas.js';

export const transcriptMarkerSchema = z.object({ kind: z.literal('marker'), markerId: idSchema, marker: z.string().min(1), payload: z.unknown().optional(), at: z.string().optional() });
export const transcriptTaskRefSchema = z.object({ kind: z.literal('taskref'), refId: idSchema, taskId: idSchema, at: z.string().optional() });
export const transcriptItemSchema = z.discriminatedUnion('kind', [transcriptTurnSchema, transcriptMarkerSchema, transcriptTaskRefSchema]);
