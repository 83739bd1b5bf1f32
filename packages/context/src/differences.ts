import type { JsonValue, ModelItem } from '@tapefold/facts';
import type { ContextSettings } from './state.js';

/** What the injected context is made of, in the order in which it is said. Each is a developer's word, but the environment, which is a user's. */
export const CONTEXT_TOPICS = ['model', 'permissions', 'collaborationMode', 'personality', 'instructions', 'environment'] as const;
/** A part of the injected context that is told, and told anew, on its own. */
export type ContextTopic = (typeof CONTEXT_TOPICS)[number];

/** What a topic is, for comparing. Equal values are the same topic's same word. */
export type ContextTopics = Readonly<Partial<Record<ContextTopic, JsonValue>>>;

/** One thing that the model has to be told: `before` is undefined where it was never told. */
export interface ContextChange {
  readonly topic: ContextTopic;
  readonly before: JsonValue | undefined;
  readonly now: JsonValue;
}

const defined = (entries: readonly (readonly [string, JsonValue | undefined])[]): JsonValue | undefined => {
  const known = entries.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined);
  return known.length ? Object.fromEntries(known) : undefined;
};

/** The topics that recorded settings say something of; what only the program knows (its mode, its personality) is added by the caller. */
export function topicsOf({ model, effort, approvalPolicy, sandboxPolicy, cwd, instructions }: ContextSettings): ContextTopics {
  const topics: Record<string, JsonValue | undefined> = {
    model: defined([['model', model], ['effort', effort]]), permissions: defined([['approvalPolicy', approvalPolicy], ['sandboxPolicy', sandboxPolicy]]),
    instructions, environment: defined([['cwd', cwd]]),
  };
  return Object.fromEntries(CONTEXT_TOPICS.flatMap((topic) => (topics[topic] === undefined ? [] : [[topic, topics[topic]]])));
}

/** Equality of values, whatever the order of their keys. */
function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(fieldOf(a, key), fieldOf(b, key)));
}
const fieldOf = (value: object, key: string): JsonValue | undefined => (value as Record<string, JsonValue>)[key];

/** What the next request has to tell: without a baseline everything, with one only what differs, always in the same order. */
export function contextChanges(baseline: ContextTopics | null, now: ContextTopics): ContextChange[] {
  return CONTEXT_TOPICS.flatMap((topic): ContextChange[] => {
    const value = now[topic];
    const before = baseline?.[topic];
    return value === undefined || (baseline && isSame(before, value)) ? [] : [{ topic, before, now: value }];
  });
}

/** The messages that tell it, in order. `wording` is the program's: it says a change, or undefined where it keeps it to itself. */
export function contextMessages(changes: readonly ContextChange[], wording: (change: ContextChange) => string | undefined): ModelItem[] {
  return changes.flatMap((change): ModelItem[] => {
    const text = wording(change);
    const role = change.topic === 'environment' ? 'user' : 'developer';
    return text === undefined ? [] : [{ kind: 'message', role, content: [{ kind: 'text', text }], visibility: 'injected' }];
  });
}
