import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../fixtures/kimi/', import.meta.url));
const recorded = join(root, 'recorded/2.1.0');
const handmade = join(root, 'handmade');

/** An answer of the real server, and the command that is to print the same. */
export interface RecordedTranscript {
  /** Its scenario: what entries of the compatibility list name. */
  readonly scenario: string;
  readonly home: string;
  /** Arguments of `tapefold`, without home and `--json`. */
  readonly args: readonly string[];
  readonly answer: unknown;
}

function dataOf(text: string): unknown {
  const envelope = JSON.parse(text) as { readonly data?: unknown; readonly body?: { readonly data?: unknown } };
  return envelope.body?.data ?? envelope.data ?? envelope;
}

const answerAt = (path: string): unknown => dataOf(readFileSync(path, 'utf8'));
const sessionName = (scenario: string): string => `session_case-${scenario}`;
/** The workspace folder that the cases were recorded in; plan revisions are shown with it. */
const CASES_WORKSPACE = 'wd_kimi-cases_bb55611e0609';

/** A home below `folder` with every hand-made case as a session, and what the real server answered for each. */
export function kimiCaseHomes(folder: string): readonly RecordedTranscript[] {
  const scenarios = readdirSync(join(root, 'cases')).sort();
  return scenarios.map((scenario) => {
    const session = join(folder, 'sessions', CASES_WORKSPACE, sessionName(scenario));
    mkdirSync(join(session, 'agents/main'), { recursive: true });
    writeFileSync(join(session, 'state.json'), JSON.stringify({ id: sessionName(scenario), version: 2, createdAt: 1_760_000_000_000, updatedAt: 1_760_000_000_000, archived: false, cwd: '/home/dev', agents: { main: { type: 'main' } } }));
    copyFileSync(join(root, 'cases', scenario, 'wire.jsonl'), join(session, 'agents/main/wire.jsonl'));
    return { scenario, home: folder, args: ['transcript', sessionName(scenario), '--page-size', '100'], answer: answerAt(join(root, 'cases', scenario, 'transcript.json')) };
  });
}

interface Page { readonly items: readonly { readonly kind: string; readonly turnId?: string }[] }

/** A chain of pages of one turn each, newest first, as it was recorded. */
function pagesOf(path: string, of: { readonly scenario: string; readonly home: string; readonly session: string }): RecordedTranscript[] {
  if (!existsSync(path)) return [];
  const pages = (JSON.parse(readFileSync(path, 'utf8')) as readonly { readonly data: Page }[]).map(({ data }) => data);
  return pages.map((answer, i) => {
    const before = pages[i - 1]?.items.find(({ kind }) => kind === 'turn')?.turnId;
    return { scenario: of.scenario, home: of.home, args: ['transcript', of.session, '--page-size', '1', ...(before === undefined ? [] : ['--before-turn', before])], answer };
  });
}

const forms: readonly (readonly [form: RegExp, args: (agent: string) => readonly string[]])[] = [
  [/^transcript(?:\.(.+))?$/, (agent) => ['transcript', '--page-size', '100', '--agent', agent]], [/^user-messages$/, () => ['user-messages']], [/^plan$/, () => ['plan']],
];

function recordedOf(scenario: string): RecordedTranscript[] {
  const golden = join(recorded, scenario, 'golden');
  const home = join(recorded, scenario, 'home');
  return readdirSync(golden).sort().flatMap((file): RecordedTranscript[] => {
    const [, session = '', what = ''] = /^cold\.(session_[0-9a-f-]+)\.(.+)\.json$/.exec(file) ?? [];
    if (what === 'transcript-paged') return pagesOf(join(golden, file), { scenario, home, session });
    return forms.flatMap(([form, argsOf]) => {
      const [found, agent = 'main'] = form.exec(what) ?? [];
      const [command = '', ...options] = argsOf(agent);
      return found === undefined ? [] : [{ scenario, home, args: [command, session, ...options], answer: answerAt(join(golden, file)) }];
    });
  });
}

