import { StoreError } from '@tapefold/store';
import type { TranscriptResponse } from '@tapefold/transcript';
import { paginateTurns } from '@tapefold/transcript';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Transcripts } from './transcripts.js';

const responses = fileURLToPath(new URL('../../../fixtures/kimi/handmade/responses/', import.meta.url));

/** The `data` of a recorded answer. */
export function recordedData<T>(name: string): T {
  return (JSON.parse(readFileSync(`${responses}${name}.json`, 'utf8')) as { data: T }).data;
}

/** One recorded transcript, given for every session: for tests of what is around transcripts. Counts what it was asked for. */
export function recordedTranscripts(): Transcripts & { readonly asked: string[] } {
  const main = recordedData<TranscriptResponse>('transcript-main-full');
  const sub = recordedData<TranscriptResponse>('transcript-agent-0');
  const nobody = recordedData<TranscriptResponse>('transcript-unknown-agent');
  const asked: string[] = [];
  return {
    asked,
    agents: (id) => (id === 'gone' ? Promise.reject(new StoreError('threadNotFound', { id })) : Promise.resolve(main.agents)),
    transcript: (id, { agentId = 'main', ...page } = {}) => {
      asked.push(`${id} ${agentId}`);
      const whole = agentId === 'main' ? main : agentId === 'agent-0' ? sub : { ...nobody, agent_id: agentId };
      const { items, hasMore } = paginateTurns(whole.items, page);
      return Promise.resolve({ ...whole, items: [...items] as TranscriptResponse['items'], has_more: hasMore });
    },
    userMessages: () => Promise.resolve(recordedData('user-messages')),
    plans: (_id, { toolCallId } = {}) => Promise.resolve(toolCallId === 'call_1' ? { agent_id: 'main', plans: [] } : recordedData('plan')),
  };
}
