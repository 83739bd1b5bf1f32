import type { CommandAction, ContentPart, FileEdit, ItemStatus } from '@tapefold/facts';
import type { RowBody } from '../fold/row.js';
import type { ItemOutcome } from '../objects/item-parts.js';
import { changedFiles, commandAction } from './call-objects.js';
import { commandLine } from './command-quoting.js';
import { type ItemOptions, objectOf } from './item-object.js';
import { type ItemProgress, callStatus, declinableStatus, progressFrom, progressOf } from './item-status.js';
import { type JsonMembers, isJsonString, jsonElements, jsonMembers } from './json-members.js';
import { phases } from './message-objects.js';
import { userContent } from './user-content.js';

/*
 * The object of an item as JSON, out of the text of its body: what stands in both alike is taken over as text. To parse it and to write it again costs more than all else that a whole thread is
 * answered with. Whatever is not as expected goes by the object itself: the text is the object's in any case, which a property test tells.
 */

/** An item as a store has it; `body`: as `JSON.stringify` wrote it, with whole texts. */
export interface StoredItem {
  readonly id: string;
  readonly body: string;
  readonly isOpen: boolean;
  readonly startedAtMs?: number | undefined;
  readonly completedAtMs?: number | undefined;
}

/** How JSON stands in what is taken apart and put together, where it is not as it is: all signs of ASCII as themselves, others in any way that has none of those. */
export interface TextForm {
  readonly encode: (text: string) => string;
  readonly decode: (encoded: string) => string;
}

const asItIs: TextForm = { encode: (text) => text, decode: (text) => text };

/** As those of `itemObject`; whole texts are not put back. `form`: of the item's texts, and of what is written. */
export interface ItemTextOptions extends Omit<ItemOptions, 'readPiece'> {
  readonly form?: TextForm | undefined;
}

/** What an item is written from: `body` are the members of its body as text. */
interface Parts {
  readonly item: StoredItem;
  readonly body: JsonMembers;
  readonly options: ItemTextOptions;
  readonly form: TextForm;
}

const parsed = (text: string, form: TextForm): unknown => JSON.parse(form.decode(text));
const written = (value: unknown, form: TextForm): string => form.encode(JSON.stringify(value));

const MILLION = 1e6;

/** The engine writes whole numbers of up to 30 bits several times as quickly as longer ones, as all times are. */
function timeText(ms: number | undefined): string {
  if (ms === undefined) return 'null';
  if (!Number.isSafeInteger(ms) || ms < MILLION) return JSON.stringify(ms);
  const millions = Math.floor(ms / MILLION);
  return `${millions}${`${ms - millions * MILLION + MILLION}`.slice(1)}`;
}

const plainId = /^[\w-]*$/;
const idText = (id: string, form: TextForm): string => (plainId.test(id) ? `"${id}"` : written(form.decode(id), form));

/** A member that the object has as null where the body has none. */
const orNull = ({ body }: Parts, name: string): string => body.get(name) ?? 'null';

function tailText({ item }: Parts, outcome?: ItemOutcome): string {
  const times = `,"startedAtMs":${timeText(item.startedAtMs)},"completedAtMs":${timeText(item.completedAtMs)}`;
  return outcome === undefined ? `${times}}` : `${times},"outcome":"${outcome}"}`;
}

const isText = (value: string | undefined): value is string => value?.startsWith('"') === true;
const isList = (value: string | undefined): value is string => value?.startsWith('[') === true;

const statuses: ReadonlyMap<string | undefined, ItemStatus> = new Map((['running', 'completed', 'failed', 'declined', 'interrupted', 'timedOut', 'cancelled'] as const).map((status) => [`"${status}"`, status]));

function progressIn({ body, item, options: { isTurnOver } }: Parts): ItemProgress | undefined {
  const status = statuses.get(body.get('status'));
  return status && progressFrom(status, { isOpen: item.isOpen, isTurnOver });
}

const phaseTexts: ReadonlyMap<string | undefined, string> = new Map([[undefined, 'null'], ...Object.entries(phases).map(([phase, word]): [string, string] => [`"${phase}"`, `"${word}"`])]);

function agentMessage(parts: Parts, id: string): string | undefined {
  const text = parts.body.get('text');
  const phase = phaseTexts.get(parts.body.get('phase'));
  if (text === undefined || phase === undefined) return undefined;
  const delivery = parts.body.get('isAsync') === 'true' ? '"async"' : 'null';
  return `{"type":"agentMessage","moderation":${orNull(parts, 'moderation')},"id":${id},"text":${text},"phase":${phase},"memoryCitation":${orNull(parts, 'citation')},"delivery":${delivery},"questions":${orNull(parts, 'questions')}${tailText(parts)}`;
}

function reasoning(parts: Parts, id: string): string | undefined {
  const [summary, content] = [parts.body.get('summary'), parts.body.get('content')];
  return isList(summary) && isList(content) ? `{"type":"reasoning","id":${id},"summary":${summary},"content":${content}${tailText(parts)}` : undefined;
}

const PLAIN_TEXT = '{"kind":"text","text":';

/** Most inputs are text and no more. */
function partText(part: string, form: TextForm): string {
  const members = part.startsWith(PLAIN_TEXT) ? jsonMembers(part) : undefined;
  const text = members?.names.length === 2 ? members.get('text') : undefined;
  if (text !== undefined) return `{"type":"text","text":${text},"text_elements":[]}`;
  return written(userContent([parsed(part, form) as ContentPart]), form).slice(1, -1);
}

function userMessage(parts: Parts, id: string): string | undefined {
  const content = jsonElements(parts.body.get('content') ?? '');
  return content && `{"type":"userMessage","id":${id},"clientId":${orNull(parts, 'clientId')},"content":[${content.map((part) => partText(part, parts.form)).filter((text) => text !== '').join(',')}]${tailText(parts)}`;
}

