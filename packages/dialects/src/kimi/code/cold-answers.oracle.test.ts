import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonValue, isJsonObject } from '@tapefold/facts';
import { playAll } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { fixturesFolder, makePlayer } from '../corpus.suite.js';
import { Answer } from './answer.suite.js';

type Data = Record<string, JsonValue> & { items: JsonValue[] };
interface Recorded { readonly name: string; readonly log: string; readonly data: Data }

function dataOf(path: string): Data | undefined {
  const answer = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Data | undefined> & { body?: { data?: Data } };
  const data = answer.body?.data ?? answer['data'] ?? (answer as unknown as Data);
  return Array.isArray(data.items) ? data : undefined;
}

/** Hand-made cases. */
function cases(): Recorded[] {
  const folder = join(fixturesFolder, 'cases');
  return readdirSync(folder).flatMap((name) => {
    const data = dataOf(join(folder, name, 'transcript.json'));
    return data ? [{ name: `cases/${name}`, log: join(folder, name, 'wire.jsonl'), data }] : [];
  });
}

/** Sessions that the real program ran, and its cold answers. */
function sessions(): Recorded[] {
  const folder = join(fixturesFolder, 'recorded/2.1.0');
  return readdirSync(folder).flatMap((scenario) => {
    const logs = readdirSync(join(folder, scenario, 'home'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('wire.jsonl'));
    return logs.flatMap((path): Recorded[] => {
      const [, session = '', agent = ''] = /(session_[^/]+)\/agents\/([^/]+)\//.exec(path) ?? [];
      const golden = join(folder, scenario, 'golden', `cold.${session}.transcript${agent === 'main' ? '' : `.${agent}`}.json`);
      const data = existsSync(golden) ? dataOf(golden) : undefined;
      return data ? [{ name: `${scenario}/${session}/${agent}`, log: join(folder, scenario, 'home', path), data }] : [];
    });
  });
}

const HANDMADE = 'handmade/home/sessions/wd_proj_8f04e32c7203';

/** A session by hand with all kinds of records, and one that the real program ran. */
function handmade(): Recorded[] {
  const answers = [['transcript-main-full', 'session_00000000-0000-4000-8000-000000000001', 'main'], ['transcript-agent-0', 'session_00000000-0000-4000-8000-000000000001', 'agent-0']] as const;
  return answers.map(([answer, session, agent]) => {
    const data = dataOf(join(fixturesFolder, 'handmade/responses', `${answer}.json`));
    if (!data) throw new Error(`fixtures/kimi/handmade/responses/${answer}.json holds no transcript`);
    return { name: `handmade/${answer}`, log: join(fixturesFolder, HANDMADE, session, 'agents', agent, 'wire.jsonl'), data };
  });
}

const isMark = (item: JsonValue): boolean => isJsonObject(item) && (item['kind'] === 'taskref' || (item['kind'] === 'marker' && item['marker'] !== 'skill' && item['marker'] !== 'compaction'));
/** Ids that count over all marks, and a file that the answer names in full. */
function withoutIds(item: JsonValue): JsonValue {
  if (!isJsonObject(item)) return item;
  const { markerId: _marker, refId: _ref, payload, ...rest } = item;
  if (!isJsonObject(payload)) return rest;
  const { key: _key, path: _path, ...own } = payload;
  return { ...rest, payload: own };
}
const asked = (all: JsonValue[]): JsonValue[] => all.map((one) => { if (!isJsonObject(one)) return one; const { request: _request, ...rest } = one; return rest; });
const taskFields = (all: JsonValue[]): JsonValue[] => all.map((one) => { if (!isJsonObject(one)) return one; const { usage: _usage, ...rest } = one; return rest; });

/** The recorded answer in the parts that facts are asked for. */
function recordedParts(data: Data) {
  const todo = (data['todos'] as { items: JsonValue }[])[0]?.items ?? [];
  return {
    items: data.items.filter((item) => !isMark(item)), marks: data.items.filter(isMark).map(withoutIds), interactions: asked(data['interactions'] as JsonValue[]), todos: todo, tasks: taskFields(data['tasks'] as JsonValue[]),
    attachments: data['attachments'],
  };
}

function playedParts({ name, log }: Recorded) {
  const { facts } = playAll(makePlayer(log.includes('/agents/') ? log : name), readFileSync(log));
  const answer = new Answer(facts);
  const items = answer.items();
  return { items, marks: answer.marks().map(withoutIds), interactions: answer.interactions(), todos: answer.todos(), tasks: answer.tasks(), attachments: answer.attachments };
}

type Edit = readonly [path: readonly (string | number)[], value: JsonValue | undefined];

/** Where the facts say more than the answer, or else, on purpose: the answer as it would be then. */
const deliberate: Readonly<Record<string, readonly Edit[]>> = {
  // D-8: the second turn is made of words that came while the engine's turn ran, which ends both.
  'cases/deferred_user_during_tool': [[['items', 1, 'endedAt'], '2025-10-09T08:53:31.000Z']],
  // D-8: the name and the input of a call in the nested form of schema 1.0.
  'cases/protocol_1_0': [[['items', 0, 'steps', 0, 'frames', 1, 'name'], 'Bash'], [['items', 0, 'steps', 0, 'frames', 1, 'input'], { a: 1 }]],
  // D-2: no record tells how the call ended.
  'cases/unresolved_tool_then_step': [[['items', 0, 'steps', 0, 'frames', 1, 'state'], 'running'], [['items', 0, 'steps', 0, 'frames', 1, 'output'], undefined], [['items', 0, 'steps', 0, 'frames', 1, 'error'], undefined]],
  // D-11: killed in a turn, in a file whose other turns have ends.
  'sigkill-tool/session_d16316f3-5b94-4589-980a-4969d2518aee/main': [[['items', 1, 'state'], 'cancelled']],
  'handmade/transcript-main-full': [[['items', 7, 'state'], 'cancelled']],
};

function edited(value: JsonValue | undefined, [path, wanted]: Edit): JsonValue | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return wanted;
  if (Array.isArray(value)) return value.map((one, i) => (i === key ? edited(one, [rest, wanted]) ?? null : one));
  const { [key]: own, ...others } = value as Record<string, JsonValue>;
  const next = edited(own, [rest, wanted]);
  return next === undefined ? others : { ...others, [key]: next };
}

const expected = ({ name, data }: Recorded) => (deliberate[name] ?? []).reduce<JsonValue | undefined>(edited, recordedParts(data) as unknown as JsonValue);

describe('[R-DIA-2] [R-DIA-6] facts hold the real server\'s cold answer', () => {
  it.each(cases())('$name', (recorded) => expect(playedParts(recorded)).toEqual(expected(recorded)));
  it.each(handmade())('$name', (recorded) => expect(playedParts(recorded)).toEqual(expected(recorded)));
  it.each(sessions())('$name', (recorded) => expect(playedParts(recorded)).toEqual(expected(recorded)));
});
