import type { AgentState, CommandAction, ContentPart, FileEdit, ItemBody, ItemStatus, JsonObject, JsonValue, WebAction } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { type Shape, finite, listAt, misfit, numberAt, objectAt, objectsAt, present, stringAt, stringsAt, wordIn } from '../shape.js';

/** Parts that records of paginated threads and legacy events write alike. Codex writes statuses both ways (`in_progress`, `inProgress`). */
const statuses: Readonly<Record<string, ItemStatus>> = {
  in_progress: 'running', inProgress: 'running', completed: 'completed', failed: 'failed', declined: 'declined', interrupted: 'interrupted',
};
/** A status in either spelling; absent and unknown words count as running, since nothing says that it ended. */
export function statusOf(value: string | undefined): ItemStatus {
  return wordIn(statuses, value) ?? 'running';
}

/** `{secs, nanos}` in whole milliseconds, rounded down. */
export function durationMsOf(value: JsonValue | undefined): number | undefined {
  if (!isJsonObject(value)) return undefined;
  const secs = numberAt(value, 'secs');
  return secs === undefined ? undefined : finite(secs * 1000 + Math.floor((numberAt(value, 'nanos') ?? 0) / 1_000_000));
}

/** `file:///a%20b` as a path; undefined for anything that is no file URI. */
export function pathOfUri(uri: string | undefined): string | undefined {
  if (!uri?.startsWith('file://')) return undefined;
  const path = uri.slice('file://'.length);
  try { return decodeURIComponent(path); } catch { return path; }
}

/** A file that a command reads is named from the root. */
function absolute(path: string, cwd: string | undefined): string {
  return path.startsWith('/') || cwd === undefined ? path : `${cwd.replace(/\/$/, '')}/${path}`;
}

/** What the agent's own parser saw a command do. Files that it reads are named from the root; the other paths stay as recorded. */
export function commandActionsOf(list: readonly JsonValue[], cwd: string | undefined): CommandAction[] {
  return list.filter(isJsonObject).map((action): CommandAction => {
    const command = stringAt(action, 'cmd') ?? stringAt(action, 'command') ?? '';
    switch (stringAt(action, 'type')) {
      case 'read': return { kind: 'read', command, name: stringAt(action, 'name') ?? '', path: absolute(stringAt(action, 'path') ?? '', cwd) };
      case 'list_files': return present({ kind: 'listFiles' as const, command, path: stringAt(action, 'path') });
      case 'search': return present({ kind: 'search' as const, command, query: stringAt(action, 'query'), path: stringAt(action, 'path') });
      default: return { kind: 'unknown', command };
    }
  });
}

const commandSources: Readonly<Record<string, 'agent' | 'userShell' | 'unifiedExecStartup' | 'unifiedExecInteraction'>> = {
  agent: 'agent', user_shell: 'userShell', unified_exec_startup: 'unifiedExecStartup', unified_exec_interaction: 'unifiedExecInteraction',
};

/** A command as `exec_command_*` events and `CommandExecution` items write it. Without a status, the exit code tells. */
export function commandOf(from: JsonObject, cwd: string | undefined): Extract<ItemBody, { kind: 'command' }> {
  const exitCode = numberAt(from, 'exit_code');
  const status = stringAt(from, 'status');
  return present({
    kind: 'command' as const, command: stringsAt(from, 'command'), cwd, processId: stringAt(from, 'process_id'), source: wordIn(commandSources, stringAt(from, 'source')) ?? 'agent',
    status: status === undefined && exitCode !== undefined ? (exitCode === 0 ? 'completed' as const : 'failed' as const) : statusOf(status), actions: commandActionsOf(listAt(from, 'parsed_cmd'), cwd),
    output: stringAt(from, 'aggregated_output') || undefined, exitCode, durationMs: durationMsOf(from['duration']), pluginId: stringAt(from, 'plugin_id'), scriptPath: stringAt(from, 'script_path'),
  });
}

