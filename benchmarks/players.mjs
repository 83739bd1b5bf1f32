// @ts-check
// What playing costs, for the session files of each agent, against their size.
import { createClaudePlayer, createCodexPlayer, createKimiPlayer } from '@tapefold/dialects';
import { cpus, loadavg } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { spreadOf } from './rounds.mjs';

/** Sizes of the sessions that are played, in millions of bytes. */
export const PLAYED_MB = [2, 4, 8, 16];
/** Sessions that are played unmeasured, until Node has compiled what is measured then. */
const WARM_UPS = 4;
const words = 'Then the parcels are counted again, and what is missing is looked for in the list of yesterday. '.repeat(8);
const at = (/** @type {number} */ turn) => new Date(1_796_000_000_000 + turn * 60_000).toISOString();

/** @typedef {{ readonly name: string, readonly head: readonly object[], readonly turn: (turn: number) => readonly object[], readonly player: () => { play: (line: any) => { facts: readonly unknown[] } } }} Agent */

/** A turn of each agent: a question, an answer with a call and its result, and an end. @type {readonly Agent[]} */
const agents = [
  {
    name: 'codex', player: () => createCodexPlayer({ tape: 'codex/bench' }),
    head: [{ timestamp: at(0), type: 'session_meta', payload: { id: '01a22b99-774f-7000-8000-000000000000', timestamp: at(0), cwd: '/tmp', originator: 'bench', cli_version: '0.171.0', source: 'cli' } }],
    turn: (n) => [
      { timestamp: at(n), type: 'event_msg', payload: { type: 'task_started', turn_id: `turn-${n}` } },
      { timestamp: at(n), type: 'response_item', payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: `question ${n}` }] } },
      { timestamp: at(n), type: 'event_msg', payload: { type: 'user_message', message: `question ${n}`, images: [], local_images: [], text_elements: [] } },
      { timestamp: at(n), type: 'response_item', payload: { type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd: `ls ${n}` }), call_id: `call_${n}` } },
      { timestamp: at(n), type: 'response_item', payload: { type: 'function_call_output', call_id: `call_${n}`, output: words } },
      { timestamp: at(n), type: 'event_msg', payload: { type: 'agent_message', message: words } },
      { timestamp: at(n), type: 'response_item', payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words }] } },
      { timestamp: at(n), type: 'event_msg', payload: { type: 'task_complete', turn_id: `turn-${n}`, last_agent_message: words } },
    ],
  },
  {
    name: 'claude', player: () => createClaudePlayer({ tape: 'claude/bench' }), head: [],
    turn: (n) => {
      const line = (/** @type {string} */ id, /** @type {string | null} */ parent, /** @type {object} */ rest) => ({ parentUuid: parent, isSidechain: false, userType: 'external', cwd: '/tmp', sessionId: 'b0000000-0000-4000-8000-000000000000', version: '2.1.197', uuid: id, timestamp: at(n), ...rest });
      const before = n === 0 ? null : `d-${n - 1}`;
      const answer = { model: 'm', type: 'message', role: 'assistant', usage: { input_tokens: 1, output_tokens: 1 } };
      return [
        line(`a-${n}`, before, { type: 'user', message: { role: 'user', content: `question ${n}` } }),
        line(`b-${n}`, `a-${n}`, { type: 'assistant', message: { ...answer, id: `msg_a${n}`, content: [{ type: 'tool_use', id: `toolu_${n}`, name: 'Bash', input: { command: `ls ${n}` } }], stop_reason: 'tool_use' } }),
        line(`c-${n}`, `b-${n}`, { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${n}`, content: words }] } }),
        line(`d-${n}`, `c-${n}`, { type: 'assistant', message: { ...answer, id: `msg_b${n}`, content: [{ type: 'text', text: words }], stop_reason: 'end_turn' } }),
      ];
    },
  },
  {
    name: 'kimi', player: () => createKimiPlayer({ tape: 'kimi/bench' }), head: [{ type: 'metadata', protocol_version: '1.5', created_at: 1_796_000_000_000 }],
    turn: (n) => {
      const time = 1_796_000_000_000 + n * 60_000;
      const loop = (/** @type {object} */ event) => ({ type: 'context.append_loop_event', agentId: 'main', event: { turnId: String(n), step: 1, ...event }, time });
      const usage = { inputOther: 1, output: 1, inputCacheRead: 0, inputCacheCreation: 0 };
      return [
        { type: 'turn.prompt', agentId: 'main', input: [{ type: 'text', text: `question ${n}` }], origin: { kind: 'user' }, promptId: `msg_${n}`, turnId: n, time },
        { type: 'context.append_message', agentId: 'main', message: { role: 'user', content: [{ type: 'text', text: `question ${n}` }], toolCalls: [], id: `msg_${n}`, origin: { kind: 'user' } }, time },
        loop({ type: 'step.begin', uuid: `s${n}` }), loop({ type: 'content.part', uuid: `p${n}`, stepUuid: `s${n}`, part: { type: 'text', text: words } }),
        loop({ type: 'tool.call', uuid: `c${n}`, stepUuid: `s${n}`, toolCallId: `call_${n}`, name: 'Bash', args: { command: `ls ${n}` } }), loop({ type: 'tool.result', parentUuid: `c${n}`, toolCallId: `call_${n}`, result: { output: words, isError: false } }),
        loop({ type: 'step.end', uuid: `s${n}`, finishReason: 'stop', usage }), { type: 'turn.ended', agentId: 'main', turnId: n, reason: 'completed', durationMs: 10, time },
      ];
    },
  },
];

/** Lines of a session of about so many bytes. @param {Agent} agent @param {number} bytes */
function linesOf(agent, bytes) {
  /** @type {{ offset: number, length: number, text: string, isTerminated: true }[]} */
  const lines = [];
  let offset = 0;
  const add = (/** @type {object} */ record) => {
    const text = JSON.stringify(record);
    lines.push({ offset, length: text.length + 1, text, isTerminated: true });
    offset += text.length + 1;
  };
  agent.head.forEach(add);
  for (let turn = 0; offset < bytes; turn++) agent.turn(turn).forEach(add);
  return { lines, bytes: offset };
}

setFlagsFromString('--expose-gc');
/** Collects what earlier work left, so that its collection is not charged to this. @type {() => void} */
const collect = runInNewContext('gc');

/** @param {Agent} agent @param {readonly any[]} lines */
function play(agent, lines) {
  const player = agent.player();
  let facts = 0;
  collect();
  const before = process.cpuUsage();
  for (const line of lines) facts += player.play(line).facts.length;
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, facts };
}

/** Plays sessions of all sizes, smallest first, after warming up. @param {number} rounds @param {(text: string) => void} tell */
export function measurePlayers(rounds, tell) {
  return agents.map((agent) => {
    tell(`playing ${agent.name}`);
    for (let i = 0; i < WARM_UPS; i++) play(agent, linesOf(agent, 8e6).lines);
    const sizes = PLAYED_MB.map((mb) => {
      const { lines, bytes } = linesOf(agent, mb * 1e6);
      const measured = Array.from({ length: rounds }, () => play(agent, lines));
      return { bytes, facts: measured[0]?.facts ?? 0, seconds: spreadOf(measured.map(({ seconds }) => seconds)).median };
    });
    return { name: agent.name, sizes };
  });
}

/** @param {ReturnType<typeof measurePlayers>} results */
export function playersText(results) {
  const rows = results.map(({ name, sizes }) => `| ${name} | ${sizes.map(({ bytes, seconds }) => `${((seconds * 1e3) / (bytes / 1e6)).toFixed(1)} ms`).join(' | ')} | ${(sizes.at(-1)?.facts ?? 0).toLocaleString('en')} |`);
  return `## Playing: cost against size

Lines in memory to facts, CPU time for each MB of a made-up session with one call a turn, medians. A cost that does not grow with the size is the same along a row. Load average (1 min) at the end: ${loadavg()[0]?.toFixed(1)}, on a machine of ${cpus().length} cores.

| agent | ${PLAYED_MB.map((mb) => `each of ${mb} MB`).join(' | ')} | facts of the largest |
| --- | ${PLAYED_MB.map(() => '---:').join(' | ')} | ---: |
${rows.join('\n')}`;
}
