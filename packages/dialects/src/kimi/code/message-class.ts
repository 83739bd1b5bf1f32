import type { ContentPart, JsonObject, JsonValue, Origin, Visibility } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { lookUp, markOf } from '../../id-table.js';
import { listAt, present, stringAt } from '../../shape.js';
import { meantBy } from './chain.js';
import { partsOf, textIn } from './content.js';
import { attachedFiles, bundledSkills, engineOrigin, isHiddenOrigin, isSlash, isTaskOrigin, originOf } from './origins.js';
import type { Play } from './play.js';
import type { NodeState, SteerState } from './state.js';

/** A mark in the timeline that a message makes, in the original's words. */
export interface Mark { readonly text: string; readonly origin: JsonObject }

/**
 * What a message that is no answer does. `opens`: a turn · `waits`: it is put before the next step, as what a person said into the turn, or as word of a
 * task · `summary`: it stands for all before it · `silent`: no more than its marks.
 */
export interface MessageClass {
  readonly does: 'opens' | 'waits' | 'summary' | 'silent';
  readonly as?: 'steers' | 'notifies' | undefined;
  readonly marks: readonly Mark[];
  /** What a person sees of it; absent for nothing. */
  readonly content?: ContentPart[] | undefined;
  readonly origin: Origin;
  readonly promptIds?: readonly string[] | undefined;
  readonly visibility: Visibility;
}

const markOfSteer = (content: JsonValue | undefined, origin: JsonObject | undefined): string => markOf(`${origin ? stringAt(origin, 'kind') ?? '' : ''} ${JSON.stringify(content ?? null)}`);

/** A steer as its record announces it: by the id of its message, else by its words. */
export function steerOf(raw: JsonObject, line: number): SteerState {
  const messageId = stringAt(raw, 'messageId');
  const promptIds = listAt(raw, 'promptIds').filter((id) => typeof id === 'string');
  return present({ messageId, mark: messageId === undefined ? markOfSteer(raw['input'], engineOrigin(raw)) : undefined, promptIds, line });
}

/** The announced steer that a message is. Taken once, when the message is played. */
function findSteer({ state }: Play, message: JsonObject): number {
  const id = stringAt(message, 'id');
  if (id !== undefined && lookUp(state.promptIds, id)) return -1;
  const named = id === undefined ? -1 : state.steers.findIndex(({ messageId }) => messageId === id);
  if (named >= 0 || !state.steers.some(({ mark }) => mark !== undefined)) return named;
  const mark = markOfSteer(message['content'], engineOrigin(message));
  return state.steers.findIndex((steer) => steer.mark === mark);
}

/** The steer that the message was, which is waited for no longer. */
export function takeSteer(play: Play, message: JsonObject): SteerState | undefined {
  const at = findSteer(play, message);
  return at < 0 ? undefined : play.state.steers.splice(at, 1)[0];
}

const noticeForm = /^\s*<notification\b[^>]*>\n?([\s\S]*?)\n?<\/notification>\s*$/;

/** What a person is told of a task: title and words, without what is for the model. */
function shortNotice(text: string): string {
  const inner = noticeForm.exec(text)?.[1];
  if (inner === undefined) return text;
  const lines = inner.split('\n');
  const title = /^Title: (.*)$/.exec(lines[0] ?? '')?.[1];
  if (title !== undefined) lines.shift();
  if (title !== undefined && lines[0]?.startsWith('Severity: ')) lines.shift();
  const end = lines.findIndex((line) => /^<(?:output-file|output-preview|answer)/.test(line));
  const body = (end < 0 ? lines : lines.slice(0, end)).join('\n').trim();
  return [title, body].filter((piece) => piece !== undefined && piece !== '').join('\n') || text;
}

/** True where a notification begins a turn: prompts say so, and in files without any, what stood before it. */
function opensForTask(play: Play, origin: JsonObject): boolean {
  const { state } = play;
  const taskId = stringAt(origin, 'taskId');
  if (state.hasPrompts) return taskId === undefined || stringAt(origin, 'kind') === 'background_task' || lookUp(state.taskTurns, taskId) === true;
  for (let at = state.head; at >= 0; at = state.nodes[at]?.parent ?? -1) {
    const { kind, isTask } = state.nodes[meantBy(state, at)] as NodeState;
    if (kind === 'begin' || kind === 'tool') return false;
    if (kind === 'user' && !isTask) return true;
  }
  return true;
}

