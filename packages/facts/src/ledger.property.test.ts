import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEDGER_LIST_LIMIT, type Ledger, type LineAccount, emptyLedger, enterLine, ledgerAddsUp } from './ledger.js';

const type = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor', 'toString', ''), fc.string());
const account: fc.Arbitrary<LineAccount> = fc.oneof(
  fc.record({ verdict: fc.constantFrom('played' as const, 'ignored' as const, 'unknown' as const), type }),
  fc.record({ verdict: fc.constant('played' as const), type, repairs: fc.constant(['gluedRecords' as const]) }),
  fc.record({ verdict: fc.constant('damaged' as const), damage: fc.constantFrom('invalidJson' as const, 'tooLong' as const) }), fc.constant({ verdict: 'blank' as const }),
);
const entered = (accounts: readonly LineAccount[], length = 10): Ledger => {
  const ledger = emptyLedger();
  accounts.forEach((each, i) => enterLine(ledger, { offset: i * length, length }, each));
  return ledger;
};
const countOf = (accounts: readonly LineAccount[], verdict: string): number => accounts.filter((each) => each.verdict === verdict).length;

describe('the ledger', () => {
  it('[R-TAPE-2] adds up, puts each line in one place, and is the same through JSON', () => fc.assert(fc.property(fc.array(account, { maxLength: 60 }), (accounts) => {
    const ledger = entered(accounts);
    expect(ledgerAddsUp(ledger)).toBe(true);
    expect(ledger).toMatchObject({
      linesTotal: accounts.length, bytesTotal: accounts.length * 10, linesPlayed: countOf(accounts, 'played'), linesIgnored: countOf(accounts, 'ignored'), linesUnknown: countOf(accounts, 'unknown'),
      linesDamaged: countOf(accounts, 'damaged'), linesBlank: countOf(accounts, 'blank'), listsCut: 0,
    });
    expect(ledger.ranges.reduce((sum, { lines }) => sum + lines, 0)).toBe(accounts.length);
    ledger.ranges.slice(1).forEach((range, i) => {
      expect(range.from).toBe(ledger.ranges[i]?.to);
      expect(range.verdict).not.toBe(ledger.ranges[i]?.verdict);
    });
    expect(ledger.damage.map(({ line }) => line)).toEqual(accounts.flatMap((each, i) => (each.damage ? [i] : [])));
    expect(ledger.repairs.map(({ line }) => line)).toEqual(accounts.flatMap((each, i) => (each.repairs ? [i] : [])));
    expect(JSON.parse(JSON.stringify(ledger.types))).toEqual({ ...ledger.types });
  })));

  it('counts types by the names that files give them, also names that every object inherits', () => {
    const { types } = entered(['__proto__', 'constructor', 'toString', '__proto__'].map((name) => ({ verdict: 'played' as const, type: name })));
    expect(Object.entries(types).map(([name, counts]) => [name, counts['played']])).toEqual([['__proto__', 2], ['constructor', 1], ['toString', 1]]);
    expect(({} as Record<string, unknown>)['played']).toBeUndefined();
  });

  it('a hostile file does not make it grow: names are cut, beyond so many types they share a row, lists stop', () => {
    const accounts = Array.from({ length: LEDGER_LIST_LIMIT * 2 + 10 }, (_, i): LineAccount => (i % 2 ? { verdict: 'damaged', damage: 'invalidJson' } : { verdict: 'unknown', type: `${i}${'x'.repeat(2_000)}`, repairs: ['gluedRecords'] }));
    const ledger = entered(accounts);
    expect(Object.keys(ledger.types)).toHaveLength(501);
    expect(Object.keys(ledger.types).every((name) => name.length <= 121)).toBe(true);
    expect(Object.values(ledger.types).reduce((sum, counts) => sum + (counts['unknown'] ?? 0), 0)).toBe(accounts.length / 2);
    expect(ledger.ranges).toHaveLength(LEDGER_LIST_LIMIT);
    expect(ledger.damage).toHaveLength(LEDGER_LIST_LIMIT);
    expect(ledger.repairs).toHaveLength(LEDGER_LIST_LIMIT);
    expect(ledger.listsCut).toBe(accounts.length - LEDGER_LIST_LIMIT + 10);
    expect(ledgerAddsUp(ledger)).toBe(true);
    expect(JSON.stringify(ledger).length).toBeLessThan(5_000_000);
  });

  it('a torn tail stands beside the damage', () => {
    expect(entered([{ verdict: 'played', type: 'a' }, { verdict: 'damaged', damage: 'tornTail' }])).toMatchObject({ tornTail: { offset: 10, length: 10 }, linesDamaged: 1, damage: [{ line: 1, offset: 10, length: 10, reason: 'tornTail' }] });
  });

  it('does not add up where a count or a byte is missing', () => {
    expect(ledgerAddsUp({ ...entered([{ verdict: 'blank' }]), linesBlank: 0 })).toBe(false);
    expect(ledgerAddsUp({ ...entered([{ verdict: 'blank' }]), bytesTotal: 11 })).toBe(false);
  });
});
