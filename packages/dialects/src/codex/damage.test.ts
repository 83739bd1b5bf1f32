import { Buffer } from 'node:buffer';
import type { DamageReason, LineAccount, Repair } from '@tapefold/facts';
import { type CodexRecordLine, checkFacts, checkPrefixes, eventRecord, fileOf, itemRecord, lineOf, metaRecord, numberedRecords, randomFrom, said } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { recordsOf } from '../records.js';
import { createCodexPlayer } from './player.js';

const make = (checkpoint?: Parameters<typeof createCodexPlayer>[1]) => createCodexPlayer({ tape: 'codex/tape' }, checkpoint);
const agent = (message: string) => JSON.stringify(eventRecord('agent_message', { message }));
const ok = agent('ok');

/** What a single line behind `session_meta` and a started turn comes to. */
function account(line: string | Uint8Array): LineAccount {
  const player = make();
  fileOf([metaRecord(), eventRecord('task_started', { turn_id: 'T' })]).toString().split(/(?<=\n)/).forEach((text) => player.play(lineOf(Buffer.from(text), 0)));
  return player.play(lineOf(Buffer.from(line), 0)).account;
}
const played = (...repairs: Repair[]): LineAccount => ({ verdict: 'played', type: 'event_msg/agent_message', ...(repairs.length ? { repairs } : {}) });
const damaged = (damage: DamageReason): LineAccount => ({ verdict: 'damaged', damage });

