import type { TranscriptOperation } from '@tapefold/transcript';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../errors.js';
import { openLiveLog } from './open-live-log.js';

const agent = { sessionId: 's', agentId: 'main' };
const upsert = (ordinal: number): readonly TranscriptOperation[] => [{ op: 'turn.upsert', turn: { kind: 'turn', turnId: `t${ordinal}`, ordinal, state: 'running', origin: { kind: 'user' } } }];
const append: readonly TranscriptOperation[] = [{ op: 'append', target: { type: 'task', taskId: 'x' }, offset: 0, text: 'a' }];

describe('the live log', () => {
  let folder: string;
  const path = (): string => join(folder, 'live.sqlite');
  beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'tapefold-live-')); });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('[R-LIVE-2] counts from 1 in the first epoch, and after a clean stop goes on in it, with the batches that hold no appends', () => {
    const first = openLiveLog(path());
    const { epoch, after } = first.begin(agent);
    expect(after).toBe(0);
    first.reserve(agent, 1000);
    first.keep(agent, { seq: 1, ops: append });
    first.keep(agent, { seq: 2, ops: upsert(1) });
    first.keep(agent, { seq: 3, ops: upsert(2) });
    first.end(agent, { seq: 3, state: 'x' });
    first.close();
    const second = openLiveLog(path());
    expect(second.begin(agent)).toEqual({ epoch, after: 3, kept: [{ seq: 2, ops: upsert(1) }, { seq: 3, ops: upsert(2) }], state: 'x' });
    second.close();
  });

  it('[R-LIVE-2] begins another epoch above the last reserved number after an unclean stop, and where a tape was rewritten', () => {
    const killed = openLiveLog(path());
    const { epoch } = killed.begin(agent);
    killed.reserve(agent, 1000);
    killed.close();
    const next = openLiveLog(path());
    const begun = next.begin(agent);
    expect(begun).toMatchObject({ after: 1001, kept: [] });
    expect(begun.epoch).not.toBe(epoch);
    next.reserve(agent, 2000);
    expect(next.begin(agent, { isNewEpoch: true })).toMatchObject({ after: 2001, kept: [] });
    next.close();
  });

  it('[R-LIVE-2] a reader that held the last number before a kill holds none of the next epoch, also where none was sent', () => {
    const killed = openLiveLog(path());
    expect(killed.begin(agent).after).toBe(0);
    killed.close();
    const next = openLiveLog(path());
    expect(next.begin(agent).after).toBeGreaterThan(0);
    next.close();
  });

  it('[R-STO-2] forgets a session whose files are gone, and no other', () => {
    const log = openLiveLog(path());
    const other = { sessionId: 'other', agentId: 'main' };
    for (const each of [agent, other]) { log.begin(each); log.reserve(each, 10); log.end(each, { seq: 7, state: 'x' }); }
    log.forget('s');
    expect(log.begin(agent).after).toBe(0);
    expect(log.begin(other).after).toBe(7);
    log.close();
  });

  it('[R-SEC-1] is for its owner only', () => {
    openLiveLog(path()).close();
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it('says that the disk is full, and takes numbers again when it is not', () => {
    const log = openLiveLog(path(), { maxPages: 8 });
    log.begin(agent);
    const big = 'x'.repeat(4096);
    const fill = (): void => { for (let n = 1; n < 200; n += 1) log.keep(agent, { seq: n, ops: [{ op: 'todo.upsert', todo: { todoId: 'todo', items: [{ title: `${n}${big}`, status: 'pending' }] } }] }); };
    expect(fill).toThrow(StoreError);
    log.reserve(agent, 1000);
    expect(log.begin(agent).after).toBe(1001);
    log.close();
  });
});
