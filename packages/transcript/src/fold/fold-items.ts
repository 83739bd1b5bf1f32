import { type FactOf, type ItemBody, factKey } from '@tapefold/facts';
import type { AgentRef, ToolCallFrame, ToolFrameProgress } from '../model/frame.js';
import type { FrameContent } from './document.js';
import { stepFor, stepOfKey } from './fold-steps.js';
import { type FrameSource, frameOf } from './frame-of.js';
import { type Folding, type ItemEntry, turnOf } from './folding.js';
import { present } from './present.js';
import type { FrameRow, StepRow, TurnRow } from './rows.js';

type ItemFact = FactOf<'item.started' | 'item.completed'>;

/** Bodies of calls, whether or not an id of a call stands with them. */
const spoken: ReadonlySet<ItemBody['kind']> = new Set<ItemBody['kind']>(['agentMessage', 'hookPrompt', 'reasoning', 'agentActivity', 'reviewEntered', 'reviewExited', 'compaction']);
/** Bodies that are said to the model, not by it. */
const saidToModel: ReadonlySet<ItemBody['kind']> = new Set<ItemBody['kind']>(['hookPrompt']);

const addressOf = (turn: TurnRow, id: string): string => `${turn.key}\n${id}`;

/** What is known of an item of a turn, by its own id. */
export const itemOf = ({ items }: Folding, turn: TurnRow, id: string): ItemEntry | undefined => items.get(addressOf(turn, id));

/** An item begins or is complete. It keeps the step and the place of its first record, whenever the rest comes. */
export function foldItem(folding: Folding, fact: ItemFact): void {
  const turn = turnOf(folding, fact);
  if (!turn) return wait(folding, fact);
  const entry = entryOf(folding, fact, turn);
  if (!entry) return;
  const source = sourceOf(folding, fact, entry);
  entry.source = source;
  show(folding, entry, { isShown: fact.visibility === 'shown', at: fact.at, step: fact.step });
  if (!source.isOpen && fact.type === 'item.completed') entry.source = undefined;
}

/** Items of turns that are not there yet are folded when they are. */
function wait({ waiting }: Folding, fact: ItemFact | FactOf<'item.changed'>): void {
  if (fact.turnId === undefined || fact.turn !== undefined) return;
  const others = waiting.get(fact.turnId);
  if (others) others.push(fact); else waiting.set(fact.turnId, [fact]);
}

function entryOf({ items, itemsByKey, scope }: Folding, fact: ItemFact, turn: TurnRow): ItemEntry | undefined {
  const address = addressOf(turn, fact.id);
  const known = items.get(address);
  if (known) return scope.isItemOut(known.key) ? undefined : known;
  const entry: ItemEntry = { key: factKey(fact.tape, fact.ordinal), turn, step: undefined, frame: undefined, source: undefined };
  items.set(address, entry);
  itemsByKey.set(entry.key, entry);
  return scope.isItemOut(entry.key) ? undefined : entry;
}

function sourceOf({ called }: Folding, fact: ItemFact, entry: ItemEntry): FrameSource {
  const callId = fact.id === '' ? entry.key : fact.id;
  const known = called.get(fact.call ?? fact.id);
  called.delete(fact.call ?? fact.id);
  return { callId, isCall: !spoken.has(fact.body.kind), isOpen: fact.type === 'item.started', body: fact.body, tool: fact.tool ?? entry.source?.tool, called: known ?? entry.source?.called };
}

/** Puts what the entry holds into its frame. A call that was shown stays, also where the agent's own list shows it otherwise. */
function show(folding: Folding, entry: ItemEntry, of: { readonly isShown: boolean; readonly at: string | undefined; readonly step: string | undefined }): void {
  const { source } = entry;
  const content = source && frameOf(source);
  if (!content || !source) return;
  const { frame, step } = entry;
  if (frame && step) {
    step.lastAt = of.at ?? step.lastAt;
    if (of.isShown || source.isCall) folding.doc.changeFrame(step, frame, keptOf(frame, content, source));
    else hide(folding, entry);
    return;
  }
  if (!of.isShown) return;
  const into = stepOfKey(folding, of.step) ?? stepFor(folding, entry.turn, of.at);
  into.lastAt = of.at ?? into.lastAt;
  if (!saidToModel.has(source.body.kind)) into.isAnswered = true;
  entry.step = into;
  entry.frame = folding.doc.addFrame(into, withAgents(folding, content, source));
  if (content.kind === 'tool') noteCall(folding, source, { step: into, row: entry.frame });
}

function hide({ doc }: Folding, entry: ItemEntry): void {
  if (entry.step && entry.frame) doc.removeFrame(entry.step, entry.frame);
  entry.frame = undefined;
}

/** What other facts put on a frame stays on it; what a later record does not repeat of the call itself too. */
function keptOf({ frame }: FrameRow, content: FrameContent, { tool, called }: FrameSource): FrameContent {
  if (frame.kind !== 'tool' || content.kind !== 'tool') return content;
  const { progress, approvalId, todoId, agentRefs, display, inputText } = frame;
  const { name, input } = tool || called ? { ...content, input: content.input ?? frame.input } : frame;
  return present({
    ...content, name, input, inputText: content.inputText ?? inputText, display: content.display ?? display, progress, approvalId, todoId,
    agentRefs: mergedRefs(agentRefs, content.agentRefs),
  });
}

