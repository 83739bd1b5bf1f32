import type { JsonObject, JsonValue } from '@tapefold/facts';
import { isJsonObject, readJson } from '@tapefold/facts';
import { booleanAt, objectAt, present, stringAt, wordIn } from '../shape.js';

/** An agent of a session, as its state says it. */
export interface KimiAgentState {
  readonly kind?: 'main' | 'sub' | 'independent' | undefined;
  readonly parentAgentId?: string | undefined;
  /** The profile that it was started with (`explore`, `coder` …). */
  readonly role?: string | undefined;
  /** What it works on, in a swarm. */
  readonly label?: string | undefined;
}

/** What `state.json` (kimi-code, of any version; kimi-cli) or the older `metadata.json` says of a session. Times are Unix ms. Plain JSON: it is kept between runs. */
export interface KimiSessionState {
  readonly title?: string | undefined;
  /** A person or the model gave the title; otherwise the program took it from the first prompt. */
  readonly isOwnTitle: boolean;
  readonly lastPrompt?: string | undefined;
  readonly createdAtMs?: number | undefined;
  readonly updatedAtMs?: number | undefined;
  readonly isArchived: boolean;
  readonly archivedAtMs?: number | undefined;
  readonly cwd?: string | undefined;
  /** Native id of the session that this one was forked from. */
  readonly forkedFrom?: string | undefined;
  readonly lastTurn?: 'completed' | 'interrupted' | 'failed' | undefined;
  /** Native id of the kimi-cli session that this one was imported from. */
  readonly importedFrom?: string | undefined;
  /** By id. Ask for own keys only: they are as the document has them. */
  readonly agents: Readonly<Record<string, KimiAgentState>>;
}

const LATEST_MS = 8.64e15;
/** Times below this are Unix seconds: kimi-cli writes those, and no session is of the year 1973. */
const SECONDS_BELOW = 1e11;

/** A time in any of the forms that the versions wrote: Unix ms, Unix seconds, ISO-8601. */
function timeMs(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'string') {
    const ms = Date.parse(value);
    return Number.isNaN(ms) ? undefined : ms;
  }
  if (typeof value !== 'number') return undefined;
  // No negative zero, of which JSON knows nothing.
  const ms = Math.round(Math.abs(value) < SECONDS_BELOW ? value * 1000 : value) + 0;
  return Math.abs(ms) <= LATEST_MS ? ms : undefined;
}

const kinds = { main: 'main', sub: 'sub', independent: 'independent' } as const;
const turnEnds = { completed: 'completed', cancelled: 'interrupted', failed: 'failed', blocked: 'failed' } as const;

function agentState(raw: JsonObject): KimiAgentState {
  const labels = objectAt(raw, 'labels') ?? {};
  return present({
    kind: wordIn<'main' | 'sub' | 'independent'>(kinds, stringAt(raw, 'type')), parentAgentId: (stringAt(labels, 'parentAgentId') || undefined) ?? stringAt(raw, 'parentAgentId'), role: stringAt(labels, 'profileName'), label: stringAt(labels, 'swarmItem') ?? stringAt(raw, 'swarmItem'),
  });
}

function agentsOf(raw: JsonObject): Record<string, KimiAgentState> {
  const agents = objectAt(raw, 'agents') ?? {};
  return Object.fromEntries(Object.entries(agents).flatMap(([id, agent]) => (isJsonObject(agent) ? [[id, agentState(agent)]] : [])));
}

/** A title that a version marks as a stand-in, or does not mark at all and the person did not write. */
function hasOwnTitle(raw: JsonObject): boolean {
  const kind = stringAt(raw, 'titleKind');
  if (kind !== undefined) return kind !== 'replaceable';
  return booleanAt(raw, 'isCustomTitle') === true || stringAt(raw, 'custom_title') !== undefined;
}

/** The state that a document is; fields of the wrong type are as if they were not there. Never throws. */
export function sessionStateOf(raw: JsonObject): KimiSessionState {
  const custom = objectAt(raw, 'custom') ?? {};
  const isImported = booleanAt(custom, 'imported_from_kimi_cli') === true;
  const updated = raw['updatedAt'] ?? raw['wire_mtime'];
  const state = {
    title: stringAt(raw, 'title') ?? stringAt(raw, 'custom_title'), isOwnTitle: hasOwnTitle(raw), lastPrompt: stringAt(raw, 'lastPrompt'), createdAtMs: timeMs(raw['createdAt']), updatedAtMs: timeMs(updated),
    isArchived: (booleanAt(raw, 'archived') ?? booleanAt(custom, 'archived')) === true, archivedAtMs: timeMs(raw['archivedAt'] ?? raw['archived_at']),
    cwd: stringAt(raw, 'cwd') ?? stringAt(raw, 'workDir') ?? stringAt(custom, 'cwd'), forkedFrom: stringAt(raw, 'forkedFrom'),
    lastTurn: wordIn<'completed' | 'interrupted' | 'failed'>(turnEnds, stringAt(raw, 'lastTurnReason')), importedFrom: isImported ? stringAt(custom, 'kimi_cli_session_id') : undefined,
  };
  return { ...present(state), agents: agentsOf(raw) };
}

/** The state that a text is; undefined where it is no JSON object that facts could carry. Fields of the wrong type are as if they were not there. Never throws. */
export function kimiSessionState(text: string): KimiSessionState | undefined {
  const { value } = readJson(text.replace(/^\ufeff/, ''));
  return isJsonObject(value) ? sessionStateOf(value) : undefined;
}
