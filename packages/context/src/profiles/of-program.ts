import type { Provider, RequestProfile } from '../normalise/profile.js';
import { plainProfile } from '../normalise/profile.js';
import { claudeProfile } from './claude.js';
import { codexProfile } from './codex.js';
import { kimiProfile } from './kimi.js';

const own: Readonly<Record<string, Provider>> = { codex: 'responses', claude: 'anthropic', kimi: 'chat' };

/** How the program of a thread asks. `provider`: another wire than its own. Programs without rules of their own get the plain profile. */
export function profileOf(thread: { readonly program: string; readonly version?: string | undefined }, provider?: Provider): RequestProfile {
  const wire = provider ?? (Object.hasOwn(own, thread.program) ? own[thread.program] : undefined) ?? 'responses';
  switch (thread.program) {
    case 'codex': return codexProfile(wire, thread.version);
    case 'claude': return claudeProfile(wire);
    case 'kimi': return kimiProfile(wire);
    default: return plainProfile(wire);
  }
}