/** `changes` by path, as patch events and `FileChange` items write them. */
export function fileEditsOf(changes: JsonObject | undefined): FileEdit[] {
  return Object.entries(changes ?? {}).flatMap(([path, change]): FileEdit[] => {
    if (!isJsonObject(change)) return [];
    const kind = stringAt(change, 'type');
    if (kind === 'update') return [present({ path, kind, movePath: stringAt(change, 'move_path'), diff: stringAt(change, 'unified_diff') ?? '' })];
    return kind === 'add' || kind === 'delete' ? [{ path, kind, diff: stringAt(change, 'content') ?? '' }] : [];
  });
}

/** An action of a web search; types that are not known are `other`, since something was done. */
export function webActionOf(action: JsonObject | undefined): WebAction | undefined {
  if (!action) return undefined;
  switch (stringAt(action, 'type')) {
    case 'search': return present({ kind: 'search' as const, query: stringAt(action, 'query'), queries: Array.isArray(action['queries']) ? stringsAt(action, 'queries') : undefined });
    case 'open_page': return present({ kind: 'openPage' as const, url: stringAt(action, 'url') });
    case 'find_in_page': return present({ kind: 'findInPage' as const, url: stringAt(action, 'url'), pattern: stringAt(action, 'pattern') });
    default: return { kind: 'other' };
  }
}

/** The `Ok` of an MCP call, with null where a half is missing. */
export function mcpResultOf(result: JsonObject | undefined): { content: JsonValue[]; structuredContent: JsonValue; meta: JsonValue } | undefined {
  return result && { content: listAt(result, 'content'), structuredContent: result['structuredContent'] ?? null, meta: result['_meta'] ?? null };
}

const agentStates: Readonly<Record<string, AgentState['status']>> = {
  pending_init: 'pendingInit', running: 'running', interrupted: 'interrupted', shutdown: 'shutdown', not_found: 'notFound',
};
/** `"running"`, or `{completed: text|null}` and `{errored: text}`. */
export function agentStateOf(value: JsonValue | undefined): AgentState {
  if (typeof value === 'string') return { status: wordIn(agentStates, value) ?? 'running' };
  if (!isJsonObject(value)) return { status: 'running' };
  const isError = 'errored' in value;
  return present({ status: isError ? 'errored' as const : 'completed' as const, message: stringAt(value, isError ? 'errored' : 'completed') });
}

/** Parts of a person's message, as `UserMessage` items write them; unknown kinds are kept. */
export function inputPartsOf(list: readonly JsonValue[]): ContentPart[] {
  return list.filter(isJsonObject).map((part): ContentPart => {
    const source = (url: string, path?: string) => present({ url: stringAt(part, url), path: path === undefined ? undefined : stringAt(part, path), fileId: stringAt(part, 'file_id') });
    switch (stringAt(part, 'type')) {
      case 'text': return present({ kind: 'text' as const, text: stringAt(part, 'text') ?? '', elements: textElementsOf(objectsAt(part, 'text_elements')) });
      case 'image': return present({ kind: 'image' as const, source: source('image_url'), detail: stringAt(part, 'detail') });
      case 'local_image': return present({ kind: 'image' as const, source: { path: stringAt(part, 'path') ?? '' }, detail: stringAt(part, 'detail') });
      case 'audio': return { kind: 'audio', source: source('audio_url') };
      case 'local_audio': return { kind: 'audio', source: { path: stringAt(part, 'path') ?? '' } };
      case 'skill': return { kind: 'skill', name: stringAt(part, 'name') ?? '', path: stringAt(part, 'path') ?? '' };
      case 'mention': return { kind: 'mention', name: stringAt(part, 'name') ?? '', path: stringAt(part, 'path') ?? '' };
      default: return { kind: 'other', raw: part };
    }
  });
}

/** Absent where there are none, since most texts have none. */
export function textElementsOf(list: readonly JsonObject[]): { byteStart: number; byteEnd: number; placeholder: string | null }[] | undefined {
  if (!list.length) return undefined;
  return list.map((element) => {
    const range = objectAt(element, 'byte_range') ?? {};
    return { byteStart: numberAt(range, 'start') ?? 0, byteEnd: numberAt(range, 'end') ?? 0, placeholder: stringAt(element, 'placeholder') ?? null };
  });
}

