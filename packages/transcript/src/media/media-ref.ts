/** How an agent's records name a file that it keeps beside a session: `kimi-file://<id>?…`. */
const SCHEME = 'kimi-file://';

/** A file of a session's media store. */
export interface DaemonFileRef {
  readonly fileId: string;
}

/** The file that a media URL names; its query is dropped. Undefined for any other URL, and where the id is empty. Never throws. */
export function parseDaemonFileRef(url: string): DaemonFileRef | undefined {
  if (!url.startsWith(SCHEME)) return undefined;
  const [fileId = ''] = url.slice(SCHEME.length).split('?', 1);
  return fileId === '' ? undefined : { fileId };
}
