import type { TcpAddress, UnixAddress } from './listen-url.js';

/** Something that listens. */
export interface Listener {
  /** With the port that was bound. */
  readonly address: TcpAddress | UnixAddress;
  readonly url: string;
  /** Takes nothing new; resolves when what was asked is answered and every connection is closed, or was cut after the time of grace. */
  readonly stop: () => Promise<void>;
}
