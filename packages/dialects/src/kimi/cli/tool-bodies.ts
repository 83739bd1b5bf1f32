import type { ContentPart, FileEdit, ItemBody, ItemStatus, JsonObject, JsonValue } from '@tapefold/facts';
import { isJsonObject, textOfParts } from '@tapefold/facts';
import { objectsAt, present, stringAt } from '../../shape.js';

interface Call { readonly name: string; readonly input: JsonObject; readonly sender: string }

const running = 'running' as const;
const marked = (text: string, mark: '-' | '+'): string => (text === '' ? '' : text.split('\n').map((line) => `${mark}${line}\n`).join(''));
const replaced = (edit: JsonObject): string => `@@\n${marked(stringAt(edit, 'old') ?? '', '-')}${marked(stringAt(edit, 'new') ?? '', '+')}`;

/** One edit or a list of them. */
function replaceBody({ input }: Call): ItemBody {
  const edits = isJsonObject(input['edit']) ? [input['edit']] : objectsAt(input, 'edit');
  return { kind: 'fileChange', changes: [{ path: stringAt(input, 'path') ?? '', kind: 'update', diff: edits.map(replaced).join('') }], status: running };
}

function writeBody({ input }: Call): ItemBody {
  const content = stringAt(input, 'content') ?? '';
  const isAppend = stringAt(input, 'mode') === 'append';
  const change: FileEdit = { path: stringAt(input, 'path') ?? '', kind: isAppend ? 'update' : 'add', diff: isAppend ? `@@\n${marked(content, '+')}` : content };
  return { kind: 'fileChange', changes: [change], status: running };
}

const commandBody = ({ input }: Call): ItemBody => ({ kind: 'command', command: stringAt(input, 'command') ?? '', source: 'agent', status: running, actions: [] });

function spawnBody({ input, sender }: Call): ItemBody {
  return present({ kind: 'agentCall' as const, tool: 'spawnAgent' as const, status: running, senderThreadId: sender, receiverThreadIds: [], prompt: stringAt(input, 'prompt'), model: stringAt(input, 'model'), agents: {} });
}

const searchBody = ({ input }: Call): ItemBody => ({ kind: 'webSearch', query: stringAt(input, 'query') ?? '', action: present({ kind: 'search' as const, query: stringAt(input, 'query') }), status: running });
const fetchBody = ({ input }: Call): ItemBody => ({ kind: 'webSearch', query: stringAt(input, 'url') ?? '', action: present({ kind: 'openPage' as const, url: stringAt(input, 'url') }), status: running });

const builders: Readonly<Record<string, (call: Call) => ItemBody>> = {
  Shell: commandBody, Bash: commandBody, CMD: commandBody, Powershell: commandBody, WriteFile: writeBody, StrReplaceFile: replaceBody, SearchWeb: searchBody, FetchURL: fetchBody, Task: spawnBody, Agent: spawnBody,
};

/** What a call shows before its result [R-THR-1]. */
export function bodyOfCall(call: Call): ItemBody {
  const build = Object.hasOwn(builders, call.name) ? builders[call.name] : undefined;
  return build ? build(call) : { kind: 'toolCall', tool: call.name, arguments: call.input, status: running };
}

/** What a result says. */
export interface CliResult {
  readonly output: readonly ContentPart[];
  readonly message: string;
  readonly display: readonly JsonObject[];
  readonly status: ItemStatus;
}

/** A file as the result shows it changed: the whole old and new text of the place. */
function shownDiff(blocks: readonly JsonObject[]): string {
  return blocks.map((block) => `@@\n${marked(stringAt(block, 'old_text') ?? '', '-')}${marked(stringAt(block, 'new_text') ?? '', '+')}`).join('');
}

function changedBody(body: Extract<ItemBody, { kind: 'fileChange' }>, { display, status }: CliResult): ItemBody {
  const diffs = display.filter((block) => stringAt(block, 'type') === 'diff' && block['is_summary'] !== true);
  const path = stringAt(diffs[0] ?? {}, 'path');
  if (path === undefined) return { ...body, status };
  const isNew = diffs.every((block) => (stringAt(block, 'old_text') ?? '') === '') && body.changes.every(({ kind }) => kind === 'add');
  return { ...body, status, changes: [{ path, kind: isNew ? 'add' : 'update', diff: isNew ? diffs.map((block) => stringAt(block, 'new_text') ?? '').join('') : shownDiff(diffs) }] };
}

/** The exit code stands in the message of a command that failed. */
function exitCodeOf({ message, status }: CliResult): number | undefined {
  const code = /exit code:? (-?\d{1,9})/i.exec(message)?.[1];
  return code === undefined ? (status === 'completed' ? 0 : undefined) : Number(code);
}

/** The call's body with what its result says. `agent`: the sub-agent that it started. */
export function bodyWithResult(body: ItemBody, result: CliResult, agent: string | undefined): ItemBody {
  const { status, output, message } = result;
  const text = textOfParts(output);
  switch (body.kind) {
    case 'command': return present({ ...body, status, output: text === '' && status !== 'completed' ? message : text, exitCode: exitCodeOf(result) });
    case 'fileChange': return changedBody(body, result);
    case 'webSearch': return { ...body, status };
    case 'agentCall': {
      const state = { status: status === 'completed' ? 'completed' as const : 'errored' as const, ...(text === '' ? {} : { message: text }) };
      return agent === undefined ? { ...body, status } : { ...body, status, receiverThreadIds: [agent], agents: { [agent]: state } };
    }
    case 'toolCall': return { ...body, status, output: output.length || message === '' ? [...output] : [{ kind: 'text', text: message }], isSuccess: status === 'completed' };
    default: return body;
  }
}

const todoStatuses: Readonly<Record<string, 'pending' | 'inProgress' | 'completed'>> = { pending: 'pending', in_progress: 'inProgress', done: 'completed' };

/** The list of tasks that a result shows; undefined where it shows none. */
export function todosOf(display: readonly JsonObject[]): { title: string; status: 'pending' | 'inProgress' | 'completed' }[] | undefined {
  const block = display.find((each) => stringAt(each, 'type') === 'todo');
  return block && objectsAt(block, 'items').flatMap((item) => {
    const status = stringAt(item, 'status') ?? '';
    return Object.hasOwn(todoStatuses, status) ? [{ title: stringAt(item, 'title') ?? '', status: todoStatuses[status] ?? 'pending' }] : [];
  });
}

/** A value that a reader of our facts may want and that is not too long to carry twice. */
export function shortDisplay(display: readonly JsonObject[]): JsonValue | undefined {
  const value = [...display];
  return value.length > 0 && JSON.stringify(value).length <= 2_000 ? value : undefined;
}
