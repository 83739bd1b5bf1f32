import type { IncomingMessage } from 'node:http';
import { type TcpAddress, type UnixAddress, isLoopback } from '../listen/listen-url.js';
import type { Failures } from './failures.js';
import { isAllowedHost } from './host-names.js';
import { isFromOtherOrigin, isFromPage } from './origins.js';
import { type TokenCheck, bearerOf } from './token.js';

/** A request that is refused: HTTP status, the number in the envelope of REST answers, one sentence. */
export interface Refusal {
  readonly status: 401 | 403 | 429;
  readonly code: 40101 | 40301 | 42901;
  readonly message: string;
}

const strangeHost: Refusal = { status: 403, code: 40301, message: 'This host name is not served here.' };
const otherOrigin: Refusal = { status: 403, code: 40301, message: 'Pages of other origins are not served.' };
const unauthorized: Refusal = { status: 401, code: 40101, message: 'Unauthorized' };
const tooMany: Refusal = { status: 429, code: 42901, message: 'Too many wrong tokens: try again in a minute.' };

/** What lets requests in. */
export interface GuardOptions {
  readonly address: TcpAddress | UnixAddress;
  /** Undefined: without a token. A socket in the file system asks for none either: its mode lets only its owner in. */
  readonly token: TokenCheck | undefined;
  /** Names, in lower case, under which the server is reached besides. */
  readonly allowedHosts: readonly string[];
  readonly failures: Failures;
}

/** The one door of a listener. */
export class Guard {
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** Refuses names that are not ours, and pages: all of them, or those of other origins. */
  refusesSender({ headers }: IncomingMessage, pages: 'none' | 'sameOrigin'): Refusal | undefined {
    const { address, allowedHosts } = this.#options;
    if (address.kind !== 'unix' && !isAllowedHost(headers.host, { bound: address.host, allowed: allowedHosts })) return strangeHost;
    const isStrange = pages === 'none' ? isFromPage(headers) : isFromOtherOrigin(headers);
    return isStrange ? otherOrigin : undefined;
  }

  /**
   * Refuses who has not the token. An address with too many wrong ones is refused whatever it has; only on loopback, where all users of a machine share
   * the address, the right token still lets in, or any of them could lock out the owner.
   */
  refusesCredential(request: IncomingMessage, given = bearerOf(request.headers.authorization)): Refusal | undefined {
    const { address, token, failures } = this.#options;
    if (token === undefined || address.kind === 'unix') return undefined;
    const from = request.socket.remoteAddress ?? '';
    const isBarred = failures.isBarred(from);
    if (isBarred && !isLoopback(address.host)) return tooMany;
    if (token(given)) return undefined;
    // Who sends none has guessed nothing.
    if (given !== undefined) failures.note(from);
    return isBarred ? tooMany : unauthorized;
  }
}
