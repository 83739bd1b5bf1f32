import type { CommandAction, ContentPart, FileEdit, ItemBody, ItemStatus } from '@tapefold/facts';
import type { ThreadItem, ThreadItemOf, UserContent } from '@tapefold/threads';

type Body<K extends ItemBody['kind']> = Extract<ItemBody, { kind: K }>;
type Known<T> = { [K in keyof T]: Exclude<T[K], null> };

/** Without the keys that say nothing: the protocol has null for them, facts leave them out. */
export function known<T extends object>(value: T): Known<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null && each !== undefined)) as Known<T>;
}

const statusOf = (status: string): ItemStatus => (status === 'inProgress' ? 'running' : status as ItemStatus);

function actionOf({ type, ...rest }: ThreadItemOf<'commandExecution'>['commandActions'][number]): CommandAction {
  return { kind: type, ...known(rest) } as CommandAction;
}

function command({ command: line, cwd, processId, source, status, commandActions, aggregatedOutput, exitCode, durationMs, pluginId, scriptPath }: ThreadItemOf<'commandExecution'>): Body<'command'> {
  return known({ kind: 'command' as const, command: line, cwd, processId, source, status: statusOf(status), actions: commandActions.map(actionOf), output: aggregatedOutput, exitCode, durationMs, pluginId, scriptPath });
}

/** The protocol writes a move into the diff, too. */
function editOf({ path, kind, diff }: ThreadItemOf<'fileChange'>['changes'][number]): FileEdit {
  const movePath = kind.type === 'update' ? kind.move_path : null;
  return known({ path, kind: kind.type, movePath, diff: movePath === null ? diff : diff.replace(/\n\nMoved to: .*$/, '') });
}

function mcpCall({ server, tool, arguments: given, status, durationMs, result, error, pluginId, readOnlyHint, mcpAppResourceUri: resourceUri }: ThreadItemOf<'mcpToolCall'>): Body<'mcpCall'> {
  const meta = result && { content: result.content, structuredContent: result.structuredContent, meta: result._meta };
  return { ...known({ kind: 'mcpCall' as const, server, tool, status: statusOf(status), durationMs, result: meta, error: error?.message, pluginId, isReadOnly: readOnlyHint, resourceUri }), arguments: given } as Body<'mcpCall'>;
}

function toolCall({ namespace, tool, arguments: given, status, contentItems, success, durationMs }: ThreadItemOf<'dynamicToolCall'>): Body<'toolCall'> {
  const output = contentItems?.map((part): ContentPart => {
    if (part.type === 'inputText') return { kind: 'text', text: part.text };
    return part.type === 'inputImage' ? { kind: 'image', source: { url: part.imageUrl } } : { kind: 'audio', source: { url: part.audioUrl } };
  });
  return { ...known({ kind: 'toolCall' as const, namespace, tool, status: statusOf(status), output, isSuccess: success, durationMs }), arguments: given } as Body<'toolCall'>;
}

function agentCall({ tool, status, senderThreadId, receiverThreadIds, prompt, model, reasoningEffort, agentsStates }: ThreadItemOf<'collabAgentToolCall'>): Body<'agentCall'> {
  const agents = Object.fromEntries(Object.entries(agentsStates).map(([id, state]) => [id, known(state)]));
  return known({ kind: 'agentCall' as const, tool, status: statusOf(status), senderThreadId, receiverThreadIds, prompt, model, effort: reasoningEffort, agents });
}

const phases = { commentary: 'commentary', partial_answer: 'partialAnswer', final_answer: 'finalAnswer' } as const;

function agentMessage({ text, phase, memoryCitation, delivery, questions, moderation }: ThreadItemOf<'agentMessage'>): Body<'agentMessage'> {
  return known({ kind: 'agentMessage' as const, text, phase: phase && phases[phase], citation: memoryCitation, isAsync: delivery === 'async' ? true : null, questions, moderation }) as Body<'agentMessage'>;
}

function webSearch({ query, action, results, completedAtMs }: ThreadItemOf<'webSearch'>): Body<'webSearch'> {
  const done = action && { kind: action.type, ...known({ ...action, type: null }) };
  return known({ kind: 'webSearch' as const, query, action: done, results, status: completedAtMs === null ? 'running' : 'completed' }) as Body<'webSearch'>;
}

/** The body of an item that the protocol told; throws for one that no trace has, so that a new one is looked at. */
export function bodyOf(item: ThreadItem): ItemBody {
  switch (item.type) {
    case 'agentMessage': return agentMessage(item);
    case 'reasoning': return { kind: 'reasoning', summary: item.summary, content: item.content };
    case 'plan': return { kind: 'plan', text: item.text };
    case 'commandExecution': return command(item);
    case 'fileChange': return { kind: 'fileChange', changes: item.changes.map(editOf), status: statusOf(item.status) };
    case 'mcpToolCall': return mcpCall(item);
    case 'dynamicToolCall': return toolCall(item);
    case 'collabAgentToolCall': return agentCall(item);
    case 'webSearch': return webSearch(item);
    case 'imageView': return { kind: 'imageView', path: item.path };
    case 'enteredReviewMode': return { kind: 'reviewEntered', hint: item.review };
    // The protocol tells explanation and findings as one text.
    case 'exitedReviewMode': return { kind: 'reviewExited', explanation: item.review, findings: [] };
    case 'contextCompaction': return { kind: 'compaction' };
    default: throw new Error(`no trace told an item of type ${item.type} before`);
  }
}

function partOf(part: UserContent): ContentPart {
  switch (part.type) {
    case 'text': return { kind: 'text', text: part.text, ...(part.text_elements.length > 0 && { elements: part.text_elements.map(({ byteRange, placeholder }) => ({ byteStart: byteRange.start, byteEnd: byteRange.end, placeholder })) }) };
    case 'image': return known({ kind: 'image' as const, source: known({ url: part.url, fileId: part.fileId }), detail: part.detail }) as ContentPart;
    case 'localImage': return known({ kind: 'image' as const, source: { path: part.path }, detail: part.detail });
    case 'audio': return { kind: 'audio', source: known({ url: part.url, fileId: part.fileId }) as { url?: string } };
    case 'localAudio': return { kind: 'audio', source: { path: part.path } };
    case 'skill': case 'mention': return { kind: part.type, name: part.name, path: part.path };
  }
}

/** What a person said, as facts have it. */
export const partsOf = (content: readonly UserContent[]): ContentPart[] => content.map(partOf);