const phases = { commentary: 'commentary', partial_answer: 'partialAnswer', final_answer: 'finalAnswer' } as const;
/** The phase of a message; undefined for words that are not known. */
export function phaseOf(value: string | undefined): 'commentary' | 'partialAnswer' | 'finalAnswer' | undefined {
  return wordIn<'commentary' | 'partialAnswer' | 'finalAnswer'>(phases, value);
}

const citationShape: Shape = { entries: 'list', rolloutIds: 'strings' };

/** A citation in another shape is one that the original cannot read, and with it the message. */
export function isReadableCitation(from: JsonObject): boolean {
  const citation = from['memory_citation'];
  return citation === undefined || citation === null || (isJsonObject(citation) && misfit(citation, citationShape) === undefined);
}

/** A memory citation in the words of the facts; call it on readable ones (`isReadableCitation`), since it fills in what is missing. */
export function citationOf(citation: JsonObject | undefined): { entries: { path: string; lineStart: number; lineEnd: number; note: string }[]; threadIds: string[] } | undefined {
  return citation && {
    entries: objectsAt(citation, 'entries').map((entry) => ({
      path: stringAt(entry, 'path') ?? '', lineStart: numberAt(entry, 'lineStart') ?? 0, lineEnd: numberAt(entry, 'lineEnd') ?? 0,
      note: stringAt(entry, 'note') ?? '',
    })),
    threadIds: stringsAt(citation, 'rolloutIds'),
  };
}

/** What an agent's message carries besides its text, in events and items alike. */
export function messageExtrasOf(from: JsonObject): Partial<Extract<ItemBody, { kind: 'agentMessage' }>> {
  const questions = objectsAt(from, 'questions').map((question) => ({ title: stringAt(question, 'title') ?? '', options: Array.isArray(question['options']) ? stringsAt(question, 'options') : null }));
  return present({
    phase: phaseOf(stringAt(from, 'phase')), citation: citationOf(objectAt(from, 'memory_citation')), isAsync: stringAt(from, 'delivery') === 'async' ? true : undefined,
    questions: Array.isArray(from['questions']) ? questions : undefined, moderation: from['moderation'] ?? undefined,
  });
}

/** The findings of a review; none where the output is absent. Missing texts are empty, missing lines 0. */
export function reviewFindingsOf(output: JsonObject | undefined): { title: string; body: string; path: string; startLine: number; endLine: number }[] {
  return objectsAt(output ?? {}, 'findings').map((finding) => {
    const location = objectAt(finding, 'code_location') ?? {};
    const range = objectAt(location, 'line_range') ?? {};
    return {
      title: stringAt(finding, 'title') ?? '', body: stringAt(finding, 'body') ?? '', path: stringAt(location, 'absolute_file_path') ?? '', startLine: numberAt(range, 'start') ?? 0,
      endLine: numberAt(range, 'end') ?? 0,
    };
  });
}

/** The review's own words; blank ones are none. */
export function reviewExitedOf(output: JsonObject | undefined): Extract<ItemBody, { kind: 'reviewExited' }> {
  return present({ kind: 'reviewExited' as const, explanation: stringAt(output ?? {}, 'overall_explanation'), findings: reviewFindingsOf(output) });
}

const activities = new Set(['started', 'interacted', 'interrupted', 'completed']);
/** What happened to a sub-agent; a kind that is not known counts as `interacted`. */
export function agentActivityOf(from: JsonObject): ItemBody {
  const kind = stringAt(from, 'kind') ?? '';
  return present({
    kind: 'agentActivity' as const, activity: (activities.has(kind) ? kind : 'interacted') as 'started' | 'interacted' | 'interrupted' | 'completed',
    agentThreadId: stringAt(from, 'agent_thread_id') ?? '', agentPath: stringAt(from, 'agent_path') ?? '', model: stringAt(from, 'model'), effort: stringAt(from, 'reasoning_effort'),
  });
}

/** Fields that only image generation has, beside those of its body. */
export function imageGenerationOf(from: JsonObject): ItemBody {
  return present({
    kind: 'imageGeneration' as const, status: stringAt(from, 'status') ?? '', revisedPrompt: stringAt(from, 'revised_prompt'), result: stringAt(from, 'result'), savedPath: stringAt(from, 'saved_path'),
  });
}
