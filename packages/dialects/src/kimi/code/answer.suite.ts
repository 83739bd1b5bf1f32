import { type ContentPart, type Fact, type FactKey, type FactOf, type ItemBody, type JsonValue, factKey, isJsonObject, textOfParts } from '@tapefold/facts';

/*
 * The original's transcript answer, from facts alone and in the most obvious way: every list is looked through again and again. It proves that the facts hold
 * what the answer needs; the fold that serves readers is in `transcript`.
 */

const keyOf = ({ tape, ordinal }: Fact): FactKey => factKey(tape, ordinal);

/** What history facts took away, as they stand at the end. */
class Gone {
  readonly keys = new Set<FactKey>();
  readonly ordinals = new Set<number>();

  constructor(facts: readonly Fact[]) {
    for (const fact of facts) {
      if (fact.type !== 'history.superseded' && fact.type !== 'history.restored') continue;
      const isOff = fact.type === 'history.superseded';
      for (const key of [...fact.turns, ...(fact.steps ?? []), ...(fact.items ?? []), ...(fact.inputs ?? [])]) this.#move(this.keys, key, isOff);
      for (const { from, to } of fact.facts ?? []) for (let at = from; at < to; at++) this.#move(this.ordinals, at, isOff);
    }
  }

  #move<T>(set: Set<T>, value: T, isOff: boolean): void {
    if (isOff) set.add(value);
    else set.delete(value);
  }

  has(fact: Fact): boolean {
    return this.keys.has(keyOf(fact)) || (fact.turn !== undefined && this.keys.has(fact.turn)) || (fact.step !== undefined && this.keys.has(fact.step));
  }
}

type Frame = { [key: string]: JsonValue };
const states = { completed: 'completed', interrupted: 'cancelled', failed: 'failed' } as const;
const present = (fields: Record<string, JsonValue | undefined>): Frame => Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));

function attachmentOf(part: ContentPart): Frame | undefined {
  if (part.kind !== 'image' && part.kind !== 'video' && part.kind !== 'audio' && part.kind !== 'file') return undefined;
  if (part.isUnlisted) return undefined;
  const { source } = part;
  const from = source.sessionFileId !== undefined ? { kind: 'session_media', fileId: source.sessionFileId } : source.fileId !== undefined ? { kind: 'file', fileId: source.fileId }
    : source.url === undefined || source.url.startsWith('data:') ? undefined : { kind: 'url', url: source.url };
  return present({ mediaType: part.mediaType, name: part.name, size: part.sizeBytes, source: from });
}

