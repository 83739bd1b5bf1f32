import { type Fact, type FactKey, type FactOf, factKey, textOfParts } from '@tapefold/facts';

/*
 * What a person sees of facts, in the simplest way that could be right: the real fold is another package's. Each turn as one text: its input and items in
 * order, and how it ended.
 */

interface Shown { readonly key: FactKey; readonly turn: FactKey; readonly step: FactKey | undefined; text: string }

/** Keys and ordinals that a history fact took away last. */
function goneAt(facts: readonly Fact[]): { keys: Set<FactKey>; said: Set<number> } {
  const keys = new Set<FactKey>();
  const said = new Set<number>();
  for (const fact of facts) {
    if (fact.type !== 'history.superseded' && fact.type !== 'history.restored') continue;
    const isOff = fact.type === 'history.superseded';
    for (const key of [...fact.turns, ...(fact.steps ?? []), ...(fact.items ?? []), ...(fact.inputs ?? [])]) {
      if (isOff) keys.add(key);
      else keys.delete(key);
    }
    for (const { from, to } of fact.facts ?? []) for (let at = from; at < to; at++) {
      if (isOff) said.add(at);
      else said.delete(at);
    }
  }
  return { keys, said };
}

function bodyText(fact: FactOf<'item.started' | 'item.completed'>): string {
  const { body } = fact;
  switch (body.kind) {
    case 'agentMessage': return body.text;
    case 'reasoning': return `(${body.content.join('')})`;
    case 'compaction': return '=compaction=';
    case 'callOutput': return `> ${typeof body.output === 'string' ? body.output : '…'}`;
    case 'hookPrompt': return `hook: ${body.fragments.map(({ text }) => text).join('')}`;
    case 'plan': return `plan: ${body.text}`;
    case 'command': return `$ ${String(body.command)} [${body.status}]`;
    default: return `${body.kind} ${fact.tool?.name ?? ''} [${'status' in body ? body.status : ''}]`;
  }
}

/** Items of the main conversation (or of `agent`), newest body at the first place. */
function shownItems(facts: readonly Fact[], agent: string | undefined): Shown[] {
  const shown = new Map<string, Shown>();
  const inputs = new Map<FactKey, FactOf<'input.received'>>();
  for (const fact of facts) {
    if (fact.agent !== agent) continue;
    const key = factKey(fact.tape, fact.ordinal);
    if (fact.type === 'input.received') inputs.set(key, fact);
    else if (fact.type === 'input.placed') {
      const input = inputs.get(fact.input);
      if (input?.visibility === 'shown' && fact.turn) shown.set(fact.input, { key: fact.input, turn: fact.turn, step: undefined, text: `${fact.as === 'steers' ? '+' : ''}${textOfParts(input.content)}` });
    } else if (fact.type === 'item.started' || fact.type === 'item.completed') {
      const known = shown.get(`${fact.turn} ${fact.id}`);
      if (known) known.text = bodyText(fact);
      else if (fact.turn) shown.set(`${fact.turn} ${fact.id}`, { key, turn: fact.turn, step: fact.step, text: bodyText(fact) });
    } else if (fact.type === 'item.changed' && fact.status) {
      const known = shown.get(`${fact.turn} ${fact.id}`);
      if (known) known.text = known.text.replace(/\[\w*\]$/, `[${fact.status}]`);
    }
  }
  return [...shown.values()];
}

/** The newest word of how a turn ended or would end; `?` in front where no record ended it. */
function statusOf(facts: readonly Fact[], turn: FactOf<'turn.started'>, said: ReadonlySet<number>): string {
  const key = factKey(turn.tape, turn.ordinal);
  let status = `?${turn.settlesAs ?? (turn.isImplicit ? 'completed' : 'interrupted')}`;
  let isEnded = false;
  for (const fact of facts) {
    if (said.has(fact.ordinal) || fact.turn !== key) continue;
    if (fact.type === 'turn.changed' && fact.settlesAs && !isEnded) status = `?${fact.settlesAs}`;
    if (fact.type === 'turn.ended') { status = fact.status; isEnded = true; }
  }
  return status;
}

/** The turns on show, one text each: `Q1 · A1 · completed`. */
export function screenOf(facts: readonly Fact[], agent?: string): string[] {
  const { keys, said } = goneAt(facts);
  const items = shownItems(facts, agent).filter(({ key, step }) => !keys.has(key) && (step === undefined || !keys.has(step)));
  return facts.flatMap((fact) => {
    const key = factKey(fact.tape, fact.ordinal);
    if (fact.type !== 'turn.started' || fact.agent !== agent || keys.has(key)) return [];
    return [[...items.filter(({ turn }) => turn === key).map(({ text }) => text), statusOf(facts, fact, said)].join(' · ')];
  });
}
