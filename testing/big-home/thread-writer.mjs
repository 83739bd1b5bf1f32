// @ts-check
import { legacyForm, paginatedForm } from './forms.mjs';
import { RolloutFile } from './rollout-file.mjs';
/** @import { HistoryMode } from './rollout-file.mjs' */
/** @import { Texts } from './texts.mjs' */

const CWD = '/home/dev/project';
/** Every so many turns one brings an image, one compacts, and (legacy) one is taken back. */
const IMAGE_EVERY = 1_000;
const IMAGE_UNITS = 600_000;
const COMPACT_EVERY = 400;
const ROLLBACK_EVERY = 1_900;
/** Most turns use this part of their share of the bytes; what is left makes a few outputs very long, as in real threads. */
const THRIFT = 0.65;
const LAVISH = 0.02;

/** @typedef {{ mode: HistoryMode, startMs: number, isArchived?: boolean, parentId?: string, instructionUnits?: number }} ThreadMade */

/** Writes one thread, turn by turn. */
export class ThreadWriter {
  #open = { turnId: '' };
  #form;
  #texts;
  #chance;
  #tokens = 0;
  turns = 0;

  /** @param {string} home @param {Texts} texts @param {ThreadMade} made */
  constructor(home, texts, made) {
    this.#texts = texts;
    this.#chance = texts.chance;
    this.file = new RolloutFile(home, texts.chance, made);
    this.#form = made.mode === 'legacy' ? legacyForm(this.#open) : paginatedForm(this.#open);
    this.#begin(made);
  }

