import type { TranscriptAttachment, TranscriptInteraction, TranscriptPrompt, TranscriptTask, TranscriptTodo } from './entities.js';
import type { TranscriptItem } from './item.js';
import type { TranscriptMeta } from './meta.js';

/** All that a reader of one agent has, as JSON carries it: loading it is applying a `reset`. */
export interface AgentTranscriptSnapshot {
  readonly items: readonly TranscriptItem[];
  readonly tasks: readonly TranscriptTask[];
  readonly interactions: readonly TranscriptInteraction[];
  readonly attachments: readonly TranscriptAttachment[];
  readonly todos: readonly TranscriptTodo[];
  readonly prompts: readonly TranscriptPrompt[];
  readonly meta: TranscriptMeta;
  /** Older turns exist which are not part of it. */
  readonly hasMoreOlder?: boolean | undefined;
}
