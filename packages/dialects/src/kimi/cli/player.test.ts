import { Buffer } from 'node:buffer';
import type { Fact, FactOf } from '@tapefold/facts';
import { factKey } from '@tapefold/facts';
import { playAll } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { Log, all, everything, makePlayer, oldHistory, play, realFiles } from './cli.suite.js';

const itemsOf = (facts: readonly Fact[], agent?: string): FactOf<'item.completed'>[] => all(facts, 'item.completed').filter((fact) => fact.agent === agent);
const newest = (facts: readonly Fact[], id: string): FactOf<'item.completed' | 'item.started'> | undefined =>
  facts.filter((fact): fact is FactOf<'item.completed' | 'item.started'> => (fact.type === 'item.completed' || fact.type === 'item.started') && fact.id === id && fact.agent === undefined).at(-1);

/** The model's history in order, entries with a place of their own put there. */
function historyOf(facts: readonly Fact[]): FactOf<'context.appended'>[] {
  const entries: FactOf<'context.appended'>[] = [];
  for (const entry of all(facts, 'context.appended').filter(({ agent }) => agent === undefined)) {
    const at = entries.findIndex(({ tape, ordinal }) => factKey(tape, ordinal) === entry.after);
    if (at < 0) entries.push(entry);
    else entries.splice(at + 1, 0, entry);
  }
  return entries;
}

