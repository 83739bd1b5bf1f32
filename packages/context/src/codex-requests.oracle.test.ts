import { describe, expect, it } from 'vitest';
import type { RequestProfile } from './normalise/profile.js';
import { codexProfile } from './profiles/codex.js';
import { type RecordedThread, codexThreads, folded, isItems, requestPoints, scenarios } from './recorded.suite.js';
import { deriveRequest } from './request.js';

type Item = Record<string, unknown>;

/**
 * Scenarios that are not equal as a whole, with the reason; `docs/context-normalisation.md` says the same in prose. `tail`: the request goes on from a stored
 * response, so only its last items are in it. `point`: the recording is of an earlier request. `bridge`, `doubled`, `unrecorded`: rules of old programs.
 */
const listed: Readonly<Record<string, 'tail' | 'point' | 'bridge' | 'doubled' | 'unrecorded'>> = {
  '0.1.2505291658/tui-basic': 'tail',
  '0.171/big-300-turns': 'point',
  '0.42.0/auto-compact': 'bridge',
  '0.42.0/interactive': 'bridge',
  '0.20.0/exec-basic': 'doubled',
  '0.20.0/interactive': 'unrecorded',
  '0.29.0/interactive': 'unrecorded',
};

const isChat = (name: string): boolean => name.endsWith('chat-wire');

/** The newest program of each home is the one that asked. */
function profileOf(name: string, { version }: RecordedThread): RequestProfile {
  return isChat(name) ? { ...codexProfile('chat', version), isMessagePerItem: true } : codexProfile('responses', version);
}

function derived(name: string, thread: RecordedThread, facts: number): Item[] {
  const { body } = deriveRequest(folded(thread.facts.slice(0, facts)), { profile: profileOf(name, thread), reader: thread.reader });
  return [...('input' in body ? body.input : body.messages)];
}

const isInstructions = ({ role, content }: Item, first: Item | undefined): boolean => (role === 'system' || role === 'developer') && JSON.stringify(content) !== JSON.stringify(first?.['content']);
const isEnvironment = ({ role, content }: Item): boolean => role === 'user' && JSON.stringify(content).includes('<environment_context>');

/** The recorded request without what stands in no file: the program's instructions in front, and the environment of 0.20. */
function recorded(name: string, items: readonly Item[], first: Item | undefined): Item[] {
  const rest = items[0] && isInstructions(items[0], first) ? items.slice(1) : [...items];
  return name.startsWith('0.20.') && rest[0] && isEnvironment(rest[0]) ? rest.slice(1) : rest;
}

/** Ids that a request has and the file has not (made up when it was sent), or the other way round (kept back), say nothing. */
function withoutIds(items: readonly Item[], others: readonly Item[]): Item[] {
  return items.map(({ id, ...item }, i) => (id !== undefined && id !== null && typeof others[i]?.['id'] === 'string' && !isMadeUp(others[i]) && !isMadeUp({ id, ...item }) ? { id, ...item } : item));
}
/** Results that nobody recorded: Codex gives them ids of its own. */
const isMadeUp = (item: Item | undefined): boolean => item?.['output'] === 'aborted';

interface Pair { readonly got: Item[]; readonly want: Item[] }
function pairOf(name: string, items: readonly Item[], made: readonly Item[]): Pair {
  const want = recorded(name, items, made[0]);
  return { got: withoutIds(made, want), want: withoutIds(want, made) };
}

const isEqual = ({ got, want }: Pair): boolean => JSON.stringify(got) === JSON.stringify(want);

/** The request of the thread that was asked: of several threads, the one whose last request it is. */
async function lastRequest(name: string, path: string, items: readonly Item[]): Promise<Pair> {
  const pairs = (await codexThreads(`${path}/home`)).map((thread) => pairOf(name, items, derived(name, thread, requestPoints(thread.facts).at(-1) ?? 0)));
  const [first] = pairs;
  if (!first) throw new Error(`${name} has no threads`);
  return pairs.find(isEqual) ?? first;
}

const all = scenarios('codex/recorded', 'last-request-input.json');

describe('[R-CTX-6] the request derived from the file is the one that Codex sent', () => {
  for (const { name, path, recording } of all.filter((scenario) => !(scenario.name in listed))) {
    it(name, async () => {
      if (!isItems(recording)) throw new Error('no list of items');
      const { got, want } = await lastRequest(name, path, recording);
      expect(got).toEqual(want);
      expect(got.length).toBeGreaterThan(0);
    });
  }
});

const named = (name: string): { path: string; items: Item[] } => {
  const found = all.find((scenario) => scenario.name === name);
  if (!found || !isItems(found.recording)) throw new Error(`${name} is not there`);
  return { path: found.path, items: found.recording };
};
const masked = (text: string): string => text.replace(/[A-Za-z]/g, 'x');
const textOf = (item: Item | undefined): string => (isItems(item?.['content']) ? String(item['content'][0]?.['text']) : '');

describe('[R-CTX-6] scenarios that are listed differ only where the list says', () => {
  it('names each scenario once, and no other', () => {
    expect(Object.keys(listed).filter((name) => !all.some((scenario) => scenario.name === name))).toEqual([]);
    expect(all.length).toBeGreaterThanOrEqual(79);
  });

  it('0.1.2505291658/tui-basic: the request goes on from a stored response, so it holds the end of the history', async () => {
    const { path, items } = named('0.1.2505291658/tui-basic');
    const { got } = await lastRequest('0.1.2505291658/tui-basic', path, items);
    expect(got.slice(-items.length)).toEqual(items);
  });

  it('0.171/big-300-turns: the recording is of the request in turn 225, and that one is equal', async () => {
    const { path, items } = named('0.171/big-300-turns');
    const [thread] = await codexThreads(`${path}/home`);
    if (!thread) throw new Error('no thread');
    const point = requestPoints(thread.facts).find((facts) => thread.facts.slice(0, facts).filter(({ type }) => type === 'context.appended').length === items.length - 1);
    const { got, want } = pairOf('0.171/big-300-turns', items, derived('0.171/big-300-turns', thread, point ?? 0));
    expect(got).toEqual(want);
  });

  it.each(['0.42.0/auto-compact', '0.42.0/interactive'])('%s: one message bridges what was summarised; around it all is equal, and it holds the kept words', async (name) => {
    const { path, items } = named(name);
    const { got, want } = await lastRequest(name, path, items);
    const tail = want.length - 2;
    expect(got.slice(-tail)).toEqual(want.slice(2));
    expect(got[0]).toEqual(want[0]);
    for (const item of got.slice(1, -tail)) expect(textOf(want[1])).toContain(masked(textOf(item)));
  });

  it('0.20.0/exec-basic: the program kept what streamed and what it made of it, so one text stands twice', async () => {
    const { path, items } = named('0.20.0/exec-basic');
    const { got, want } = await lastRequest('0.20.0/exec-basic', path, items);
    const texts = (some: readonly Item[]): string[] => some.map((item) => JSON.stringify({ ...item, id: undefined }));
    expect([...new Set(texts(want))].sort()).toEqual(texts(got).sort());
    expect(want.length).toBe(got.length + 1);
  });

  it.each(['0.20.0/interactive', '0.29.0/interactive'])('%s: no record says that the history was compacted; what was asked since is equal', async (name) => {
    const { path, items } = named(name);
    const { got, want } = await lastRequest(name, path, items);
    const asked = (some: readonly Item[]): string[] => some.filter(({ role }) => role === 'user').map(textOf);
    const since = asked(want);
    expect(asked(got).slice(-since.length)).toEqual(since);
  });
});
