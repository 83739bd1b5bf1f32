import { type Fact, NATIVE_TAPE_VERSION, encodeNativeFact } from '@tapefold/facts';
import { fileOf, playAll } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { createNativePlayer, nativeTape } from './player.js';

const tape = nativeTape('t');
const header = { tapefold: 'tape', version: 1, tape };
const turn = (ordinal: number) => ({ ordinal, type: 'turn.started', id: `t${ordinal}`, isImplicit: false, replacesOlder: false });
const play = (...lines: unknown[]) => playAll((checkpoint) => createNativePlayer({ tape: 'native/named' }, checkpoint), fileOf(lines));
const sketch = (facts: readonly Fact[]): string[] => facts.map((fact) => `${fact.ordinal} ${fact.type}${'reason' in fact && fact.type === 'record.damaged' ? ` ${fact.reason}` : ''}`);

describe('[R-DIA-4] a native tape', () => {
  it('is named by its header, whatever the file is called', () => {
    expect(play(header, turn(0)).facts).toEqual([{ ...turn(0), tape: 'native/t', line: { offset: JSON.stringify(header).length + 1, length: JSON.stringify(turn(0)).length } }]);
    expect(play(turn(0)).facts[0]?.tape).toBe('native/named');
    expect(play({ ...header, tape: '' }, turn(0)).facts[0]?.tape).toBe('native/named');
  });

  it('keeps its name when another tape is glued behind it', () => {
    const { facts, ledger } = play(header, turn(0), { ...header, tape: 'native/other' }, turn(0), turn(1));
    expect(facts.map(({ tape: name, ordinal }) => [name, ordinal])).toEqual([['native/t', 0], ['native/t', 1]]);
    expect(ledger.types).toEqual({ header: { played: 2 }, 'turn.started': { played: 2 }, 'turn.started (ordinal again)': { ignored: 1 } });
  });

  it('of a newer version is told line by line and not guessed at', () => {
    const { facts, ledger } = play({ ...header, version: NATIVE_TAPE_VERSION + 1 }, turn(0));
    expect(facts).toEqual([expect.objectContaining({ type: 'record.unknown', ordinal: 0, recordType: 'turn.started', why: 'shape', field: 'version', raw: turn(0) })]);
    expect(ledger).toMatchObject({ linesUnknown: 2, linesPlayed: 0 });
  });

  it('may change its version on the way, where a newer writer went on with it', () => {
    const { facts } = play(header, turn(0), { ...header, version: NATIVE_TAPE_VERSION + 1 }, turn(1), header, turn(2));
    expect(sketch(facts)).toEqual(['0 turn.started', '1 record.unknown', '2 turn.started']);
  });

  it('[R-DIA-5] keeps facts of types and shapes that it does not know', () => {
    const { facts, ledger } = play(header, { ordinal: 0, type: 'tomorrow.came', how: 1 }, { ...turn(1), id: 7 });
    expect(facts).toEqual([
      expect.objectContaining({ type: 'record.unknown', ordinal: 0, recordType: 'tomorrow.came', why: 'type', raw: { ordinal: 0, type: 'tomorrow.came', how: 1 } }),
      expect.objectContaining({ type: 'record.unknown', ordinal: 1, recordType: 'turn.started', why: 'shape', field: 'id' }),
    ]);
    expect(ledger.types).toEqual({ header: { played: 1 }, 'tomorrow.came': { unknown: 1 }, 'turn.started': { unknown: 1 } });
  });
});

describe('[R-TAPE-2] what damage leaves of a native tape', () => {
  it('a torn last line is no fact, and the facts before it stand', () => {
    const bytes = fileOf([header, turn(0), turn(1)]);
    const { facts, ledger } = playAll(() => createNativePlayer({ tape }), bytes.subarray(0, -5));
    expect(sketch(facts)).toEqual(['0 turn.started']);
    expect(ledger.tornTail).not.toBeNull();
  });

  it('lost facts have something at their ordinals as soon as the next one is there', () => {
    expect(sketch(play(header, turn(0), '{"ordinal":1,', '', turn(4)).facts)).toEqual(['0 turn.started', '1 record.damaged invalidJson', '2 record.damaged missing', '3 record.damaged missing', '4 turn.started']);
    expect(sketch(play(header, turn(0), '{"ordinal":1,').facts)).toEqual(['0 turn.started']);
  });

  it('a torn line that was closed and written again costs nothing', () => {
    expect(sketch(play(header, turn(0), '{"ordinal":1,"ty', turn(1)).facts)).toEqual(['0 turn.started', '1 turn.started']);
  });

  it('one wrong ordinal does not cost the facts behind it', () => {
    expect(sketch(play(header, turn(0), turn(7001), turn(2), turn(3)).facts)).toEqual(['0 turn.started', '1 record.damaged missing', '2 turn.started', '3 turn.started']);
  });

  it('a hostile ordinal makes no list without end', () => {
    expect(play(header, turn(0), 'x', turn(2 ** 40), turn(2 ** 40 + 1)).facts.length).toBe(1);
  });

  it('repairs a byte order mark, CRLF and glued facts', () => {
    const glued = `\ufeff${encodeNativeFact({ ...turn(0), tape, line: { offset: 0, length: 0 } } as Fact)}${JSON.stringify(turn(1))}\r`;
    const { facts, ledger } = play(header, glued, turn(2));
    expect(sketch(facts)).toEqual(['0 turn.started', '1 turn.started', '2 turn.started']);
    expect(ledger.repairs).toMatchObject([{ line: 1, repairs: ['carriageReturn', 'byteOrderMark', 'gluedRecords'] }]);
  });

  it('a checkpoint of another player starts anew', () => {
    for (const checkpoint of [null, 7, 'x', {}, { version: 1, next: -1, missing: 0, lost: [] }]) expect(createNativePlayer({ tape }, checkpoint).checkpoint()).toEqual({ version: NATIVE_TAPE_VERSION, next: 0, lost: [], missing: 0 });
  });
});
