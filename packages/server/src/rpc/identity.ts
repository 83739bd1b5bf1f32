import type { InitializeParams, InitializeResponse } from '@tapefold/threads';

/** Who the server is. `platform`, `arch`: Node's names. */
export interface ServerIdentity {
  readonly version: string;
  /** The home that is read; of several, the first. */
  readonly home: string;
  readonly platform: string;
  readonly arch: string;
}

const systems: Readonly<Record<string, string>> = { darwin: 'macos', win32: 'windows' };

/** What `initialize` answers. The agent's name has the shape of the original's: the client, our version, the system, the client again. */
export function describeServer({ version, home, platform, arch }: ServerIdentity): (client: InitializeParams['clientInfo']) => InitializeResponse {
  const os = systems[platform] ?? platform;
  return ({ name, version: clientVersion }) => ({
    userAgent: `${name}/${version} (${os}; ${arch}) tapefold (${name}; ${clientVersion})`, codexHome: home, platformFamily: platform === 'win32' ? 'windows' : 'unix', platformOs: os,
  });
}
