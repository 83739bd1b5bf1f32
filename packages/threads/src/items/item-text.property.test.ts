import { factOf } from '@tapefold/testing';
import type { Fact, JsonValue } from '@tapefold/facts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ItemRow, RowBody } from '../fold/row.js';
import { itemObject } from './item-object.js';
import { type TextForm, itemText } from './item-text.js';
import { isJsonString, jsonElements, jsonMembers } from './json-members.js';

const rowOf = (body: RowBody, more: Partial<ItemRow>): ItemRow => ({
  key: 'a#1', id: 'x', turn: 'a#0', turnId: null, step: null, body, visibility: 'shown', isAdded: false, isOpen: false, large: [], position: 1, order: [1], placedAt: 1, placedAs: null, otherwise: null, heldFor: null,
  effective: [[1, null]], earlier: [], growth: [], touched: 1, ...more,
});

const bodyOf = (fact: Fact): RowBody => {
  if (fact.type === 'input.received') return { kind: 'input', clientId: fact.clientId, content: fact.content };
  if (fact.type === 'item.completed') return fact.body;
  throw new Error('a fact with a body');
};

/** An object with members of any name, `__proto__` too, as `JSON.parse` makes it. */
const objectWith = (members: readonly (readonly [string, JsonValue])[]): JsonValue => JSON.parse(`{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`) as JsonValue;

/** A word of any sign that a shell or JSON reads in its own way. */
const word = fc.oneof(fc.string({ unit: fc.constantFrom('a', '/', "'", '"', '\\', '^', '$', '`', '!', ' ', '\n', '\0', '日', '\ud83d') }), fc.string());
const commands = fc.record({ command: fc.oneof(word, fc.array(word)), action: fc.constantFrom('unknown' as const, 'listFiles' as const), output: word })
  .map(({ command, action, output }): RowBody => ({ kind: 'command', command, source: 'agent', status: 'completed', actions: [{ kind: action, command: output }], output }));
const edits = fc.array(fc.record({ path: word, kind: fc.constantFrom('add' as const, 'update' as const, 'delete' as const), diff: word }, { noNullPrototype: true }), { maxLength: 3 })
  .map((changes): RowBody => ({ kind: 'fileChange', status: 'failed', changes }));
/** JSON with names and values that objects and their text take differently, or that look like what a scanner looks for. */
const names = fc.constantFrom('__proto__', 'constructor', '', '"', '\\', '\\"', 'a":', 'kind', 'text', '0', '10', '2', '\u2028', '\ud800', '日', '}', '],[', ',"result":', '\u0000');
const { value: odd } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.constantFrom<JsonValue>(-0, 0, 1e21, 1e-7, 5e-324, 1.5, -1, true, false, null, {}, [], [[]], [{}], ''), names, fc.array(tie('value'), { maxLength: 3 }), fc.array(fc.tuple(names, tie('value')), { maxLength: 4 }).map(objectWith)),
}));
const oddCalls = fc.record({ arguments: odd, content: fc.array(odd, { maxLength: 2 }), structuredContent: odd, meta: odd, error: fc.option(names, { nil: undefined }), uri: fc.option(names, { nil: undefined }), hasResult: fc.boolean() })
  .map(({ arguments: input, content, structuredContent, meta, error, uri, hasResult }): RowBody => ({ kind: 'mcpCall', server: 's"', tool: '\\', arguments: input, status: 'failed', error, resourceUri: uri, result: hasResult ? { content, structuredContent, meta } : undefined }));
const oddWords = fc.record({ text: names, moderation: odd, citation: odd, questions: odd }).map(({ text, ...more }) => ({ kind: 'agentMessage', text, ...more }) as unknown as RowBody);
const oddInputs = fc.array(fc.oneof(fc.record({ kind: fc.constant('text'), text: names }), fc.record({ kind: fc.constant('other'), raw: odd }), fc.record({ kind: fc.constant('mention'), name: names, path: names }), fc.record({ kind: fc.constant('image'), source: fc.record({ url: names }) })), { maxLength: 3 })
  .map((content) => ({ kind: 'input', content }) as unknown as RowBody);
const bodies = fc.oneof({ weight: 3, arbitrary: fc.oneof(oddCalls, oddWords, oddInputs) }, { weight: 5, arbitrary: factOf('item.completed').map(bodyOf) }, { weight: 2, arbitrary: factOf('input.received').map(bodyOf) }, commands, edits);