describe('[R-DIA-2] a log of kimi-cli', () => {
  const facts = play(everything());

  it('every record is played, ignored by design or unknown, and nothing of it is lost', () => {
    const { ledger } = playAll(makePlayer, Buffer.from(everything()));
    expect([ledger.linesDamaged, ledger.linesUnknown]).toEqual([0, 3]);
    expect(all(facts, 'record.unknown').map(({ recordType }) => recordType)).toEqual(['Tomorrow', 'hello', 'record without a type']);
    expect(all(facts, 'thread.opened')).toMatchObject([{ program: 'kimi', originator: 'kimi-cli', createdAt: '2026-05-28T20:26:41.250Z', origin: { kind: 'cli' } }]);
    expect(all(facts, 'thread.changed')).toMatchObject([{ details: { firstPrompt: 'Look at this:' } }]);
  });

  it('turns and steps are counted, ends are what a record says, and a turn that was stopped settles as interrupted', () => {
    expect(all(facts, 'turn.started').filter(({ agent }) => agent === undefined).map(({ id }) => id)).toEqual(['t0', 't1', 't2', 't3', 't4', 't5', 't6', 't7']);
    expect(all(facts, 'turn.ended').filter(({ agent }) => agent === undefined).map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed', 'completed']);
    expect(all(facts, 'turn.changed')).toMatchObject([{ settlesAs: 'interrupted' }]);
    expect(all(facts, 'step.started').filter(({ agent }) => agent === undefined).map(({ id }) => id)).toEqual(['t0.1', 't0.2', 't0.3', 't1.1', 't2.1', 't2.2', 't5.1', 't7.1']);
  });

  it('before version 1.2 nothing ended a turn, so a turn without an end is completed', () => {
    const old = (protocol: string | null): unknown => all(play(new Log(protocol).turn('hi').step(1).say('ho').text), 'turn.started')[0]?.settlesAs;
    expect([old('1.1'), old(null), old('1.2'), old('1.10')]).toEqual(['completed', 'completed', undefined, undefined]);
  });

  it('pieces of a block are one item, and the model reads each', () => {
    expect(newest(facts, 't0.1.f1')?.body).toEqual({ kind: 'reasoning', summary: [], content: ['First think.'] });
    expect(all(facts, 'item.changed')).toMatchObject([{ id: 't0.1.f1', append: { content: [' Then more.'] } }]);
  });

  it('arguments that came in pieces are joined to the newest call, also behind the result of another', () => {
    const log = new Log().turn('x').step(1).call('a', 'ReadFile', '{"path": "a"}').call('b', 'Shell', '{"command": "').result('a', 'A').add('ToolCallPart', { arguments_part: 'ls' }).add('ToolCallPart', { arguments_part: '"}' }).status('m').result('b', 'B');
    const made = play(log.text);
    expect(newest(made, 'b')?.body).toMatchObject({ kind: 'command', command: 'ls', output: 'B', status: 'completed' });
    expect(historyOf(made).map(({ item }) => (item.kind === 'call' ? `call ${item.callId}` : item.kind === 'result' ? `result ${item.callId}` : item.kind))).toEqual(['message', 'call a', 'call b', 'result a', 'result b']);
  });

  it('[R-DIA-7] a rejected call is declined, a failed one failed, one that ran out of time timed out, one without result stays open', () => {
    expect(newest(facts, 'c1')?.body).toMatchObject({ kind: 'command', status: 'completed', output: 'a.txt\n', exitCode: 0 });
    expect(newest(facts, 'c2')?.body).toMatchObject({ kind: 'fileChange', status: 'failed' });
    expect(newest(facts, 'c4')?.body).toMatchObject({ kind: 'command', status: 'declined', output: 'Rejected by the user' });
    expect(newest(facts, 'c11')).toMatchObject({ type: 'item.started', body: { status: 'running' } });
    const late = play(new Log().turn('x').step(1).call('a', 'Shell', { command: 'sleep 99' }).result('a', '', { is_error: true, message: 'Command killed by timeout (60s)' }).text);
    expect(newest(late, 'a')?.body).toMatchObject({ status: 'timedOut' });
    expect(all(facts, 'interaction.resolved').map(({ id, outcome }) => [id, outcome])).toEqual([['a1', 'approved'], ['a2', 'rejected'], ['q1', 'answered']]);
  });

  it('tools map to the nearest item, with what their results show', () => {
    expect(newest(facts, 'c7')?.body).toEqual({ kind: 'fileChange', status: 'completed', changes: [{ path: 'a.txt', kind: 'update', diff: '@@\n-a\n-\n+b\n+\n' }] });
    expect(all(facts, 'todo.replaced')).toMatchObject([{ entries: [{ title: 'one', status: 'completed' }, { title: 'two', status: 'inProgress' }] }]);
    expect(all(facts, 'task.started')).toMatchObject([{ task: { taskId: 'b1', kind: 'shell', description: 'sleep' } }]);
    expect(all(facts, 'task.ended')).toMatchObject([{ task: { taskId: 'b1' }, status: 'completed' }]);
    expect(all(facts, 'notice.posted').map(({ code }) => code)).toEqual(['task.completed', 'hook.block', 'btw.question', 'btw.answer']);
    expect(all(facts, 'mode.entered').concat(all(facts, 'mode.exited') as never).map(({ type }) => type)).toEqual(['mode.entered', 'mode.exited']);
    expect(itemsOf(facts).filter(({ body }) => body.kind === 'plan')).toHaveLength(1);
  });

  it('[R-DIA-8] sub-agents are runs of their own, ended by their call; a call that the log lost is implied', () => {
    expect(all(facts, 'agent.described').map(({ agentId, role, parentCall }) => [agentId, role, parentCall])).toEqual([['ag1', 'coder', 'c10'], ['ag2', 'coder', 'lost']]);
    expect(newest(facts, 'c10')?.body).toMatchObject({ kind: 'agentCall', status: 'completed', receiverThreadIds: ['ag1'], agents: { ag1: { status: 'completed', message: 'inner is done' } } });
    expect(newest(facts, 'lost')?.body).toMatchObject({ kind: 'agentCall', receiverThreadIds: ['ag2'] });
    expect(itemsOf(facts, 'ag1').map(({ body }) => body.kind)).toEqual(['agentMessage', 'command']);
    expect(all(facts, 'turn.ended').filter(({ agent }) => agent !== undefined).map(({ agent, status }) => [agent, status])).toEqual([['ag1', 'completed'], ['ag2', 'completed']]);
  });

  it('before version 1.6 a sub-agent is named by its call', () => {
    const made = play(new Log('1.3').turn('x').step(1).call('t1', 'Task', { prompt: 'p' }).inside(['t1'], 'TurnBegin', { user_input: 'p' }).inside(['t1'], 'StepBegin', { n: 1 }).inside(['t1'], 'ContentPart', { type: 'text', text: 'hi' }).text);
    expect(itemsOf(made, 't1').map(({ body }) => body)).toEqual([{ kind: 'agentMessage', text: 'hi' }]);
  });

  it('what a failed attempt showed goes when the step is tried again', () => {
    const superseded = all(facts, 'history.superseded');
    expect(superseded).toMatchObject([{ reason: 'retracted', turns: [] }]);
    const gone = superseded[0]?.items?.map((key) => facts.find(({ tape, ordinal }) => factKey(tape, ordinal) === key));
    expect(gone).toMatchObject([{ body: { text: 'partial' } }]);
    expect(all(facts, 'step.retried')).toMatchObject([{ failedAttempt: 1, maxAttempts: 3, delayMs: 500, statusCode: 529 }]);
  });

  it('[R-CTX-2] a compaction keeps the newest two messages and says that the rest was summarised; /clear empties', () => {
    const [compacted] = all(facts, 'context.compacted');
    expect(compacted?.replacement).toMatchObject([{ kind: 'compaction' }, { kind: 'kept' }]);
    const kept = compacted?.replacement?.[1];
    const range = kept?.kind === 'kept' ? kept.entries : { from: 0, to: 0 };
    const texts = facts.slice(range.from, range.to).flatMap((fact) => (fact.type === 'context.appended' && fact.agent === undefined ? [fact.item.kind] : []));
    expect(texts).toEqual(['call', 'result', 'call', 'result', 'message', 'message']);
    expect(all(facts, 'context.cleared')).toHaveLength(1);
    // The model never read the words of a command that the program answered itself.
    expect(historyOf(facts).some(({ item }) => JSON.stringify(item).includes('/clear'))).toBe(false);
  });

  it('[R-DIA-6] tokens are counted once a response, with the sum so far', () => {
    const usage = all(facts, 'usage.recorded');
    expect(usage.map(({ responseId }) => responseId)).toEqual(['m1', 'm2', 'm3']);
    expect(usage.at(-1)).toMatchObject({ usage: { inputTokens: 30, cachedInputTokens: 20, outputTokens: 5, totalTokens: 35 }, total: { totalTokens: 105 }, contextTokens: 1000, contextWindow: 250_000 });
  });
});

describe('[R-DIA-2] a history of kimi-cli', () => {
  it('is played as a log would have told it: turns by what a person asked, nothing that the program wrote for itself', () => {
    const facts = play(oldHistory());
    expect(all(facts, 'input.received').map(({ content }) => content)).toEqual([[{ kind: 'text', text: 'read it' }], [{ kind: 'text', text: 'go on' }]]);
    expect(newest(facts, 'c1')?.body).toMatchObject({ kind: 'toolCall', tool: 'ReadFile', status: 'completed', output: [{ kind: 'text', text: 'a' }] });
    expect(newest(facts, 'c2')?.body).toMatchObject({ kind: 'command', status: 'failed', exitCode: 3, output: 'oops' });
    expect(itemsOf(facts).map(({ body }) => body.kind)).toEqual(['reasoning', 'agentMessage', 'toolCall', 'command', 'agentMessage', 'compaction']);
    expect(all(facts, 'turn.started').map(({ settlesAs }) => settlesAs)).toEqual(['completed', 'completed']);
    expect(historyOf(facts).map(({ item }) => item.kind)).toEqual(['message', 'message', 'message', 'reasoning', 'message', 'call', 'call', 'result', 'result', 'message', 'summary', 'message']);
    expect(historyOf(facts).find(({ item }) => item.kind === 'result')?.item).toMatchObject({ output: [{ text: '<system>1 line read.</system>' }, { text: 'a' }] });
  });
});

const truncated = /"((?:[^"\\]|\\.)+?)\.\.\. \[truncated\]"/g;

