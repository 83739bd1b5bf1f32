import { Buffer } from 'node:buffer';
import v8 from 'node:v8';
import vm from 'node:vm';
import type { Player, TapeLine } from '@tapefold/facts';
import { type CodexRecordLine, countWalked, eventRecord, itemRecord, lineOf, messageRecord, metaRecord, responseRecord } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { createCodexPlayer } from './player.js';

const isLong = process.env['TAPEFOLD_LONG'] === '1';
/** The full counts in the long run; a tenth shows the same. */
const times = (count: number): number => (isLong ? count : count / 10);

/** Feeds records to a player and counts what it walks, in ten equal parts. */
function walkedPerTenth(head: CodexRecordLine, count: number, at: (i: number) => readonly CodexRecordLine[]): { parts: number[]; player: Player } {
  const player = createCodexPlayer({ tape: 'codex/tape' });
  let offset = 0;
  const line = (record: CodexRecordLine): TapeLine => {
    const text = JSON.stringify(record);
    const next: TapeLine = { offset, length: text.length + 1, text, isTerminated: true };
    offset += next.length;
    return next;
  };
  player.play(line(head));
  const parts = Array.from({ length: 10 }, (_, part) => {
    const lines = Array.from({ length: count / 10 }, (_unused, i) => at(part * (count / 10) + i)).flat().map(line);
    return countWalked(() => { for (let i = 0; i < lines.length; i++) player.play(lines[i] as TapeLine); });
  });
  return { parts, player };
}

/** The last part costs about what the second does (the first has the beginnings in it). */
function expectFlat(parts: readonly number[]): void {
  expect(parts[1]).toBeGreaterThan(0);
  expect(parts[9], parts.join(' ')).toBeLessThan((parts[1] ?? 0) * 1.2 + 1_000);
}

const paginated = metaRecord({ history_mode: 'paginated' });
const call = (call_id: string): CodexRecordLine => responseRecord('function_call', { name: 'exec_command', arguments: '{"cmd":"ls"}', call_id });
const output = (call_id: string): CodexRecordLine => responseRecord('function_call_output', { call_id, output: 'ok' });