const time = fc.oneof(fc.constant(undefined), fc.constantFrom(0, -1, 0.5, 999_999, 1_000_000, 1_763_629_000_000, 1e21, Number.MAX_SAFE_INTEGER), fc.nat());
const beside = fc.record({ id: fc.oneof(fc.constant('item-1'), word), isOpen: fc.boolean(), startedAtMs: time, completedAtMs: time }, { noNullPrototype: true });
const options = fc.record({ isTurnOver: fc.boolean(), cwd: fc.constantFrom(undefined, '/w', '/w "x"') }, { noNullPrototype: true });

/** A form in which each unit beyond ASCII stands as three that are beyond it, too. */
const shouted: TextForm = {
  encode: (plain) => plain.replace(/[^\0-\x7f]/g, (unit) => [12, 6, 0].map((by) => String.fromCharCode(0x100 + ((unit.charCodeAt(0) >> by) & 63))).join('')),
  decode: (encoded) => encoded.replace(/[^\0-\x7f]{3}/g, (units) => String.fromCharCode([0, 1, 2].reduce((code, at) => code * 64 + units.charCodeAt(at) - 0x100, 0))),
};

describe('[R-THR-1] the object of an item as text', () => {
  it('is what is written of the object, of any body', () => {
    const kinds = new Set<string>();
    fc.assert(fc.property(bodies, beside, options, (body, more, given) => {
      kinds.add(body.kind);
      const text = JSON.stringify(body);
      const expected = JSON.stringify(itemObject(rowOf(JSON.parse(text) as RowBody, more), given));
      expect(itemText({ ...more, body: text }, given)).toBe(expected);
      expect(shouted.decode(itemText({ ...more, id: shouted.encode(more.id), body: shouted.encode(text) }, { ...given, form: shouted }))).toBe(expected);
    }), { numRuns: 3_000 });
    expect(kinds.size).toBe(19);
  });

  it.each([
    '{"kind":"agentMessage","text":"a","phase":"later"}', '{"kind":"command","command":null,"source":"agent","status":"odd","actions":[]}', '{"kind":"command","command":"a","cwd":null,"source":"agent","status":"completed","actions":[]}',
    '{"kind":"mcpCall","server":"s","tool":"t","arguments":null,"status":"completed","result":{"content":[]}}', '{"kind":"mcpCall","server":"s","tool":"t","arguments":{},"status":"completed","result":null}', '{"kind":"reasoning","summary":"ab","content":[]}',
    '{"kind":"fileChange","changes":[{"path":"a","kind":"update","movePath":"b","diff":"c"}],"status":"running"}', '{"kind":"input","content":[{"kind":"text","text":"a","elements":[]},{"kind":"other"}]}', '{"kind":"agentMessage"}',
  ])('also of a body that no player writes: %s', (body) => {
    const item = { id: 'x', body, isOpen: true };
    const made = (): string => JSON.stringify(itemObject(rowOf(JSON.parse(body) as RowBody, { isOpen: true }), { isTurnOver: true }));
    let expected: string | undefined;
    try { expected = made(); } catch { /* Neither way gives anything. */ }
    if (expected === undefined) expect(() => itemText(item, { isTurnOver: true })).toThrow();
    else expect(itemText(item, { isTurnOver: true })).toBe(expected);
  });
});

describe('[R-THR-1] JSON text taken apart', () => {
  const text = fc.oneof(fc.json(), fc.array(word).map((words) => JSON.stringify(words)), fc.dictionary(word, fc.jsonValue()).map((value) => JSON.stringify(value))).map((json) => JSON.stringify(JSON.parse(json)));

  it('the parts are the text of the values', () => {
    fc.assert(fc.property(text, (json) => {
      const value = JSON.parse(json) as unknown;
      expect(isJsonString(json)).toBe(typeof value === 'string');
      expect(jsonElements(json)).toEqual(Array.isArray(value) ? value.map((element) => JSON.stringify(element)) : undefined);
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      const members = isObject ? new Map(Object.entries(value).map(([name, member]) => [JSON.stringify(name).slice(1, -1), JSON.stringify(member)])) : undefined;
      const found = jsonMembers(json);
      expect(found && new Map(found.names.map((name, i) => [name, found.values[i]]))).toEqual(members);
      for (const [name, member] of members ?? []) expect(found?.get(name)).toBe(member);
    }), { numRuns: 1_000 });
  });

  it('text that ends too soon has no parts', () => {
    fc.assert(fc.property(text, fc.nat(), (json, at) => {
      const cut = json.slice(0, json.length === 0 ? 0 : at % json.length);
      expect([jsonMembers(cut), jsonElements(cut)]).toEqual([undefined, undefined]);
    }));
  });
});
