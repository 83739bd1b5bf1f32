/** Every way in which a server cannot be started as asked. */
export type ServerErrorCode =
  | 'badListenUrl' | 'tokenNeeded' | 'addressTaken' | 'addressUnusable' | 'socketPathTooLong' | 'socketFolderOpen' | 'socketPathTaken' | 'tokenFileOpen' | 'tokenFileBad' | 'tokenFileUnusable';

/** Typed detail of a refusal. `about`: the URL or path that was given; `reason`: what is the matter with it. */
export interface ServerErrorDetail {
  readonly about: string;
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

const sentences: Record<ServerErrorCode, (about: string, reason: string) => string> = {
  badListenUrl: (about, reason) => `${about} is no place to listen at (${reason}): give stdio://, ws://ADDRESS:PORT, http://ADDRESS:PORT or unix://PATH.`,
  tokenNeeded: (about) => `${about} can be reached from other machines, so it needs a token: leave --no-auth out, or listen on 127.0.0.1.`,
  addressTaken: (about) => `${about} is taken by another program: give another port, or 0 for any free one.`,
  addressUnusable: (about, reason) => `cannot listen at ${about}: ${reason}.`,
  socketPathTooLong: (about, reason) => `the path of the socket ${about} is too long (${reason}): give a shorter one.`,
  socketFolderOpen: (about, reason) => `the folder ${about} is open to others (${reason}), and so would be a socket in it: give it the mode 700, or name a folder that does not exist yet.`,
  socketPathTaken: (about, reason) => `there is something at ${about} already (${reason}): give another path.`,
  tokenFileOpen: (about, reason) => `the token in ${about} can be read by others (${reason}): give the file the mode 600, or delete it, and a new one is made.`,
  tokenFileBad: (about, reason) => `${about} holds no token (${reason}): delete it, and a new one is made.`,
  tokenFileUnusable: (about, reason) => `the token file ${about} cannot be used: ${reason}.`,
};

/** The one error of starting a server. `message` is a sentence that names what is wrong and what to do. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: ServerErrorCode;
  readonly detail: ServerErrorDetail;

  constructor(code: ServerErrorCode, detail: ServerErrorDetail) {
    super(sentences[code](detail.about, detail.reason ?? ''), detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.detail = detail;
  }
}
