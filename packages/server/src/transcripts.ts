import type { TranscriptReader } from '@tapefold/store';

/** Transcripts of sessions of every agent program, as the store reads them: what answers are made of. */
export type Transcripts = Pick<TranscriptReader, 'agents' | 'transcript' | 'userMessages' | 'plans'>;
