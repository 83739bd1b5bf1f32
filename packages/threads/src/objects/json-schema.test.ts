import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { threadItemSchema } from './thread-item.js';
import { threadSchema, threadSourceSchema, threadStatusSchema } from './thread.js';
import { codexErrorInfoSchema, turnSchema } from './turn.js';

const { threads } = JSON.parse(readFileSync(new URL('../../fixtures/recorded-threads.json', import.meta.url), 'utf8')) as { threads: unknown[] };

describe('schemas of the public objects', () => {
  it('can be written as JSON Schema, with every nullable key required', () => {
    for (const schema of [threadItemSchema, threadSchema, turnSchema, threadStatusSchema, threadSourceSchema, codexErrorInfoSchema]) expect(() => z.toJSONSchema(schema)).not.toThrow();
    const turn = z.toJSONSchema(turnSchema);
    expect(turn.required).toEqual(['id', 'rootTurnId', 'items', 'itemsView', 'status', 'error', 'startedAt', 'completedAt', 'durationMs']);
  });

  it('accept recorded threads as they are', () => {
    for (const thread of threads) expect(threadSchema.parse(thread)).toStrictEqual(thread);
  });
});
