import type { JsonValue, LineVerdict, ThreadDetails, Usage } from '@tapefold/facts';
import { countAt, objectAt, present, stringAt } from '../../shape.js';
import { type Play, isoOf, say } from './play.js';
import { usageOf } from './usage.js';

/* Who the thread is and what it runs with; what it used. */

/** The first record opens the thread, whatever it is; a log that begins with its metadata says its version and when it was made. */
export function openThread(play: Play, namedCreatedAt: string | undefined): void {
  const { state, raw, agentId, sessionId, threadId } = play;
  if (state.isOpened) return;
  state.isOpened = true;
  const isSub = agentId !== '' && agentId !== 'main';
  const createdMs = play.type === 'metadata' ? countAt(raw, 'created_at') : undefined;
  const createdAt = isoOf(createdMs) ?? namedCreatedAt ?? play.at;
  if (createdMs !== undefined) state.lastTimeMs = createdMs;
  play.pen.write(present({
    type: 'thread.opened' as const, at: createdAt, threadId, sessionId, program: 'kimi' as const, programVersion: stringAt(raw, 'app_version'), createdAt, historyMode: 'legacy' as const, details: {},
    origin: isSub ? { kind: 'subAgent' as const, role: 'threadSpawn' as const, spawn: { parentThreadId: sessionId } } : { kind: 'cli' as const },
  }));
  if (isSub && sessionId !== '') play.pen.write(present({ type: 'thread.linked' as const, at: createdAt, relation: 'parent' as const, threadId: sessionId }));
}

/** `metadata`: read when the thread was opened. A second one changes nothing. */
export function playMetadata(play: Play): LineVerdict {
  play.state.version = stringAt(play.raw, 'protocol_version') ?? play.state.version;
  return play.state.nextOrdinal > 0 ? 'played' : 'ignored';
}

function changed<T extends object>(before: T, next: T): Partial<T> {
  const news = Object.entries(next).filter(([name, value]) => value !== undefined && JSON.stringify(before[name as keyof T]) !== JSON.stringify(value));
  return Object.fromEntries(news) as Partial<T>;
}

type Settings = { readonly [K in 'cwd' | 'model' | 'effort' | 'instructions' | 'approvalPolicy']?: JsonValue | undefined };

/** Says what is new of the settings, and of the thread's details that are made of them. */
function configure(play: Play, settings: Settings): LineVerdict {
  const { state } = play;
  const { instructions, approvalPolicy, ...rest } = settings as { [K in keyof Settings]: string | undefined };
  const news = changed(state.configured, present({ ...rest, instructions, approvalPolicy }) as typeof state.configured);
  if (Object.keys(news).length) {
    state.configured = { ...state.configured, ...present({ ...rest, approvalPolicy }) } as typeof state.configured;
    say(play, { type: 'context.configured', ...news });
  }
  const details = changed<ThreadDetails>(state.details, present(rest));
  if (!Object.keys(details).length) return 'played';
  state.details = { ...state.details, ...details };
  say(play, { type: 'thread.changed', details });
  return 'played';
}

/** `profile.bind` and `config.update`: newest names first, each part given only where it changed. */
export function playProfile(play: Play): LineVerdict {
  const { raw } = play;
  const cwd = stringAt(raw, 'cwd') ?? stringAt(objectAt(raw, 'environmentDisclosure') ?? {}, 'cwd');
  return configure(play, { cwd, model: stringAt(raw, 'modelAlias'), effort: stringAt(raw, 'thinkingEffort') ?? stringAt(raw, 'thinkingLevel'), instructions: stringAt(raw, 'systemPrompt') });
}

export function playPermission(play: Play): LineVerdict {
  return configure(play, { approvalPolicy: stringAt(play.raw, 'mode') });
}

const names = ['inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens', 'totalTokens'] as const;

function sum(a: Usage, b: Usage): Usage {
  return present(Object.fromEntries(names.map((name) => [name, a[name] === undefined && b[name] === undefined ? undefined : Math.min((a[name] ?? 0) + (b[name] ?? 0), Number.MAX_SAFE_INTEGER)])));
}

/** `usage.record`: the one record that counts a response. */
export function playUsage(play: Play): LineVerdict {
  const { raw, state } = play;
  const usage = usageOf(objectAt(raw, 'usage'));
  if (!usage) return 'unknown';
  state.total = sum(state.total, usage);
  say(play, present({ type: 'usage.recorded' as const, model: stringAt(raw, 'model'), usage, total: state.total }));
  return 'played';
}

/** How large the model's history is. */
export function playContextSize(play: Play): LineVerdict {
  const contextTokens = countAt(play.raw, 'tokens');
  if (contextTokens === undefined) return 'unknown';
  say(play, { type: 'usage.recorded', contextTokens });
  return 'played';
}
