import type { ThreadItem } from '@tapefold/threads';
import { describe, expect, it } from 'vitest';
import { visibleTextOfItem } from './item-text.js';

const times = { startedAtMs: null, completedAtMs: null };
const agent = (text: string): ThreadItem => ({ type: 'agentMessage', id: 'a', text, moderation: null, phase: null, memoryCitation: null, delivery: null, questions: null, ...times });
const user = (content: Extract<ThreadItem, { type: 'userMessage' }>['content']): ThreadItem => ({ type: 'userMessage', id: 'u', clientId: null, content, ...times });

describe('[R-SCR-2] what an item says', () => {
  it('is the visible text of a message and who says it', () => {
    expect(visibleTextOfItem(agent('Done. ::git-push{cwd="/w"}'))).toEqual({ role: 'agent', text: 'Done.' });
    expect(visibleTextOfItem(user([{ type: 'text', text: 'a\u001b[1mb', text_elements: [] }, { type: 'text', text: 'c', text_elements: [] }]))).toEqual({ role: 'user', text: 'abc' });
  });

  it('names pictures and sounds that stand alone', () => {
    expect(visibleTextOfItem(user([{ type: 'localImage', path: '/a.png', detail: null }, { type: 'audio', url: 'u' }]))).toEqual({ role: 'user', text: '[Image] [Audio]' });
  });

  it('is nothing for other items and for messages without words', () => {
    expect(visibleTextOfItem(agent(' \n'))).toBeUndefined();
    expect(visibleTextOfItem(user([]))).toBeUndefined();
    expect(visibleTextOfItem({ type: 'plan', id: 'p', text: 'x', ...times })).toBeUndefined();
  });
});
