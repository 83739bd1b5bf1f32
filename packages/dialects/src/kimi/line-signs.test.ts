import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { type KimiLineSign, kimiLineSigns } from './line-signs.js';

const signOf = (record: unknown): KimiLineSign | undefined => {
  const text = JSON.stringify(record);
  return kimiLineSigns({ offset: 0, length: Buffer.byteLength(text), text, isTerminated: false })[0];
};

describe('what a line says of its file', () => {
  it.each<[object, Partial<KimiLineSign>]>([
    [{ type: 'metadata', protocol_version: '1.5', created_at: 5 }, { type: 'metadata', family: 'code', isReal: false, timeMs: 5, protocol: '1.5' }],
    [{ type: 'metadata', protocol_version: '1.10' }, { type: 'metadata', family: 'cli', isReal: false, protocol: '1.10' }],
    [{ type: 'turn.prompt', turnId: 0, input: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }], origin: { kind: 'user' }, time: 6 }, { turn: 'open', prompt: 'ab', timeMs: 6, isReal: true }],
    [{ type: 'turn.prompt', input: [{ type: 'text', text: 'a' }] }, { turn: 'unclear', prompt: 'a' }],
    [{ type: 'turn.ended', reason: 'cancelled' }, { turn: 'interrupted' }], [{ type: 'turn.ended', reason: 'blocked' }, { turn: 'failed' }], [{ type: 'turn.ended', reason: 'constructor' }, { turn: 'completed' }],
    [{ type: 'context.undo', count: 1 }, { turn: 'unclear' }], [{ type: 'agent.switched' }, { turn: 'unclear' }],
    [{ type: 'config.update', cwd: '/w' }, { cwd: '/w', isReal: false }],
    [{ timestamp: 1.5, message: { type: 'TurnBegin', payload: { user_input: 'hi' } } }, { family: 'cli', turn: 'open', prompt: 'hi', timeMs: 1500, isReal: true }],
    [{ timestamp: 1, message: { type: 'TurnEnd', payload: {} } }, { turn: 'completed' }], [{ timestamp: 1, message: { type: 'StepInterrupted' } }, { turn: 'interrupted' }],
    [{ role: 'user', content: 'hi' }, { type: 'context', turn: 'open', prompt: 'hi', isReal: true }], [{ role: 'assistant', content: 'ho' }, { turn: 'completed' }], [{ role: '_checkpoint', id: 0 }, { isReal: false }],
  ])('%j', (record, expected) => {
    expect(signOf(record)).toMatchObject(expected);
  });

  it('nobody asked what a program put in for itself, or what started a turn without words', () => {
    expect(signOf({ role: 'user', content: '<system>CHECKPOINT 1</system>' })?.prompt).toBeUndefined();
    expect(signOf({ type: 'turn.prompt', turnId: 1, input: [{ type: 'text', text: 'x' }], origin: { kind: 'system_trigger', name: 'goal_continuation' } })?.prompt).toBeUndefined();
    expect(signOf({ type: 'turn.prompt', turnId: 1, input: [{ type: 'text', text: 'x' }], origin: { kind: 'system_trigger', name: 'subagent' } })?.prompt).toBe('x');
  });

  it('what is no record of either program says nothing, and nothing throws', () => {
    expect(signOf({})).toEqual({ type: '', family: undefined, isReal: false });
    for (const odd of [{ type: 7 }, { timestamp: 'x', message: { type: [] } }, { role: 4 }, { type: 'turn.prompt', input: { text: 1 }, origin: 'x', time: '9' }, { timestamp: 1, message: { type: '__proto__', payload: 4 } }]) expect(() => signOf(odd)).not.toThrow();
    expect(kimiLineSigns({ offset: 0, length: 4, text: '{"to', isTerminated: false })).toEqual([]);
  });
});
