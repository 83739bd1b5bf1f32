import { describe, expect, it } from 'vitest';
import { CONTEXT_TOPICS, type ContextTopics, contextChanges, contextMessages, topicsOf } from './differences.js';

const base: ContextTopics = { ...topicsOf({ model: 'm1', effort: 'high', approvalPolicy: 'never', sandboxPolicy: { mode: 'x', roots: ['/a'] }, cwd: '/w', instructions: 'be brief' }), personality: 'plain' };

describe('[R-CTX-5] context that is told to the model', () => {
  it('is all of it where there is no baseline, always in the same order', () => {
    expect(contextChanges(null, base).map(({ topic, before }) => [topic, before])).toEqual([['model', undefined], ['permissions', undefined], ['personality', undefined], ['instructions', undefined], ['environment', undefined]]);
    const shuffled = Object.fromEntries(Object.entries(base).reverse()) as ContextTopics;
    expect(contextChanges(null, shuffled)).toEqual(contextChanges(null, base));
  });
  it('is nothing where nothing changed, whatever the order of keys', () => {
    expect(contextChanges(base, { ...base, permissions: { sandboxPolicy: { roots: ['/a'], mode: 'x' }, approvalPolicy: 'never' } })).toEqual([]);
  });
  it('is what changed, in order: model, permissions, collaboration mode, personality, then the environment', () => {
    const now: ContextTopics = { ...base, environment: { cwd: '/v' }, personality: 'warm', collaborationMode: 'plan', model: { model: 'm2' }, permissions: 'ask' };
    expect(contextChanges(base, now).map(({ topic }) => topic)).toEqual(['model', 'permissions', 'collaborationMode', 'personality', 'environment']);
    expect(contextChanges(base, now)[0]).toEqual({ topic: 'model', before: { model: 'm1', effort: 'high' }, now: { model: 'm2' } });
    expect(CONTEXT_TOPICS.at(-1)).toBe('environment');
  });
  it('is said in the words of the program: by a developer, the environment by the user', () => {
    const messages = contextMessages(contextChanges(null, { model: 'm', personality: 'p', environment: 'e' }), ({ topic, now }) => (topic === 'personality' ? undefined : `<${topic}>${JSON.stringify(now)}`));
    expect(messages).toEqual([
      { kind: 'message', role: 'developer', content: [{ kind: 'text', text: '<model>"m"' }], visibility: 'injected' }, { kind: 'message', role: 'user', content: [{ kind: 'text', text: '<environment>"e"' }], visibility: 'injected' },
    ]);
  });
});