const UNKNOWN_ACTION = '[{"kind":"unknown","command":';

/** Of most commands nobody knows what they do. */
function actionsText(actions: string, form: TextForm): string {
  const command = actions.startsWith(UNKNOWN_ACTION) ? actions.slice(UNKNOWN_ACTION.length, -2) : '';
  if (isJsonString(command)) return `[{"type":"unknown","command":${command}}]`;
  return written((parsed(actions, form) as CommandAction[]).map(commandAction), form);
}

function commandExecution(parts: Parts, id: string): string | undefined {
  const { body, options, form } = parts;
  const [command, actions, source, cwd, progress] = [body.get('command'), body.get('actions'), body.get('source'), body.get('cwd'), progressIn(parts)];
  if (command === undefined || source === undefined || !isList(actions) || !progress) return undefined;
  const { status, outcome } = declinableStatus(progress);
  const line = isText(command) ? command : written(commandLine(parsed(command, form) as string[]), form);
  const folder = cwd === undefined || cwd === 'null' ? written(options.cwd ?? '', form) : cwd;
  return `{"type":"commandExecution","id":${id},"pluginId":${orNull(parts, 'pluginId')},"scriptPath":${orNull(parts, 'scriptPath')},"command":${line},"cwd":${folder},"processId":${orNull(parts, 'processId')},"source":${source},"status":"${status}","commandActions":${actionsText(actions, form)},"aggregatedOutput":${orNull(parts, 'output')},"exitCode":${orNull(parts, 'exitCode')},"durationMs":${orNull(parts, 'durationMs')}${tailText(parts, outcome)}`;
}

const plainEdits: ReadonlyMap<string | undefined, string> = new Map([['"add"', '{"type":"add"}'], ['"delete"', '{"type":"delete"}'], ['"update"', '{"type":"update","move_path":null}']]);

/** A file that was not moved. */
function editText(edit: string | undefined): string | undefined {
  const members = edit === undefined ? undefined : jsonMembers(edit);
  const [path, kind, diff] = [members?.get('path'), plainEdits.get(members?.get('kind')), members?.get('diff')];
  return path === undefined || kind === undefined || diff === undefined || members?.get('movePath') !== undefined ? undefined : `{"path":${path},"kind":${kind},"diff":${diff}}`;
}

/** Most patches are of one file, which needs no sorting. */
function changesText(changes: string, form: TextForm): string {
  const elements = jsonElements(changes);
  const only = elements?.length === 1 ? editText(elements[0]) : undefined;
  return only === undefined ? written(changedFiles(parsed(changes, form) as FileEdit[]), form) : `[${only}]`;
}

function fileChange(parts: Parts, id: string): string | undefined {
  const [changes, progress] = [parts.body.get('changes'), progressIn(parts)];
  if (!isList(changes) || !progress) return undefined;
  const { status, outcome } = declinableStatus(progress);
  return `{"type":"fileChange","id":${id},"changes":${changesText(changes, parts.form)},"status":"${status}"${tailText(parts, outcome)}`;
}

function mcpResult(result: string | undefined): string | undefined {
  if (result === undefined) return 'null';
  const members = jsonMembers(result);
  const [content, structured, meta] = [members?.get('content'), members?.get('structuredContent'), members?.get('meta')];
  return content === undefined || structured === undefined || meta === undefined ? undefined : `{"content":${content},"structuredContent":${structured},"_meta":${meta}}`;
}

function mcpToolCall(parts: Parts, id: string): string | undefined {
  const { body } = parts;
  const [server, tool, input, result, progress, error, uri] = [body.get('server'), body.get('tool'), body.get('arguments'), mcpResult(body.get('result')), progressIn(parts), body.get('error'), body.get('resourceUri')];
  if (server === undefined || tool === undefined || input === undefined || result === undefined || !progress || body.get('app') !== undefined) return undefined;
  const { status, outcome } = callStatus(progress);
  const resource = uri === undefined ? '' : `,"mcpAppResourceUri":${uri}`;
  return `{"type":"mcpToolCall","id":${id},"server":${server},"environmentId":null,"tool":${tool},"status":"${status}","arguments":${input},"appContext":null${resource},"mcpAppUi":null,"pluginId":${orNull(parts, 'pluginId')},"readOnlyHint":${orNull(parts, 'isReadOnly')},"result":${result},"error":${error === undefined ? 'null' : `{"message":${error}}`},"durationMs":${orNull(parts, 'durationMs')}${tailText(parts, outcome)}`;
}

/** The kinds that most items are of. */
const writers: ReadonlyMap<string | undefined, (parts: Parts, id: string) => string | undefined> = new Map([
  ['"input"', userMessage], ['"agentMessage"', agentMessage], ['"reasoning"', reasoning], ['"command"', commandExecution], ['"fileChange"', fileChange], ['"mcpCall"', mcpToolCall],
]);

function textByObject({ id, body: text, isOpen, startedAtMs, completedAtMs }: StoredItem, { isTurnOver, cwd = '' }: ItemTextOptions, form: TextForm): string {
  const body = parsed(text, form) as RowBody;
  return written(objectOf(body, { id: form.decode(id), startedAtMs: startedAtMs ?? null, completedAtMs: completedAtMs ?? null, progress: progressOf({ body, isOpen }, isTurnOver), cwd }), form);
}

/** What `JSON.stringify` writes of the item's public object (`itemObject`). */
export function itemText(item: StoredItem, options: ItemTextOptions): string {
  const { form = asItIs } = options;
  const body = jsonMembers(item.body);
  const text = body && writers.get(body.get('kind'))?.({ item, body, options, form }, idText(item.id, form));
  return text ?? textByObject(item, options, form);
}