describe('the cost of a line does not depend on what came before', () => {
  it('50,000 turns of a paginated file', () => {
    const { parts, player } = walkedPerTenth(paginated, times(50_000), (i) => [
      eventRecord('task_started', { turn_id: `T${i}` }), itemRecord(`T${i}`, { type: 'AgentMessage', id: `m${i}`, content: [{ type: 'Text', text: 'a' }] }), eventRecord('task_complete', { turn_id: `T${i}` }),
      itemRecord(`T${Math.max(0, i - times(40_000))}`, { type: 'Plan', id: 'late', text: 'p' }),
    ]);
    expectFlat(parts);
    expect(JSON.stringify(player.checkpoint()).length / times(50_000)).toBeLessThan(200);
  }, 60_000);

  it('50,000 turns of a legacy file, every third rolled back, unknown turns ended', () => {
    const { parts } = walkedPerTenth(metaRecord(), times(50_000), (i) => [
      eventRecord('task_started', { turn_id: `T${i}` }), messageRecord('user', `q${i}`), eventRecord('user_message', { message: `q${i}` }), eventRecord('agent_message', { message: 'a' }),
      eventRecord('patch_apply_end', { call_id: `p${i}`, turn_id: `T${i - 7}`, stdout: '', stderr: '', success: true, status: 'completed', changes: {} }), eventRecord('task_complete', { turn_id: `unknown${i}` }),
      ...(i % 3 === 0 ? [eventRecord('thread_rolled_back', { num_turns: 1 })] : []),
    ]);
    expectFlat(parts);
  }, 60_000);

  it.each([['a legacy', metaRecord()], ['a paginated', paginated]])('100,000 dangling calls in one turn of %s file, and rollbacks of nothing', (_name, head) => {
    const { parts } = walkedPerTenth(head, times(100_000), (i) => [call(`c${i}`), ...(i % 2 === 0 ? [output(`c${i / 2}`)] : []), ...(i % 10 === 0 ? [eventRecord('thread_rolled_back', { num_turns: 1 })] : [])]);
    expectFlat(parts);
  }, 60_000);

  it('50,000 items and calls in one turn of a paginated file', () => {
    const { parts } = walkedPerTenth(paginated, times(50_000), (i) => [
      ...(i === 0 ? [eventRecord('task_started', { turn_id: 'T' })] : []), call(`c${i}`),
      itemRecord('T', { type: 'CommandExecution', id: `c${i}`, command: ['ls'], cwd: 'file:///w', parsed_cmd: [], source: 'agent', status: 'completed' }), output(`c${i}`),
    ]);
    expectFlat(parts);
  }, 60_000);

  it('20,000 background commands and the polls that end them', () => {
    const { parts } = walkedPerTenth(metaRecord(), times(20_000), (i) => [
      call(`c${i}`), responseRecord('function_call_output', { call_id: `c${i}`, output: `Process running with session ID ${i}\nOutput:\n` }),
      ...(i % 2 === 0 ? [responseRecord('function_call', { name: 'write_stdin', arguments: `{"session_id":${i / 2},"chars":""}`, call_id: `w${i}` }), responseRecord('function_call_output', { call_id: `w${i}`, output: 'Process exited with code 0\nOutput:\nend' })] : []),
    ]);
    expectFlat(parts);
  }, 60_000);

  it('[R-TAPE-2] a line of glued records costs what they cost one by one, small and large ones', () => {
    const walkedFor = (count: number, record: CodexRecordLine): number => {
      const player = createCodexPlayer({ tape: 'codex/tape' });
      player.play(lineOf(Buffer.from(`${JSON.stringify(metaRecord())}\n`), 0));
      const line = lineOf(Buffer.from(`${JSON.stringify(record).repeat(count)}\n`), 1_000);
      let facts = 0;
      const walked = countWalked(() => { facts = player.play(line).facts.length; });
      expect(facts).toBeGreaterThan(count);
      return walked;
    };
    for (const [count, record] of [[1_000, eventRecord('agent_message', { message: 'a' })], [50, eventRecord('agent_message', { message: 'a'.repeat(40_000) })]] as const) {
      expect(walkedFor(count * 10, record)).toBeLessThan(walkedFor(count, record) * 13);
    }
  }, 60_000);

  it('a record of many large texts costs what they cost one by one', () => {
    const walkedFor = (count: number): number => {
      const content = Array.from({ length: count }, (_, i) => ({ type: 'input_text', text: String.fromCharCode(97 + (i % 20)).repeat(33_000) }));
      const line = lineOf(Buffer.from(`${JSON.stringify(responseRecord('message', { role: 'user', content }))}\n`), 0);
      return countWalked(() => void createCodexPlayer({ tape: 'codex/tape' }).play(line));
    };
    expect(walkedFor(400)).toBeLessThan(walkedFor(40) * 20);
  }, 60_000);
});

describe('memory', () => {
  it('[R-TAPE-1] large texts do not live on in the player, neither in its checkpoint nor behind its strings', () => {
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc') as () => void;
    const used = (): number => { collect(); return process.memoryUsage().heapUsed + process.memoryUsage().external; };
    const player = createCodexPlayer({ tape: 'codex/tape' });
    const kept: unknown[] = [];
    const before = used();
    for (let i = 0; i < 40; i++) {
      const text = `${i}${'x'.repeat(1_000_000)}`;
      const records = [
        eventRecord('user_message', { message: `u${text}` }), messageRecord('user', `m${text}`), eventRecord('agent_message', { message: `a${text}` }), responseRecord('function_call', { name: 'f', arguments: JSON.stringify({ text }), call_id: `c${i}` }),
        `{"damaged ${text}`,
      ];
      for (const record of records) kept.push(player.play(lineOf(Buffer.from(`${typeof record === 'string' ? record : JSON.stringify(record)}\n`), 0)).facts);
    }
    expect((used() - before) / 1e6).toBeLessThan(40);
    expect(JSON.stringify(player.checkpoint()).length).toBeLessThan(600_000);
    expect(kept.flat().length).toBeGreaterThan(200);
  }, 60_000);
});