describe('[R-TAPE-2] [D-5] damage costs its own line and no other', () => {
  it.each<[string, string | Uint8Array, LineAccount]>([
    ['a plain line', `${ok}\n`, played()],
    ['a last line without newline, complete', ok, played()],
    ['a torn last line', ok.slice(0, 50), damaged('tornTail')],
    ['CRLF', `${ok}\r\n`, played('carriageReturn')],
    ['blanks around', `  ${ok}\t \n`, played()],
    ['a byte order mark', `\ufeff${ok}\n`, played('byteOrderMark')],
    ['NULs before a record', `\0\0\0${ok}\n`, played('nulPadding')],
    ['NULs behind a record', `${ok}\0\0\n`, played('nulPadding')],
    ['a block of NULs', `${'\0'.repeat(4096)}\n`, damaged('invalidJson')],
    ['nothing', '\n', { verdict: 'blank' }],
    ['white space', ' \t\r\n', { verdict: 'blank' }],
    ['a raw U+2028 in a string', `${agent('a\u2028b')}\n`, played()],
    ['two records on one line', `${ok}${ok}\n`, played('gluedRecords')],
    ['a record and the beginning of another', `${ok}{"timestamp":\n`, played('partOfLine')],
    ['a record and garbage', `${ok}garbage\n`, played('partOfLine')],
    ['garbage before a record', `x${ok}\n`, damaged('invalidJson')],
    ['garbage', 'garbage\n', damaged('invalidJson')],
    ['no object', '[1]\n', damaged('notAnObject')],
    ['a number that no program holds', '{"a":1e999}\n', damaged('invalidJson')],
    ['10,000 levels', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}\n`, damaged('tooDeep')],
    ['a record and one of 10,000 levels', `${ok}${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}\n`, played('partOfLine')],
    ['a bad byte in a string', Buffer.concat([Buffer.from(ok.slice(0, -6)), Buffer.from([0xff]), Buffer.from('x"}}\n')]), damaged('invalidUtf8')],
    ['a bad byte behind a record', Buffer.concat([Buffer.from(ok), Buffer.from([0xff, 10])]), played('partOfLine')],
    ['a lone surrogate as an escape', `${agent('x').replace('"x"', '"\\ud800"')}\n`, { verdict: 'unknown', type: 'event_msg/agent_message' }],
    ['a quoted escape of a surrogate, which is source code', `${agent('/[\\ud800-\\udbff]/ C:\\udeadbeef')}\n`, played()],
    ['a pair of escapes', `${agent('x').replace('"x"', '"\\ud83d\\uDE00"')}\n`, played()],
    ['no type', '{"a":1}\n', { verdict: 'unknown', type: '(no type)' }],
    ['an empty type', '{"type":"","payload":{}}\n', { verdict: 'unknown', type: '(no type)' }],
    ['a type that every object inherits', '{"timestamp":"x","type":"constructor","payload":{"type":"__proto__"}}\n', { verdict: 'unknown', type: 'constructor/__proto__' }],
  ])('%s', (_name, line, expected) => expect(account(line)).toEqual(expected));

  it('a line over the limit of the reader is damaged, and reading goes on', () => {
    expect(make().play({ offset: 0, length: 9e9, text: undefined, flaw: 'tooLong', isTerminated: true })).toMatchObject({ account: damaged('tooLong'), facts: [{ type: 'record.damaged', reason: 'tooLong', excerpt: '' }] });
  });

  it('the fact of a damaged line shows its beginning and cuts no character in two', () => {
    const [fact] = make().play(lineOf(Buffer.from(`${'x'.repeat(199)}😀 and more\n`), 0)).facts;
    expect(fact).toMatchObject({ type: 'record.damaged', reason: 'invalidJson', excerpt: 'x'.repeat(199) });
  });

  it('a torn tail is no fact', () => expect(make().play(lineOf(Buffer.from(ok.slice(0, 40)), 0)).facts).toEqual([]));

  it('a checkpoint that is none starts anew', () => {
    for (const bad of [null, 7, 'x', [], {}, { mode: 'legacy' }]) expect(make(bad as never).play(lineOf(Buffer.from(`${ok}\n`), 0)).facts.map(({ type }) => type)).toEqual(['turn.started', 'item.completed']);
  });
});

describe('[R-TAPE-2] glued records of legacy files are shown and move no number', () => {
  const shown = (lines: readonly unknown[]) => said(checkFacts(make, fileOf(lines)).facts).slice(1).map((fact) => {
    const { type, id, turn, isAdded, visibility, as, turns } = fact as { type: string; id?: string; turn?: string; isAdded?: boolean; visibility?: string; as?: string; turns?: string[] };
    return [type, id, turn, turns?.join(), as, visibility, isAdded ? 'added' : undefined].filter((part) => part !== undefined).join(' ');
  });

  it('words: what the first showed is taken back and shown again as added', () => {
    expect(shown([metaRecord(), eventRecord('task_started', { turn_id: 'T' }), `${agent('a')}${agent('b')}`, eventRecord('agent_message', { message: 'c' })])).toEqual([
      'turn.started T', 'item.completed item-1 #1 shown', 'item.changed item-1 #1 control', 'item.completed line@370.0 #1 shown added', 'item.completed line@370.1 #1 shown added', 'item.completed item-1 #1 shown',
    ]);
  });

  it('a message that opened a turn: the turn is taken back', () => {
    expect(shown([metaRecord(), eventRecord('task_started', { turn_id: 'T' }), eventRecord('task_complete', { turn_id: 'T' }), `${JSON.stringify(eventRecord('user_message', { message: 'q' }))}x`, eventRecord('user_message', { message: 'r' })])).toEqual([
      'turn.started T', 'turn.ended #1', 'turn.started rollout-3', 'input.received item-1 #3 shown', 'input.placed #3 opens', 'thread.changed', 'input.placed #3 twin', 'history.superseded #3', 'input.received line@479.0 #1 shown added',
      'input.placed #1 steers', 'record.damaged', 'turn.started rollout-3', 'input.received item-1 #12 shown', 'input.placed #12 opens',
    ]);
  });

  it('an item under its own id: no longer counted, shown again where its turn was taken back', () => {
    const search = JSON.stringify(eventRecord('web_search_end', { call_id: 'w', query: 'q', action: { type: 'other' } }));
    expect(shown([metaRecord(), eventRecord('task_started', { turn_id: 'T' }), `${search}x`, eventRecord('thread_rolled_back', { num_turns: 0 }), `${search}x`, eventRecord('agent_message', { message: 'a' })])).toEqual([
      'turn.started T', 'item.completed w #1 shown', 'item.completed w #1 shown added', 'record.damaged',
      'turn.started rollout-3', 'item.completed w #5 shown', 'history.superseded #5', 'item.completed w #1 shown added', 'record.damaged', 'turn.started rollout-3', 'item.completed item-1 #10 shown',
    ]);
  });

  it('the facts of every cut are a prefix, whatever is glued', () => {
    const deep = `${'['.repeat(600)}${']'.repeat(600)}`;
    for (const tail of [ok, `\0${ok}`, '}', 'é', '"', `{"a":${deep}}`, `   ${ok}`, '\r', '\ufeff', ok.slice(0, -1), '{"a":1e999}', 'x'.repeat(40_000), JSON.stringify(eventRecord('agent_message', { message: 'y'.repeat(40_000) }))]) {
      for (const first of [ok, agent('z'.repeat(20_000)), JSON.stringify(eventRecord('user_message', { message: 'q' })), JSON.stringify(eventRecord('thread_rolled_back', { num_turns: 1 })), agent('x').replace('"x"', '"\\ud800"')]) {
        checkPrefixes(make, Buffer.from(`${JSON.stringify(metaRecord())}\n${first}${tail}\n${ok}\n`), { everyByteBelow: 3_000, random: randomFrom(1), count: 100, sparse: true });
      }
    }
  });

  it('paginated files take each of them as the line that it should have been', () => {
    const [meta, turn, ...items] = numberedRecords([metaRecord({ history_mode: 'paginated' }), eventRecord('task_started', { turn_id: 'T' }), itemRecord('T', { type: 'Plan', id: 'a', text: '1' }), itemRecord('T', { type: 'Plan', id: 'b', text: '2' })]);
    expect(shown([meta as CodexRecordLine, turn as CodexRecordLine, items.map((item) => JSON.stringify(item)).join('')])).toEqual(['turn.started T', 'item.completed a #1 shown', 'item.completed b #1 shown added']);
  });
});

it('records of a line never cost more than the line: 10,000 glued ones at most, the rest is damage', () => {
  const found = recordsOf({ offset: 0, length: 0, text: '{}'.repeat(10_050), isTerminated: true });
  expect(found.records).toHaveLength(10_000);
  expect(found).toMatchObject({ damage: 'invalidJson', repairs: ['gluedRecords', 'partOfLine'] });
});
