import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { type Fact, type JsonObject, isJsonObject } from '@tapefold/facts';
import { playAll } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { claudeFiles, fixturesFolder, makePlayer } from './corpus.suite.js';
import { type Message, messagesOf, normalMessages, plainText, readJsonFile } from './messages.suite.js';

const folder = `${fixturesFolder}/recorded/2.1.197`;
const scenarios = existsSync(folder) ? readdirSync(folder).sort() : [];

/** The corpus is masked: letters of the programs' own texts are x. */
const masked = (value: unknown): string => JSON.stringify(value).replace(/[A-Za-z]/g, 'x');

interface Session { readonly id: string; readonly facts: readonly Fact[] }

function sessionsOf(scenario: string): Session[] {
  return claudeFiles(`${folder}/${scenario}/home`).filter(({ name }) => !name.includes('/subagents/')).map(({ name, bytes }) => ({
    id: name.slice(-'00000000-0000-0000-0000-000000000000.jsonl'.length, -'.jsonl'.length), facts: playAll(makePlayer(name), bytes).facts,
  }));
}

/** The request before each answer of the history. */
function requests(facts: readonly Fact[]): Message[][] {
  const all = normalMessages(messagesOf(facts));
  return all.flatMap(({ role }, i) => (role === 'assistant' ? [all.slice(0, i)] : [])).concat([all]);
}

describe.skipIf(!scenarios.length)('[R-CTX-6] the last request of a recorded session', () => {
  const withGolden = scenarios.filter((scenario) => existsSync(`${folder}/${scenario}/golden/last-request-messages.json`));

  it('is recorded for all scenarios but the long one', () => {
    expect(scenarios.filter((scenario) => !withGolden.includes(scenario))).toEqual(['long-200-turns']);
  });

  for (const scenario of withGolden) {
    it(`${scenario}: is what the facts say that the model read`, () => {
      const golden = readJsonFile(`${folder}/${scenario}/golden/last-request-messages.json`);
      const wanted = normalMessages((Array.isArray(golden) ? golden : []).filter(isJsonObject).map(({ role, content }) => ({ role: plainText(role), content: content ?? null })));
      const sessions = sessionsOf(scenario);
      expect(wanted.length).toBeGreaterThan(0);
      expect(sessions.flatMap(({ facts }) => requests(facts)).map(masked)).toContain(masked(wanted));
    });
  }
});

type Word = readonly [kind: string, id: string, text: string];

/** What a message of the recorded dialogue says, block by block; results apart, since parallel ones have no order. */
function wordsOf(message: JsonObject): Word[] {
  const { content, role } = isJsonObject(message['message']) ? message['message'] : message;
  if (!Array.isArray(content)) return [];
  return content.filter(isJsonObject).map((block): Word => {
    if (block['type'] === 'tool_use') return ['call', plainText(block['id']), JSON.stringify(block['input'])];
    if (block['type'] !== 'tool_result') return [plainText(role), '', plainText(block['text'] ?? block['thinking'] ?? '')];
    const parts = Array.isArray(block['content']) ? block['content'].filter(isJsonObject).map((part) => plainText(part['text'] ?? part['type'])) : [plainText(block['content'])];
    return ['result', plainText(block['tool_use_id']), parts.join('')];
  });
}

/** The dialogue of the facts in the same words, in the order of the model's history, with what failed. */
function dialogueOf(facts: readonly Fact[]): Word[] {
  return facts.flatMap((fact): Word[] => {
    if (fact.type === 'item.started' && fact.tool) return [['call', fact.id, JSON.stringify(fact.tool.input)]];
    if (fact.type === 'context.appended' && fact.item.kind === 'result') return [['result', fact.item.callId ?? '', fact.item.output.map((part) => (part.kind === 'text' ? part.text : part.kind)).join('')]];
    if (fact.type !== 'item.completed') return [];
    if (fact.body.kind === 'agentMessage') return [['assistant', '', fact.body.text]];
    return fact.body.kind === 'reasoning' ? [['assistant', '', fact.body.content.join('')]] : [];
  });
}

function streamOf(scenario: string): JsonObject[] {
  const golden = `${folder}/${scenario}/golden`;
  return readdirSync(golden).filter((name) => name.startsWith('stream-')).sort().flatMap((name) => readFileSync(`${golden}/${name}`, 'utf8').split('\n').flatMap((line): JsonObject[] => {
    if (!/^\{"type":"(?:assistant|user)"/.test(line)) return [];
    // A killed program left half a line.
    try { return [JSON.parse(line) as JsonObject]; } catch { return []; }
  }));
}

/** True where all words stand in the dialogue in this order. */
function isWithin(words: readonly Word[], dialogue: readonly Word[]): boolean {
  let at = 0;
  for (const word of dialogue) if (at < words.length && masked(word) === masked(words[at])) at += 1;
  return at === words.length;
}

describe.skipIf(!scenarios.length)('[R-DIA-3] [R-DIA-8] the recorded dialogue', () => {
  for (const scenario of scenarios) {
    it(`${scenario}: stands in the facts with the same texts, calls and results, sub-agents in their own files`, () => {
      const stream = streamOf(scenario);
      const agents = claudeFiles(`${folder}/${scenario}/home`).filter(({ name }) => name.includes('/subagents/'));
      for (const { id, facts } of sessionsOf(scenario)) {
        const own = stream.filter((message) => message['session_id'] === id && message['parent_tool_use_id'] === null).flatMap(wordsOf);
        const isCut = scenario === 'sigkill-stream';
        expect([scenario, isWithin(own.filter(([kind]) => kind !== 'result'), dialogueOf(facts)) || isCut]).toEqual([scenario, true]);
        const results = new Set(dialogueOf(facts).map(masked));
        expect(own.filter((word) => word[0] === 'result' && !results.has(masked(word)))).toEqual([]);
      }
      const side = stream.filter((message) => typeof message['parent_tool_use_id'] === 'string').flatMap(wordsOf).filter(([kind]) => kind === 'call');
      const played = new Set(agents.flatMap(({ name, bytes }) => dialogueOf(playAll(makePlayer(name), bytes).facts)).map(masked));
      expect(side.filter((word) => !played.has(masked(word)))).toEqual([]);
    });
  }
});