function opening(message: JsonObject, of: { content: JsonValue | undefined; marks: readonly Mark[] }): MessageClass {
  const origin = engineOrigin(message);
  const id = stringAt(message, 'id');
  const files = attachedFiles(origin).map((file): ContentPart => ({ kind: 'file', source: { path: file.path }, mediaType: file.mediaType, name: file.name, sizeBytes: file.size }));
  const isNamed = id !== undefined && (origin === undefined || stringAt(origin, 'kind') === 'user' || isSlash(origin));
  return present({
    does: 'opens' as const, marks: of.marks, content: [...partsOf(of.content), ...files], origin: originOf(origin), promptIds: isNamed ? [id] : undefined, visibility: 'shown' as const,
  });
}

function steering(play: Play, message: JsonObject, of: { content: JsonValue | undefined; marks: readonly Mark[] }): MessageClass | undefined {
  const steer = play.state.steers[findSteer(play, message)];
  if (!steer) return undefined;
  return present({ ...opening(message, of), does: 'waits' as const, as: 'steers' as const, promptIds: steer.promptIds.length ? steer.promptIds : undefined });
}

/** A message that a skill or a plugin made: marked, and words of a person where a slash called it. */
function ofSkill(play: Play, message: JsonObject, origin: JsonObject): MessageClass {
  const content = message['content'];
  const marks = [{ text: textIn(content), origin }];
  if (!isSlash(origin)) return { does: 'silent', marks, origin: originOf(origin), visibility: 'injected' };
  return steering(play, message, { content, marks }) ?? opening(message, { content, marks });
}

/** Blocks of skills stand before what the person wrote. */
function bundled(message: JsonObject, skills: readonly JsonObject[]): { content: JsonValue; marks: Mark[] } {
  const parts = listAt(message, 'content');
  const marks = skills.map((skill, i) => {
    const block = parts[i];
    return { text: isJsonObject(block) ? stringAt(block, 'text') ?? '' : '', origin: { kind: 'skill_activation', trigger: 'user-slash', ...skill } };
  });
  return { content: parts.slice(skills.length), marks };
}

function ofTask(play: Play, message: JsonObject, origin: JsonObject): MessageClass {
  const content = message['content'];
  if (opensForTask(play, origin)) return opening(message, { content, marks: [] });
  return { does: 'waits', as: 'notifies', marks: [], content: [{ kind: 'text', text: shortNotice(textIn(content)) }], origin: originOf(origin), visibility: 'control' };
}

function ofTrigger(message: JsonObject, origin: JsonObject): MessageClass {
  const opened = opening(message, { content: message['content'], marks: [] });
  const hasWords = stringAt(origin, 'name') === 'subagent' && opened.content?.some((part) => part.kind !== 'text' || part.text !== '');
  return present({ ...opened, content: hasWords ? opened.content : undefined, visibility: hasWords ? opened.visibility : ('control' as const) });
}

/** Decides, once, what a user message is for a person, in the order in which the original asks. */
export function classOf(play: Play, message: JsonObject): MessageClass {
  const origin = engineOrigin(message);
  const kind = origin && stringAt(origin, 'kind');
  const content = message['content'];
  const silent = { does: 'silent' as const, marks: [], origin: originOf(origin), visibility: 'injected' as const };
  if (stringAt(message, 'role') === 'system') return silent;
  if (origin && kind === 'compaction_summary') return { ...silent, does: 'summary', marks: [{ text: textIn(content), origin }] };
  if (origin && (kind === 'skill_activation' || kind === 'plugin_command')) return ofSkill(play, message, origin);
  if (isHiddenOrigin(origin)) return silent;
  if (origin && kind === 'system_trigger') return ofTrigger(message, origin);
  const skills = bundledSkills(origin);
  const words = skills ? bundled(message, skills) : { content, marks: [] };
  const steer = steering(play, message, words);
  if (steer) return steer;
  return origin && isTaskOrigin(origin) ? ofTask(play, message, origin) : opening(message, words);
}