function mergedRefs(known: readonly AgentRef[] | undefined, told: readonly AgentRef[] | undefined): readonly AgentRef[] | undefined {
  if (!known || !told) return known ?? told;
  const ids = new Set(known.map(({ agentId }) => agentId));
  return [...known, ...told.filter(({ agentId }) => !ids.has(agentId))];
}

function noteCall(folding: Folding, { callId }: FrameSource, at: { readonly step: StepRow; readonly row: FrameRow }): void {
  folding.callFrames.set(callId, at);
}

/** Sub-agents that were described before their call was told. */
function withAgents({ agentsOfCalls }: Folding, content: FrameContent, { callId }: FrameSource): FrameContent {
  const agents = agentsOfCalls.get(callId);
  return content.kind === 'tool' && agents ? { ...content, agentRefs: mergedRefs(agents.map(refOf), content.agentRefs) } : content;
}

const refOf = ({ agentId, role }: AgentRef): AgentRef => present({ agentId, role });

/** Changes what other facts than its own say on the frame of a call; nothing where the call is not told yet. */
export function changeCallFrame({ doc, callFrames }: Folding, callId: string | undefined, change: Partial<ToolCallFrame>): void {
  const at = callId === undefined ? undefined : callFrames.get(callId);
  if (at?.row.frame.kind !== 'tool') return;
  doc.changeFrame(at.step, at.row, { ...at.row.frame, ...change });
}

/** A sub-agent was started by a call; those of a swarm stand in its order. */
export function foldAgentOfCall(folding: Folding, fact: FactOf<'agent.described'>): void {
  if (fact.parentCall === undefined) return;
  const others = (folding.agentsOfCalls.get(fact.parentCall) ?? []).filter(({ agentId }) => agentId !== fact.agentId);
  const known = folding.agentsOfCalls.get(fact.parentCall)?.find(({ agentId }) => agentId === fact.agentId);
  const swarmIndex = fact.swarmIndex ?? known?.swarmIndex;
  const agent = { agentId: fact.agentId, role: swarmIndex === undefined ? ('child' as const) : ('member' as const), swarmIndex: swarmIndex ?? 0 };
  const agents = [...others, agent].sort((a, b) => a.swarmIndex - b.swarmIndex);
  folding.agentsOfCalls.set(fact.parentCall, agents);
  changeCallFrame(folding, fact.parentCall, { agentRefs: agents.map(refOf) });
}

type Append = NonNullable<FactOf<'item.changed'>['append']>;

function grownBody(body: ItemBody, { text = '', summary = [], content = [], output }: Append): ItemBody {
  switch (body.kind) {
    case 'agentMessage': case 'plan': return { ...body, text: body.text + text };
    case 'reasoning': return { ...body, summary: [...body.summary, ...summary], content: [...body.content, ...content] };
    case 'command': return output === undefined ? body : { ...body, output: (body.output ?? '') + output };
    default: return body;
  }
}

function grown(source: FrameSource, append: Append): FrameSource {
  const { input = '', output } = append;
  const body = grownBody(source.body, append);
  if (!source.tool || (input === '' && (output === undefined || source.body.kind === 'command'))) return { ...source, body };
  const { inputText, output: before } = source.tool;
  const more = output === undefined || source.body.kind === 'command' ? before : (typeof before === 'string' ? before : '') + output;
  return { ...source, body, tool: present({ ...source.tool, inputText: input === '' ? inputText : (inputText ?? '') + input, output: more }) };
}

const hasStatus = (body: ItemBody): body is Extract<ItemBody, { status: unknown }> => 'status' in body;

/** Texts grow, a status or a visibility changes, or a tool says how far it is. */
export function foldItemChanged(folding: Folding, fact: FactOf<'item.changed'>): void {
  const turn = turnOf(folding, fact);
  if (!turn) return wait(folding, fact);
  const entry = folding.items.get(addressOf(turn, fact.id));
  if (!entry || folding.scope.isItemOut(entry.key)) return;
  if (entry.source) changeSource(folding, entry, fact);
  else if (fact.visibility !== undefined && fact.visibility !== 'shown' && entry.frame?.frame.kind !== 'tool') hide(folding, entry);
  if (fact.progress && entry.frame?.frame.kind === 'tool' && entry.step) {
    folding.doc.changeFrame(entry.step, entry.frame, { ...entry.frame.frame, progress: progressOf(fact.progress) });
  }
}

function changeSource(folding: Folding, entry: ItemEntry, fact: FactOf<'item.changed'>): void {
  let source = entry.source as FrameSource;
  if (fact.append) source = grown(source, fact.append);
  if (fact.status !== undefined && hasStatus(source.body) && source.body.kind !== 'imageGeneration') source = { ...source, body: { ...source.body, status: fact.status } };
  entry.source = source;
  const isShown = fact.visibility === undefined ? entry.frame !== undefined : fact.visibility === 'shown';
  show(folding, entry, { isShown, at: fact.at, step: fact.step });
}

function progressOf({ kind, text, percent, data }: NonNullable<FactOf<'item.changed'>['progress']>): ToolFrameProgress {
  return present({ kind, text, percent, customData: data });
}
