import type { Fact, FactOf, FactType } from '@tapefold/facts';
import { playAll } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { claudeFiles, fixturesFolder, makePlayer, realFolder } from './corpus.suite.js';

const real = claudeFiles(realFolder).map(({ name, bytes }) => ({ name, ...playAll(makePlayer(name), bytes) }));
const recorded = claudeFiles(`${fixturesFolder}/recorded`).map(({ name, bytes }) => ({ name, ...playAll(makePlayer(name), bytes) }));

function all<T extends FactType>(facts: readonly Fact[], type: T): FactOf<T>[] {
  return facts.filter((fact): fact is FactOf<T> => fact.type === type);
}

/** Files that people made by hand for their own tests: shapes that no program writes. */
const madeUp = /cc00[34]|cc002|cc016|cc017|cc018|cc020/;

describe.skipIf(!real.length)('[R-DIA-3] the census of claude-history on the files at hand (needs ../shared/corpus/real/claude)', () => {
  it('§8: records are glued in three files, and none of them is lost', () => {
    const glued = real.filter(({ ledger }) => ledger.repairs.some(({ repairs }) => repairs.includes('gluedRecords')));
    expect(glued.map(({ name }) => name.slice(0, 5))).toEqual(['cc901', 'cc902', 'cc903']);
    expect(real.filter(({ name, ledger }) => !madeUp.test(name) && ledger.linesDamaged > 0).map(({ name }) => name)).toEqual([]);
  });

  it('§2.2: no record that a program wrote is unknown', () => {
    const unknown = real.filter(({ name }) => !madeUp.test(name)).flatMap(({ facts }) => all(facts, 'record.unknown').map(({ recordType }) => recordType));
    expect(unknown).toEqual([]);
  });

  it('§3.1: each response is counted once, with the largest numbers, or waits for its end', () => {
    for (const { facts } of [...real, ...recorded]) {
      const counted = all(facts, 'usage.recorded').filter(({ usage }) => usage).map(({ responseId }) => responseId);
      expect(new Set(counted).size).toBe(counted.length);
      const open = all(facts, 'step.started').length - all(facts, 'step.ended').length;
      expect(open).toBeLessThanOrEqual(1 + new Set(facts.flatMap(({ agent }) => agent ?? [])).size);
    }
  });

  it('§6.3: every result has its call', () => {
    const orphans = real.filter(({ name }) => !madeUp.test(name)).flatMap(({ name, facts }) => all(facts, 'item.completed').filter(({ body }) => body.kind === 'callOutput' && body.name === '').map(({ id }) => `${name} ${id}`));
    expect(orphans).toEqual([]);
  });

  it('§6.1: outside of files made up for tests only one file leaves a branch', () => {
    const left = real.filter(({ name }) => !madeUp.test(name)).filter(({ facts }) => all(facts, 'history.superseded').some(({ turns, items, steps }) => turns.length > 0 || items !== undefined || steps !== undefined));
    expect(left.map(({ name }) => name.slice(0, 5))).toEqual(['cc902']);
  });

  it('§5.1: turns of the recorded sessions are their prompts', () => {
    const steps = recorded.filter(({ name }) => name.includes('long-200-turns')).map(({ facts }) => all(facts, 'step.started').length);
    expect(steps).toEqual([161]);
    const turns = recorded.filter(({ name }) => !name.includes('subagents')).map(({ name, facts }) => [name.split('/')[1], all(facts, 'turn.started').length] as const);
    expect(Object.fromEntries(turns)).toMatchObject({ chat: 2, compact: 4, tools: 1, 'long-200-turns': 1, 'sigkill-resume': 2, 'task-subagent': 1, 'api-error': 3 });
  });
});
