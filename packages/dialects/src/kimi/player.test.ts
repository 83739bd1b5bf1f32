import { Buffer } from 'node:buffer';
import type { JsonValue, Player } from '@tapefold/facts';
import { checkCheckpoints, checkFacts, checkPrefixes, playAll, randomFrom } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { type KimiTapeIdentity, createKimiPlayer } from './player.js';

const make = (more: Partial<KimiTapeIdentity> = {}) => (checkpoint?: JsonValue): Player => createKimiPlayer({ tape: 'kimi/session_x', namedThreadId: 'session_x', ...more }, checkpoint);
const code = '{"type":"metadata","protocol_version":"1.4","created_at":1790000000000}\n{"type":"turn.prompt","input":[{"type":"text","text":"hi"}],"origin":{"kind":"user"},"time":1790000000001}\n{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"hi"}],"toolCalls":[]},"time":1790000000002}\n';
const cli = '{"type": "metadata", "protocol_version": "1.4"}\n{"timestamp": 1780000000.5, "message": {"type": "TurnBegin", "payload": {"user_input": "hi"}}}\n';
const history = '{"role": "_checkpoint", "id": 0}\n{"role": "user", "content": "hi"}\n';
const noise = '\n{"broken\n\ufeff\n{"x":1}\n{"protocol_version":1,"type":"hello"}\n';
const promptsOf = (text: string, more?: Partial<KimiTapeIdentity>): unknown => playAll(make(more), Buffer.from(text)).facts.flatMap((fact) => (fact.type === 'input.received' ? [fact.content] : []));

describe('[R-DIA-2] a log that calls itself Kimi\'s', () => {
  it.each([['kimi-code', code], ['kimi-cli', cli], ['a history', history]])('is of the program that its first telling record shows: %s', (_, text) => {
    expect(promptsOf(text)).toEqual([[{ kind: 'text', text: 'hi' }]]);
    expect(promptsOf(noise + text)).toEqual([[{ kind: 'text', text: 'hi' }]]);
  });

  it('is of the program that its place names, where that is known', () => {
    expect(promptsOf(code, { family: 'cli' })).toEqual([]);
    expect(promptsOf(cli, { family: 'code' })).toEqual([]);
  });

  it.each([['kimi-code', code], ['kimi-cli', cli], ['a history', history], ['neither', '{"a":1}\n']])('[R-TAPE-2] the laws hold across the telling: %s', (_, text) => {
    const bytes = Buffer.from(noise + text + noise);
    checkFacts(make(), bytes);
    checkCheckpoints(make(), bytes, randomFrom(1));
    checkPrefixes(make(), bytes, { everyByteBelow: 10_000, random: randomFrom(2), count: 0 });
  });

  it('a checkpoint that is none starts anew', () => {
    for (const odd of [null, 7, {}, { family: 'code' }, { family: 'x', facts: 1, state: {} }, []] as JsonValue[]) expect(make()(odd).checkpoint()).toEqual(make()().checkpoint());
  });
});