function outputOf(fact: FactOf<'item.completed'>): string | undefined {
  const { body, tool } = fact;
  if (body.kind === 'command') return body.output;
  if (body.kind === 'toolCall') return textOfParts(body.output ?? []);
  const output = tool?.error ?? tool?.output;
  if (typeof output === 'string' || output === undefined) return output;
  return Array.isArray(output) ? output.map((part) => (isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('') : undefined;
}

const statusOf = (body: ItemBody, fact: Fact): string => ('status' in body && body.kind !== 'imageGeneration' ? body.status : fact.type === 'item.completed' && fact.tool?.error !== undefined ? 'failed' : 'completed');

export class Answer {
  readonly #gone: Gone;
  readonly attachments: Frame[] = [];

  constructor(private readonly facts: readonly Fact[]) {
    this.#gone = new Gone(facts);
  }

  #of<T extends Fact['type']>(...types: T[]): FactOf<T>[] {
    return this.facts.filter((fact): fact is FactOf<T> => (types as string[]).includes(fact.type));
  }

  /** Facts of families that go by ranges. */
  #words<T extends Fact['type']>(...types: T[]): FactOf<T>[] {
    return this.#of(...types).filter((fact) => !this.#gone.ordinals.has(fact.ordinal));
  }

  #agentRefs(call: string): JsonValue | undefined {
    const refs = this.#of('agent.described').filter(({ parentCall }) => parentCall === call).sort((a, b) => (a.swarmIndex ?? 0) - (b.swarmIndex ?? 0));
    return refs.length ? refs.map(({ agentId, swarmIndex }) => ({ agentId, role: swarmIndex === undefined ? 'child' : 'member' })) : undefined;
  }

  #inputs(place: { turn?: FactKey; step?: FactKey }, as: readonly string[]): FactOf<'input.received'>[] {
    const newest = new Map(this.#of('input.placed').map((placed) => [placed.input, placed]));
    return this.#of('input.received').filter((input) => {
      const placed = newest.get(keyOf(input));
      return placed !== undefined && as.includes(placed.as) && placed.turn === place.turn && placed.step === place.step && !this.#gone.keys.has(keyOf(input));
    });
  }

  /** Frames in their order: what was placed behind another stands there. */
  #frames(step: FactOf<'step.started'>, stepId: string): Frame[] {
    const inputs = this.#inputs({ turn: step.turn, step: keyOf(step) }, ['steers', 'notifies']);
    const items = this.#of('item.started', 'item.completed').filter((fact) => fact.step === keyOf(step) && !this.#gone.has(fact));
    const order: Fact[] = [];
    for (const item of items) {
      if (order.some((other) => 'id' in other && other.id === item.id)) continue;
      const after = typeof item.place === 'object' ? item.place.after : undefined;
      const at = after === undefined ? order.length : order.findIndex((other) => keyOf(other) === after) + 1;
      order.splice(at, 0, item);
    }
    // Inputs that were placed when the step began stand first, leftovers last.
    const early = inputs.filter((input) => this.#isEarly(input, items));
    const all = [...early, ...order, ...inputs.filter((input) => !early.includes(input))];
    let words = 0;
    return all.map((fact) => this.#frame(fact, (id) => id ?? `${stepId}.f${(words += 1)}`, stepId));
  }

  #isEarly(input: FactOf<'input.received'>, items: readonly Fact[]): boolean {
    const placed = this.#of('input.placed').filter((one) => one.input === keyOf(input)).at(-1);
    return (placed?.after !== undefined && placed.after === placed.step) || items.every((item) => item.ordinal > (placed?.ordinal ?? 0));
  }

  #frame(fact: Fact, idOf: (id?: string) => string, stepId: string): Frame {
    if (fact.type === 'input.received') {
      const isTask = fact.origin?.kind === 'task' || (fact.origin?.kind === 'other' && fact.promptIds === undefined);
      return present({
        kind: 'text', frameId: idOf(), role: 'user', text: textOfParts(fact.content), attachmentIds: this.#attach(fact.content), taskId: fact.origin?.taskId, promptIds: isTask ? undefined : fact.promptIds, origin: isTask ? undefined : fact.origin?.payload,
      });
    }
    const first = fact as FactOf<'item.started' | 'item.completed'>;
    if (first.body.kind === 'agentMessage') return { kind: 'text', frameId: idOf(), role: 'assistant', text: first.body.text };
    if (first.body.kind === 'reasoning') return { kind: 'thinking', frameId: idOf(), text: first.body.content.join('') };
    const done = this.#of('item.completed').filter((one) => one.id === first.id && one.turn === first.turn).at(-1);
    const status = statusOf((done ?? first).body, done ?? first);
    const output = done && (status === 'declined' && done.body.kind === 'command' ? done.tool?.error : outputOf(done));
    return present({
      kind: 'tool', frameId: idOf(`${stepId}.${first.call ?? ''}`), toolCallId: first.call, name: first.tool?.name, state: done ? (status === 'completed' ? 'done' : 'error') : 'running', input: first.tool?.input, output,
      error: done && status !== 'completed' ? output : undefined, agentRefs: this.#agentRefs(first.call ?? ''),
    });
  }

  #attach(content: readonly ContentPart[]): JsonValue | undefined {
    const listed: Frame[] = [];
    for (const part of content) {
      const attachment = attachmentOf(part);
      if (attachment) listed.push({ attachmentId: `att_${this.attachments.length + listed.length + 1}`, ...attachment });
    }
    this.attachments.push(...listed);
    return listed.length ? listed.map(({ attachmentId }) => attachmentId ?? null) : undefined;
  }

  #step(step: FactOf<'step.started'>, of: { turnId: string; ordinal: number }): Frame {
    const ends = this.#words('step.ended').filter((end) => end.step === keyOf(step));
    const end = ends.at(-1);
    const { usage } = end ?? {};
    const stepId = `${of.turnId}.${of.ordinal}`;
    const isInterrupted = end?.status === 'interrupted';
    return present({
      kind: 'step', stepId, turnId: of.turnId, ordinal: of.ordinal, state: isInterrupted ? 'interrupted' : 'completed', frames: this.#frames(step, stepId),
      usage: usage && { inputOther: (usage.inputTokens ?? 0) - (usage.cachedInputTokens ?? 0) - (usage.cacheWriteTokens ?? 0), output: usage.outputTokens ?? 0, inputCacheRead: usage.cachedInputTokens ?? 0, inputCacheCreation: usage.cacheWriteTokens ?? 0 },
      llmTiming: end?.firstTokenMs === undefined && end?.streamMs === undefined ? undefined : present({ llmFirstTokenLatencyMs: end.firstTokenMs, llmStreamDurationMs: end.streamMs }),
      endedAt: isInterrupted && end?.reason !== undefined ? end.at : undefined, endReason: end?.reason, endMessage: end?.message,
    });
  }

  #turn(turn: FactOf<'turn.started'>, ordinal: number): Frame {
    const turnId = `t${ordinal}`;
    const end = this.#words('turn.ended').filter((one) => one.turn === keyOf(turn)).at(-1);
    const outlook = this.#of('turn.changed').filter((one) => one.turn === keyOf(turn)).at(-1)?.settlesAs ?? turn.settlesAs ?? 'interrupted';
    const [input] = this.#inputs({ turn: keyOf(turn) }, ['opens']);
    const isOwn = turn.origin?.kind === 'user' || turn.origin?.kind === 'other';
    const steps = this.#of('step.started').filter((step) => step.turn === keyOf(turn) && !this.#gone.has(step));
    return present({
      kind: 'turn', turnId, triggerPromptId: isOwn ? input?.promptIds?.[0] : undefined, ordinal, state: states[end?.status ?? outlook], origin: turn.origin && present({ ...turn.origin }), prompt: input && textOfParts(input.content),
      attachmentIds: input && this.#attach(input.content), steps: steps.map((step, i) => this.#step(step, { turnId, ordinal: i + 1 })), endedAt: end?.at, durationMs: end?.durationMs, error: end?.error?.message,
    });
  }

  /** Turns, and marks that the original makes of messages. */
  items(): Frame[] {
    let turns = 0;
    let marks = 0;
    return this.#of('turn.started', 'notice.posted', 'context.compacted').flatMap((fact): Frame[] => {
      if (this.#gone.has(fact) || (fact.type !== 'turn.started' && this.#gone.ordinals.has(fact.ordinal))) return [];
      if (fact.type === 'turn.started') return [this.#turn(fact, turns++)];
      if (fact.type === 'notice.posted' && fact.code !== 'skill') return [];
      const payload = fact.type === 'notice.posted' ? fact.details : fact.payload;
      return [present({ kind: 'marker', markerId: `m${(marks += 1)}`, marker: fact.type === 'notice.posted' ? 'skill' : 'compaction', payload })];
    });
  }

  /** Marks and task references that other records make, in their order; without ids. */
  marks(): Frame[] {
    const seen = this.#words('notice.posted', 'goal.set', 'plan.revised', 'mode.entered', 'mode.exited', 'task.started');
    return seen.flatMap((fact): Frame[] => {
      if (fact.type === 'task.started') return [present({ kind: 'taskref', taskId: fact.task.taskId, at: fact.at })];
      const marker = fact.type === 'notice.posted' ? fact.code : fact.type === 'goal.set' ? 'goal' : fact.type === 'plan.revised' ? 'plan.revision' : `${fact.mode}.${fact.type === 'mode.entered' ? 'enter' : 'exit'}`;
      const payload = fact.type === 'notice.posted' ? fact.details : fact.payload;
      return marker === 'skill' || payload === undefined ? [] : [present({ kind: 'marker', marker, payload, at: fact.at })];
    });
  }

  interactions(): Frame[] {
    const answers = this.#words('interaction.resolved');
    return this.#words('interaction.requested').filter(({ kind }) => kind !== 'tool').map((asked) => {
      const answer = answers.find(({ request }) => request === keyOf(asked));
      return present({ interactionId: asked.id, interactionKind: asked.kind, toolCallId: asked.call, state: answer?.outcome ?? 'cancelled', response: answer?.response });
    });
  }

  todos(): JsonValue {
    const newest = this.#words('todo.replaced').at(-1);
    return newest ? newest.entries.map(({ title, status }) => ({ title, status: status === 'inProgress' ? 'in_progress' : status === 'completed' ? 'done' : 'pending' })) : [];
  }

  goal(): JsonValue {
    const newest = this.#words('goal.set', 'goal.cleared').at(-1);
    if (newest?.type !== 'goal.set') return null;
    return present({ objective: newest.objective, status: newest.status, completionCriterion: newest.completionCriterion, budgetUsed: newest.budgetUsed, budgetLimit: newest.budgetLimit });
  }

  tasks(): Frame[] {
    const tasks = new Map<string, Frame>();
    const ended = { completed: 'completed', failed: 'failed', killed: 'killed', stopped: 'killed', lost: 'lost', timedOut: 'timed_out' } as const;
    for (const fact of this.#words('task.started', 'task.changed', 'task.ended')) {
      const { task } = fact;
      const adopted = fact.type === 'task.started' && fact.adopts !== undefined ? tasks.get(fact.adopts) : undefined;
      const before = tasks.get(task.taskId) ?? adopted;
      if (fact.type === 'task.started' && fact.adopts !== undefined) tasks.delete(fact.adopts);
      tasks.set(task.taskId, present({
        ...before, taskId: task.taskId, kind: task.kind, detached: task.isDetached, description: task.description, agentId: task.agentId, model: task.model, thinkingEffort: task.effort,
        startedAt: task.startedAtMs === undefined ? undefined : new Date(task.startedAtMs).toISOString(), endedAt: task.endedAtMs === undefined ? before?.['endedAt'] : new Date(task.endedAtMs).toISOString(),
        state: fact.type === 'task.ended' ? ended[fact.status] : before?.['state'] ?? 'running', outputTail: (fact.type === 'task.started' ? undefined : fact.outputTail) ?? before?.['outputTail'] ?? '',
        resultSummary: fact.type === 'task.ended' ? fact.summary ?? before?.['resultSummary'] : before?.['resultSummary'], error: fact.type === 'task.ended' ? fact.error ?? before?.['error'] : before?.['error'],
      }));
    }
    return [...tasks.values()];
  }
}
