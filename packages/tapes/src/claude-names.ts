import { type FileKind, kindByName } from './file-kinds.js';

/** What the name and the place of a file below `projects/` say of it. `sessionId`: of a sub-agent, the folder that it lies in says it; one of an old version says it in its lines. */
export type ClaudeTapeName =
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'agent'; readonly agentId: string; readonly sessionId: string | undefined };

/** The folder below a Claude home that holds the session files. */
export const PROJECTS = 'projects';
/** The folder of a session that holds the whole texts of long outputs. */
export const TOOL_RESULTS = 'tool-results';

const agentFile = /^agent-(.+)\.jsonl$/;
const agentNote = /^agent-.+\.meta\.json$/;
const windowsDrive = /^[A-Za-z]--/;

/** Names a session file or a sub-agent's by its path below `projects/` (folders and name); undefined when it is no line file. Never throws. */
export function parseClaudeName(parts: readonly string[]): ClaudeTapeName | undefined {
  const name = parts.at(-1) ?? '';
  if (!name.endsWith('.jsonl') || parts.includes(TOOL_RESULTS)) return undefined;
  const agentId = agentFile.exec(name)?.[1];
  if (agentId === undefined) return { kind: 'session', sessionId: name.slice(0, -'.jsonl'.length) };
  const place = parts.indexOf('subagents');
  return { kind: 'agent', agentId, sessionId: place > 0 ? parts[place - 1] : undefined };
}

/** Names at the top of a Claude home that say by themselves what they are, first match first; what Codex calls alike comes after. */
const byName: readonly (readonly [RegExp, FileKind])[] = [
  [/^history\.jsonl(?:\..*)?$/, 'promptRecall'],
  [/^(?:tasks|todos|teams)$/, 'taskList'],
  [/^file-history$/, 'fileBackup'],
  [/^plans$/, 'plan'],
  [/^(?:sessions|ide)$/, 'runMark'],
  [/^(?:session-env|shell-snapshots)$/, 'shellSnapshot'],
  [/^\.credentials\.json$/, 'credentials'],
  [/^(?:settings(?:\.local)?\.json|CLAUDE\.md|keybindings\.json|\.?claude\.json(?:\..*)?|\.config\.json)$/, 'settings'],
  [/^(?:agents|commands|skills|plugins|hooks|output-styles|themes|backups|local|memory|rules|managed-settings\.d)$/, 'settings'],
  [/^(?:debug|statsig|telemetry|usage-data)$/, 'log'],
  [/^(?:cache|paste-cache|image-cache|downloads|uploads|stats-cache\.json|\.last-cleanup|\.update\.lock)$/, 'cache'],
];

/** The kind that a name at the top of a Claude home tells, or undefined. */
export function claudeKindByName(name: string): FileKind | undefined {
  return byName.find(([pattern]) => pattern.test(name))?.[1] ?? kindByName(name);
}

function kindBelowProjects(parts: readonly string[]): FileKind | undefined {
  const name = parts.at(-1) ?? '';
  if (parts.includes(TOOL_RESULTS)) return 'media';
  if (parseClaudeName(parts)) return 'tape';
  if (agentNote.test(name)) return 'agentNote';
  if (name === 'sessions-index.json') return 'database';
  return parts[1] === 'memory' ? 'settings' : undefined;
}

/** What a path inside a Claude home is, by its parts below the home; undefined where they do not tell. */
export function claudeKind(parts: readonly string[]): FileKind | undefined {
  const [top = '', ...rest] = parts;
  return top === PROJECTS ? kindBelowProjects(rest) : claudeKindByName(top);
}

/** True for the name that Claude Code gives to the folder of a project: the working directory, every other sign a dash. */
export function isProjectFolder(name: string): boolean {
  return name.startsWith('-') || windowsDrive.test(name);
}