/** The requests of the hand-made home that have an answer and no error: name, and the path with its query. */
function handmadeTranscripts(): RecordedTranscript[] {
  const lines = readFileSync(join(handmade, 'requests.tsv'), 'utf8').trim().split('\n').map((line) => line.split('\t'));
  return lines.flatMap(([name = '', path = '']): RecordedTranscript[] => {
    const url = new URL(path, 'http://localhost');
    const [, session, what] = /^\/sessions\/([^/]+)\/transcript(?:\/(user-messages|plan))?$/.exec(url.pathname) ?? [];
    const answer = answerAt(join(handmade, 'responses', `${name}.json`));
    if (session === undefined || (answer as { readonly code?: number }).code !== undefined) return [];
    const options = [...url.searchParams].flatMap(([key, value]) => [{ agent_id: '--agent', page_size: '--page-size', before_turn: '--before-turn', after_turn: '--after-turn', tool_call_id: '--tool-call' }[key] ?? key, value]);
    return [{ scenario: 'handmade', home: join(handmade, 'home'), args: [what ?? 'transcript', session, ...options], answer }];
  });
}

/** Every answer about transcripts of the real server, but for the cases. */
export function kimiTranscripts(): readonly RecordedTranscript[] {
  return [...readdirSync(recorded).sort().flatMap(recordedOf), ...handmadeTranscripts()];
}

/** What both a live and a cold answer say of an ended session in the same form; the live one of the original lacks questions that were answered, and counts in `meta` otherwise. */
const comparable = ['agent_id', 'items', 'tasks', 'attachments', 'todos', 'agents', 'has_more'] as const;
type Answer = Readonly<Record<string, unknown>> & { readonly items: readonly { readonly state?: string; readonly markerId?: string; readonly startedAt?: string }[] };

/** The comparable part of an answer about transcripts. */
export function comparableTranscript(answer: unknown): object {
  return Object.fromEntries(comparable.map((field) => [field, (answer as Answer)[field]]));
}

/** As a cold answer counts: turns that were undone give their numbers to those behind them, an undo leaves no marker, and a turn begins when its record says, not a moment before. */
function countedCold(answer: Answer): unknown {
  const items = answer.items.filter(({ markerId }) => markerId === undefined || !markerId.startsWith('live-')).map((item) => ({ ...item, startedAt: undefined }));
  return JSON.parse(JSON.stringify({ ...answer, items }).replaceAll(/"t3(?=[".])/g, '"t2').replaceAll('"ordinal":3', '"ordinal":2'));
}

/** The end states of sessions that the real server ran, as far as they ended: those that it still held, and the one whose every frame was recorded (`traced`). */
export function kimiLiveTranscripts(): readonly RecordedTranscript[] {
  const golden = join(recorded, 'web/golden');
  const of = (scenario: string, home: string, [session, answer]: readonly [string, unknown]): RecordedTranscript => ({ scenario, home, args: ['transcript', session, '--page-size', '100'], answer: comparableTranscript(answer) });
  const held = readdirSync(golden).sort().flatMap((file): (readonly [string, Answer])[] => {
    const session = /^live\.(session_[0-9a-f-]+)\.transcript\.json$/.exec(file)?.[1];
    return session === undefined ? [] : [[session, answerAt(join(golden, file)) as Answer]];
  });
  const ended = held.filter(([, { items }]) => items.every(({ state }) => state !== 'running'));
  const lines = readFileSync(join(root, 'traces/live-trace.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { readonly path?: string; readonly response?: { readonly data: Answer } });
  const last = lines.filter(({ path }) => path !== undefined && /\/transcript\?/.test(path)).at(-1)!;
  const traced = [/session_[0-9a-f-]+/.exec(last.path!)![0], countedCold(last.response!.data)] as const;
  return [...ended.map((session) => of('web', join(recorded, 'web/home'), session)), of('traced', join(handmade, 'home'), traced)];
}
