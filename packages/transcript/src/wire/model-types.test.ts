import { describe, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { AgentDescriptor, TranscriptAttachment, TranscriptInteraction, TranscriptPrompt, TranscriptTask, TranscriptTodo } from '../model/entities.js';
import type { TranscriptFrame, TranscriptUserOrigin } from '../model/frame.js';
import type { TranscriptItem } from '../model/item.js';
import type { TranscriptMeta, TranscriptMetaMerge } from '../model/meta.js';
import type { AgentTranscriptSnapshot } from '../model/snapshot.js';
import type { StepHeader, TranscriptStep, TranscriptTurn, TurnHeader } from '../model/turn.js';
import type { TranscriptOperation } from '../operations/operation.js';
import type { agentDescriptorSchema, attachmentSchema, interactionSchema, todoSchema, transcriptPromptSchema, transcriptTaskSchema } from './entity-schemas.js';
import type { transcriptFrameSchema, transcriptUserOriginSchema } from './frame-schemas.js';
import type { transcriptItemSchema } from './item-schemas.js';
import type { transcriptMetaMergeSchema, transcriptMetaSchema } from './meta-schemas.js';
import type { agentTranscriptSnapshotSchema, transcriptOperationSchema } from './operation-schemas.js';
import type { stepHeaderSchema, transcriptStepSchema, transcriptTurnSchema, turnHeaderSchema } from './turn-schemas.js';

/** The model types are written by hand, for their words; the compiler holds them equal to what the schemas accept, in both directions. */
type Frozen<T> = T extends readonly (infer One)[] ? readonly Frozen<One>[] : T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;
type Parsed<Schema extends z.ZodType> = Frozen<z.infer<Schema>>;

describe('[R-OPS-11] the one owner of the contract types', () => {
  it('says the same in a schema and in the model', () => {
    expectTypeOf<Parsed<typeof transcriptFrameSchema>>().toExtend<TranscriptFrame>();
    expectTypeOf<TranscriptFrame>().toExtend<Parsed<typeof transcriptFrameSchema>>();
    expectTypeOf<Parsed<typeof transcriptUserOriginSchema>>().toExtend<TranscriptUserOrigin>();
    expectTypeOf<TranscriptUserOrigin>().toExtend<Parsed<typeof transcriptUserOriginSchema>>();
    expectTypeOf<Parsed<typeof stepHeaderSchema>>().toExtend<StepHeader>();
    expectTypeOf<StepHeader>().toExtend<Parsed<typeof stepHeaderSchema>>();
    expectTypeOf<Parsed<typeof transcriptStepSchema>>().toExtend<TranscriptStep>();
    expectTypeOf<TranscriptStep>().toExtend<Parsed<typeof transcriptStepSchema>>();
    expectTypeOf<Parsed<typeof turnHeaderSchema>>().toExtend<TurnHeader>();
    expectTypeOf<TurnHeader>().toExtend<Parsed<typeof turnHeaderSchema>>();
    expectTypeOf<Parsed<typeof transcriptTurnSchema>>().toExtend<TranscriptTurn>();
    expectTypeOf<TranscriptTurn>().toExtend<Parsed<typeof transcriptTurnSchema>>();
    expectTypeOf<Parsed<typeof transcriptItemSchema>>().toExtend<TranscriptItem>();
    expectTypeOf<TranscriptItem>().toExtend<Parsed<typeof transcriptItemSchema>>();
    expectTypeOf<Parsed<typeof transcriptTaskSchema>>().toEqualTypeOf<Frozen<TranscriptTask>>();
    expectTypeOf<Parsed<typeof interactionSchema>>().toEqualTypeOf<Frozen<TranscriptInteraction>>();
    expectTypeOf<Parsed<typeof attachmentSchema>>().toEqualTypeOf<Frozen<TranscriptAttachment>>();
    expectTypeOf<Parsed<typeof todoSchema>>().toEqualTypeOf<Frozen<TranscriptTodo>>();
    expectTypeOf<Parsed<typeof transcriptPromptSchema>>().toEqualTypeOf<Frozen<TranscriptPrompt>>();
    expectTypeOf<Parsed<typeof agentDescriptorSchema>>().toEqualTypeOf<Frozen<AgentDescriptor>>();
    expectTypeOf<Parsed<typeof transcriptMetaSchema>>().toExtend<TranscriptMeta>();
    expectTypeOf<TranscriptMeta>().toExtend<Parsed<typeof transcriptMetaSchema>>();
    expectTypeOf<Parsed<typeof transcriptMetaMergeSchema>>().toExtend<TranscriptMetaMerge>();
    expectTypeOf<TranscriptMetaMerge>().toExtend<Parsed<typeof transcriptMetaMergeSchema>>();
    expectTypeOf<Parsed<typeof agentTranscriptSnapshotSchema>>().toExtend<AgentTranscriptSnapshot>();
    expectTypeOf<AgentTranscriptSnapshot>().toExtend<Parsed<typeof agentTranscriptSnapshotSchema>>();
    expectTypeOf<Parsed<typeof transcriptOperationSchema>>().toExtend<TranscriptOperation>();
    expectTypeOf<TranscriptOperation>().toExtend<Parsed<typeof transcriptOperationSchema>>();
  });
});
