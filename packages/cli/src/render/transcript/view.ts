import type { Times } from '../../text/times.js';

/** How a transcript is rendered. `isFull`: nothing is cut, and raw reasoning is shown. */
export interface TranscriptView {
  readonly isFull: boolean;
  readonly homeDir: string;
  readonly times: Times;
  /** The thread's folder: a command that ran elsewhere says where. */
  readonly cwd: string;
}
