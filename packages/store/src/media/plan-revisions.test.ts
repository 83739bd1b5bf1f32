import { cpSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileSource } from '../files/file-source.js';
import { planFile } from './plan-file.js';
import { planRevisions } from './plan-revisions.js';

const recorded = fileURLToPath(new URL('../../../../fixtures/kimi/recorded/2.1.0/enter-plan-mode/home', import.meta.url));
const session = 'sessions/wd_enter-plan-mode_9c01d6a3282a/session_715793e1-034a-4d84-b033-f2d408d2b810';
const agent = `${session}/agents/main`;
const plan = `${agent}/plan/adam-warlock-simon-baz-america-chavez/v1.md`;

let home: string;
beforeEach(() => { home = mkdtempSync(join(tmpdir(), 'tapefold-plan-')); cpSync(recorded, home, { recursive: true }); });
afterEach(() => rmSync(home, { recursive: true, force: true }));

const checks = async (): Promise<readonly unknown[]> => planRevisions(createFileSource([{ program: 'kimi', path: home }]), 'session_715793e1-034a-4d84-b033-f2d408d2b810');

describe('revisions of plans', () => {
  it('[R-OPS-11] are compared with their files, by size and digest', async () => {
    const named = { planId: 'adam-warlock-simon-baz-america-chavez', version: 1, name: 'plan/adam-warlock-simon-baz-america-chavez/v1.md' };
    expect(await checks()).toEqual([{ ...named, check: 'verified' }]);
    writeFileSync(join(home, plan), 'x'.repeat(15));
    expect(await checks()).toEqual([{ ...named, check: 'mismatch' }]);
    rmSync(join(home, plan));
    expect(await checks()).toEqual([{ ...named, check: 'missing' }]);
  });

  it('[R-OPS-11] by path are looked for below the home, the session and the agent', async () => {
    const below = async (path: string): Promise<number | undefined> => (await planFile({ path }, join(home, agent, 'wire.jsonl')))?.bytes;
    expect([await below(plan), await below(plan.slice(session.length + 1)), await below(plan.slice(agent.length + 1)), await below('plan')]).toEqual([15, 15, 15, undefined]);
  });

  it('[R-SEC-1] outside of their session are not looked at', async () => {
    writeFileSync(join(home, 'secret'), 'secret');
    renameSync(join(home, plan), join(home, 'v1.md'));
    symlinkSync(join(home, 'v1.md'), join(home, plan));
    const file = join(home, agent, 'wire.jsonl');
    expect(await Promise.all([planFile({ key: '../../../../../secret' }, file), planFile({ path: 'secret' }, file), planFile({ path: plan }, file), planFile({ path: 'a\0b' }, file)])).toEqual([undefined, undefined, undefined, undefined]);
  });
});