  /** Who the thread is, and what the program tells the model before the first prompt. @param {ThreadMade} made */
  #begin({ mode, parentId, instructionUnits = 14_000 }) {
    const { file } = this;
    const source = parentId === undefined ? 'cli' : { subagent: { thread_spawn: { parent_thread_id: parentId, depth: 1, agent_nickname: 'Ada', agent_role: 'explorer' } } };
    file.line('session_meta', {
      id: file.id, timestamp: file.createdAt, cwd: CWD, originator: 'codex_cli_rs', cli_version: mode === 'legacy' ? '0.112.0' : '0.171.0', source, model_provider: 'openai',
      base_instructions: { text: this.#texts.output(instructionUnits) }, ...(mode === 'paginated' ? { history_mode: 'paginated' } : {}),
      git: { commit_hash: this.#chance.hex(40), branch: 'main', repository_url: 'https://example.invalid/dev/project.git' },
    });
    this.#tellModel('user', `# AGENTS.md instructions for ${CWD}\n\n<INSTRUCTIONS>\n${this.#texts.output(instructionUnits / 2)}</INSTRUCTIONS>`);
    this.#tellModel('user', `<environment_context>\n  <cwd>${CWD}</cwd>\n  <shell>bash</shell>\n</environment_context>`);
  }

  /** @param {string} role @param {string} text */
  #tellModel(role, text) {
    this.file.model('message', { role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] });
  }

  /** One turn; tool outputs fill the file up to about `upToBytes` over time. @param {number} upToBytes */
  turn(upToBytes) {
    const { file } = this;
    const share = upToBytes / (this.turns + 1);
    const allowedBytes = this.#chance.is(LAVISH) ? upToBytes : Math.min(upToBytes, file.bytes + share * THRIFT);
    const number = ++this.turns;
    const startedMs = file.clockMs;
    this.#open.turnId = this.#chance.uuid7(startedMs);
    file.event('task_started', { turn_id: this.#open.turnId, started_at: Math.floor(startedMs / 1000), model_context_window: 258_400, collaboration_mode_kind: 'default' });
    this.#configure();
    this.#prompt(`${number}. ${this.#texts.prose(1 + this.#chance.below(3))}`, number % IMAGE_EVERY === IMAGE_EVERY / 2);
    if (number % COMPACT_EVERY === 0) this.#compact();
    this.#work(allowedBytes);
    const ended = { turn_id: this.#open.turnId, completed_at: Math.floor(file.clockMs / 1000), duration_ms: file.clockMs - startedMs };
    if (this.#chance.is(0.015)) file.event('turn_aborted', { ...ended, reason: 'interrupted' });
    else {
      const answer = this.#texts.markdown();
      this.#say(answer, 'final_answer');
      file.event('task_complete', { ...ended, last_agent_message: answer });
    }
    if (file.mode === 'legacy' && number % ROLLBACK_EVERY === 0) file.event('thread_rolled_back', { num_turns: 1 + this.#chance.below(2) });
  }

  #configure() {
    this.file.line('turn_context', {
      turn_id: this.#open.turnId, cwd: CWD, approval_policy: 'on-request',
      sandbox_policy: { type: 'workspace-write', network_access: false, exclude_tmpdir_env_var: false, exclude_slash_tmp: false }, model: 'gpt-5.5', effort: 'high', summary: 'auto',
    });
  }

  /** @param {string} text @param {boolean} hasImage */
  #prompt(text, hasImage) {
    const { file } = this;
    const imageUrl = hasImage ? this.#texts.imageUrl(IMAGE_UNITS) : undefined;
    file.model('message', { role: 'user', content: [{ type: 'input_text', text }, ...(imageUrl === undefined ? [] : [{ type: 'input_image', image_url: imageUrl }])] });
    this.#form.input(file, { id: this.#chance.uuid7(file.clockMs), text, imageUrl });
  }

  /** The model's responses: thoughts, sometimes a word, calls. A few calls take most of the bytes, as in real threads. @param {number} upToBytes */
  #work(upToBytes) {
    const responses = 1 + this.#chance.below(3);
    for (let left = responses; left > 0; left--) {
      this.#think();
      if (this.#chance.is(0.3)) this.#say(this.#texts.sentence(), 'commentary');
      const room = Math.max(0, upToBytes - this.file.bytes) / 2;
      const share = left === 1 ? 1 : Math.min(1, (2 * this.#chance.next() ** 2) / left);
      this.#call(Math.max(0, Math.round(room * share) - 700));
      if (this.#chance.is(0.25)) this.#call(0);
      this.#countTokens();
    }
  }

  #think() {
    const id = `rs_${this.#chance.hex(48)}`;
    const text = `**${this.#texts.sentence()}**\n\n${this.#texts.prose(2)}`;
    this.#form.reasoning(this.file, { id, text });
    this.file.model('reasoning', { id, summary: [{ type: 'summary_text', text }], content: null, encrypted_content: this.#texts.secret(800 + this.#chance.below(4_000)) });
  }

  /** @param {string} text @param {string} phase */
  #say(text, phase) {
    const id = `msg_${this.#chance.hex(48)}`;
    this.#form.message(this.file, { id, text, phase });
    this.file.model('message', { id, role: 'assistant', content: [{ type: 'output_text', text }], phase });
  }

  /** @param {number} outputUnits what a call that gives output may give */
  #call(outputUnits) {
    const kind = this.#chance.next();
    const id = `call_${this.#chance.hex(24)}`;
    if (outputUnits > 4_000 || kind < 0.62) this.#command(id, outputUnits);
    else if (kind < 0.84) this.#patch(id);
    else if (kind < 0.95) this.#tool(id, outputUnits);
    else this.#search(id);
  }

  /** @param {string} id @param {number} outputUnits */
  #command(id, outputUnits) {
    const cmd = this.#chance.pick([`sed -n '1,240p' ${this.#texts.path()}`, `rg -n "${this.#chance.hex(4)}" src`, 'npm test -- --run', 'git diff --stat', `cat ${this.#texts.path()}`]);
    const exitCode = this.#chance.is(0.08) ? 1 : 0;
    const output = this.#texts.output(outputUnits);
    this.file.model('function_call', { name: 'exec_command', arguments: JSON.stringify({ cmd, yield_time_ms: 1000 }), call_id: id });
    // Old programs kept the event of some commands only; the model's call and output are always there.
    if (this.file.mode === 'paginated' || this.#chance.is(0.7)) {
      this.#form.command(this.file, { id, end: {
        process_id: String(10_000 + this.#chance.below(50_000)), cwd: this.file.mode === 'paginated' ? `file://${CWD}` : CWD, command: ['/bin/bash', '-lc', cmd],
        parsed_cmd: [{ type: 'unknown', cmd }], source: 'unified_exec_startup', status: exitCode === 0 ? 'completed' : 'failed', aggregated_output: output, exit_code: exitCode,
        duration: { secs: this.#chance.below(20), nanos: this.#chance.below(1e9) },
      } });
    }
    this.file.model('function_call_output', { call_id: id, output: `Chunk ID: ${this.#chance.hex(6)}\nWall time: 0.${this.#chance.below(9)} seconds\nProcess exited with code ${exitCode}\nOutput:\n${output}` });
  }

  /** @param {string} id */
  #patch(id) {
    const path = this.#texts.path();
    const diff = `@@ -${1 + this.#chance.below(300)},3 +1,3 @@\n context\n-${this.#texts.sentence()}\n+${this.#texts.sentence()}\n`;
    const stdout = `Success. Updated the following files:\nM ${path}\n`;
    this.file.model('custom_tool_call', { status: 'completed', call_id: id, name: 'apply_patch', input: `*** Begin Patch\n*** Update File: ${path}\n${diff}*** End Patch` });
    this.#form.patch(this.file, { id, stdout, changes: { [`${CWD}/${path}`]: { type: 'update', unified_diff: diff, move_path: null } } });
    this.file.model('custom_tool_call_output', { call_id: id, output: `Exit code: 0\nWall time: 0 seconds\nOutput:\n${stdout}` });
  }

  /** @param {string} id @param {number} outputUnits */
  #tool(id, outputUnits) {
    const args = { query: this.#texts.sentence(), limit: 10 };
    const content = [{ type: 'text', text: this.#texts.output(outputUnits) }];
    this.file.model('function_call', { name: 'mcp__tracker__find', arguments: JSON.stringify(args), call_id: id });
    this.#form.tool(this.file, { id, server: 'tracker', tool: 'find', args, content, duration: { secs: 0, nanos: this.#chance.below(1e9) } });
    this.file.model('function_call_output', { call_id: id, output: JSON.stringify(content) });
  }

  /** @param {string} id */
  #search(id) {
    const query = this.#texts.sentence();
    const action = { type: 'search', query, queries: [query] };
    this.#form.search(this.file, { id, query, action });
    this.file.model('web_search_call', { id, status: 'completed', action });
  }

  #compact() {
    const message = this.#texts.prose(8);
    const kept = [this.#texts.sentence(), message].map((text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }));
    this.file.line('compacted', { message, replacement_history: kept });
    this.#form.compaction(this.file, { id: this.#chance.uuid7(this.file.clockMs) });
  }

  #countTokens() {
    const input = 4_000 + this.#chance.below(120_000);
    const output = 20 + this.#chance.below(2_500);
    const last = { input_tokens: input, cached_input_tokens: Math.floor(input * 0.9), output_tokens: output, reasoning_output_tokens: Math.floor(output / 3), total_tokens: input + output };
    this.#tokens += last.total_tokens;
    const limits = { primary: { used_percent: this.#chance.below(100), window_minutes: 300, resets_at: 1_763_700_000 }, secondary: null };
    this.file.event('token_count', { info: { total_token_usage: { ...last, total_tokens: this.#tokens }, last_token_usage: last, model_context_window: 258_400 }, rate_limits: limits });
  }
}

