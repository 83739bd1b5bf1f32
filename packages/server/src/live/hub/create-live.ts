import type { HomeRef, LiveLog, ThreadSource, TranscriptReader } from '@tapefold/store';
import { newUlid } from '../../rest/request-id.js';
import type { LiveSource } from '../live-source.js';
import { Writers } from '../writers.js';
import { FactBus } from './fact-bus.js';
import { fileFeed } from './file-feed.js';
import { LiveHub } from './hub.js';

/** What live transcripts are made of. `log` keeps numbers over restarts; `failed` hears what went wrong beside every answer. */
export interface LiveOptions {
  /** The homes that are read: agents leave locks there that say who runs. */
  readonly homes: readonly HomeRef[];
  readonly source: ThreadSource;
  readonly transcripts: TranscriptReader;
  readonly log: LiveLog;
  readonly nowMs: () => number;
  readonly failed: (error: unknown) => void;
}

/** Live transcripts of a host. `bus` takes what recorders publish; `close` ends them so that numbers go on at the next start. */
export interface Live {
  readonly source: LiveSource;
  readonly bus: FactBus;
  readonly close: () => Promise<void>;
}

/** A timer that keeps no process alive. */
function schedule(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Sessions followed by their files and by recorders, for all clients of a server. */
export function createLive({ homes, source, transcripts, log, nowMs, failed }: LiveOptions): Live {
  const bus = new FactBus({ files: fileFeed({ source, transcripts, writers: new Writers(homes), nowMs, schedule, failed }), schedule, failed });
  const hub = new LiveHub({ feed: bus, log, epoch: `ep_${newUlid(nowMs())}`, nowMs, schedule, failed });
  return {
    source: hub, bus,
    close: async () => {
      await hub.close();
      log.close();
    },
  };
}
