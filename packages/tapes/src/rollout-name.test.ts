import { describe, expect, it } from 'vitest';
import { parseRolloutName } from './rollout-name.js';

const a = '01990000-0000-7000-8000-000000000001';
const b = '01990000-0000-7000-8000-00000000000B';

describe('names of Codex session files', () => {
  it.each([
    [`rollout-2025-09-01T10-20-30-${a}.jsonl`, '2025-09-01T10:20:30', a],
    [`rollout-2025-09-01T10-20-30-${a}.jsonl.zst`, '2025-09-01T10:20:30', a],
    [`rollout-2025-09-01T10-20-30-${a}_${b}.jsonl`, '2025-09-01T10:20:30', b],
    [`rollout-2025-09-01T10-20-30-${a}_${b}.jsonl.zst`, '2025-09-01T10:20:30', b],
    [`rollout-2025-04-16-${a}.json`, '2025-04-16T00:00:00', a],
  ])('[R-TAPE-6] %s', (name, createdAtLocal, rolloutId) => {
    expect(parseRolloutName(name)).toEqual({ createdAtLocal, threadId: a, rolloutId });
  });

  it.each(['', 'history.jsonl', `rollout-${a}.jsonl`, `rollout-2025-13-01T10-20-30-${a}.jsonl`, `rollout-2025-09-01T24-20-30-${a}.jsonl`, `rollout-2025-09-01T10-20-30-${a}.jsonl.gz`, `x-rollout-2025-09-01T10-20-30-${a}.jsonl`, `rollout-2025-09-01T10-20-30-${a}_.jsonl`, `rollout-2025-09-01T10-20-30-${a}.jsonl.zst.tmp`])('[R-TAPE-6] %j is none', (name) => {
    expect(parseRolloutName(name)).toBeUndefined();
  });
});