const real = new Map(realFiles().map((file) => [file.name.slice(0, 5), file]));

describe.skipIf(real.size === 0)('files of other people (needs ../shared/corpus/real/kimi)', () => {
  /** Logs and the histories that their programs kept beside them; both are cut, most after ten lines. What only the history has: words of the program's own. */
  it.each([['kw002', 'kc009', 3], ['kw024', 'kc012', 5], ['kw028', 'kc016', 81], ['kw012', 'kc008', 4], ['kw025', 'kc011', 3], ['kw007', 'kc013', 4]] as const)('[R-CTX-6] the model\'s history by the log %s is the one that the program wrote down in %s: %i entries', (log, history, count) => {
    const entries = (name: string): unknown[] => historyOf(playAll(makePlayer, real.get(name)?.bytes ?? new Uint8Array()).facts).map(({ item }) => item).filter((item) => !('visibility' in item && item.visibility === 'injected'));
    const [byLog, written] = [entries(log), entries(history)];
    expect(Math.min(byLog.length, written.length)).toBe(count);
    // Whoever published a history cut its long texts.
    const cut = (value: unknown, like: unknown): unknown => JSON.parse(JSON.stringify(value), (_, text: unknown) => (typeof text === 'string' ? [...JSON.stringify(like).matchAll(truncated)].reduce((whole, [, head = '']) => (whole.startsWith(JSON.parse(`"${head}"`) as string) ? `${JSON.parse(`"${head}"`) as string}... [truncated]` : whole), text) : text));
    expect(byLog.slice(0, count).map((entry, i) => cut(entry, written[i]))).toEqual(written.slice(0, count));
  });

  it('no record that a program wrote is unknown or damaged', () => {
    const odd = [...real.values()].flatMap(({ name, bytes }) => {
      const { ledger } = playAll(makePlayer, bytes);
      return ledger.linesUnknown + ledger.linesDamaged > 0 ? [[name, ledger.linesUnknown, ledger.linesDamaged]] : [];
    });
    expect(odd).toEqual([['kw005-nv-main.jsonl', 0, 1], ['kw009-nv-main.jsonl', 1, 0]]);
  });
});
