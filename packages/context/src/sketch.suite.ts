import { type Fact, type FactDraft, type ModelItem, factSchema } from '@tapefold/facts';
import type { ContextEntry } from './arrange.js';
import { foldContext } from './fold-context.js';
import { type ContextState, emptyContext } from './state.js';

type Role = Extract<ModelItem, { kind: 'message' }>['role'];
type Sketch = FactDraft extends infer D ? (D extends { type: unknown } ? D : never) : never;

/** A message of the model's history. */
export const said = (role: Role, text: string, visibility: 'shown' | 'injected' | 'control' = 'shown'): ModelItem => ({ kind: 'message', role, content: [{ kind: 'text', text }], visibility });
export const call = (callId: string, name = 'shell'): ModelItem => ({ kind: 'call', callId, name, input: '{}', form: 'json' });
export const result = (callId: string, text: string): ModelItem => ({ kind: 'result', callId, output: [{ kind: 'text', text }] });
export const appended = (item: ModelItem, after?: number): Sketch => ({ type: 'context.appended', item, ...(after === undefined ? {} : { after: `a#${after}` }) });
export const superseded = (from: number, to: number): Sketch => ({ type: 'history.superseded', reason: 'rollback', turns: [], context: [{ tape: 'a', from, to }] });
export const restored = (from: number, to: number): Sketch => ({ type: 'history.restored', reason: 'branch', turns: [], context: [{ tape: 'a', from, to }] });
export const compacted = (replacement: NonNullable<Extract<FactDraft, { type: 'context.compacted' }>['replacement']>): Sketch => ({ type: 'context.compacted', summary: 's', replacement });
export const kept = (from: number, to: number): { kind: 'kept'; entries: { tape: string; from: number; to: number } } => ({ kind: 'kept', entries: { tape: 'a', from, to } });
export const summary = (text: string): ModelItem => ({ kind: 'summary', text });

/** Facts of one tape, `a`, numbered from 0, one a line. */
export function factsOf(drafts: readonly FactDraft[]): Fact[] {
  return drafts.map((draft, ordinal) => factSchema.parse({ ...draft, tape: 'a', ordinal, line: { offset: ordinal * 10, length: 9 } }));
}

export function historyAfter(drafts: readonly FactDraft[]): ContextState {
  return factsOf(drafts).reduce<ContextState>((state, fact, position) => foldContext(state, fact, position), emptyContext);
}

function textOf({ item }: ContextEntry): string {
  switch (item.kind) {
    case 'message': case 'agentMessage': case 'media': return item.content.map((part) => (part.kind === 'text' ? part.text : part.kind)).join('');
    case 'result': return item.output.map((part) => (part.kind === 'text' ? part.text : part.kind)).join('');
    case 'call': return item.callId ?? item.name;
    case 'summary': return item.text;
    case 'reasoning': case 'compaction': case 'other': return item.kind;
    default: return '';
  }
}

/** The texts of a history, oldest first. */
export const texts = (entries: readonly ContextEntry[]): string[] => entries.map(textOf);
