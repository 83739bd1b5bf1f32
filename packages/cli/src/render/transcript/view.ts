import type { AgentProgram } from '@tapefold/store';
import type { Times } from '../../text/times.js';

/** How a transcript is rendered. `isFull`: nothing is cut, and raw reasoning is shown. */
export interface TranscriptView {
  /** Who wrote the session. */
  readonly program: AgentProgram;
  readonly isFull: boolean;
  readonly homeDir: string;
  readonly times: Times;
  /** The thread's folder: a command that ran elsewhere says where. */
  readonly cwd: string;
}
