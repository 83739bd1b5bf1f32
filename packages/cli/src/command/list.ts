import type { PreviewResult } from '@tapefold/reading';
import type { AgentProgram, ListQuery, ThreadListing, ThreadSource } from '@tapefold/store';
import { resolve } from 'node:path';
import { EXIT } from '../exit.js';
import { listLines } from '../render/list-view.js';
import { jsonText } from '../text/json-text.js';
import { counted } from '../text/measures.js';
import { noteProblems } from './note-problems.js';
import type { Command, Session } from './session.js';
import { sinceMs } from './since.js';
import { wholeNumber } from './whole-number.js';

/** `tapefold list` as typed; numbers and times are still text. */
export interface ListOptions {
  readonly json?: true | undefined;
  readonly cwd?: string | undefined;
  readonly agent?: AgentProgram | undefined;
  readonly since?: string | undefined;
  readonly archived?: true | undefined;
  readonly all?: true | undefined;
  readonly limit?: string | undefined;
  readonly preview?: true | undefined;
}

/** A screenful on a terminal; a script gets all. */
const TERMINAL_LIMIT = 25;

function limitOf({ limit, json }: ListOptions, isTerminal: boolean): number | undefined {
  if (limit === undefined) return isTerminal && !json ? TERMINAL_LIMIT : undefined;
  return wholeNumber(limit, '--limit') || undefined;
}

function queryOf(options: ListOptions, { terminal, surroundings }: Session): ListQuery {
  return {
    cwd: options.cwd === undefined ? undefined : resolve(surroundings.cwd, options.cwd), program: options.agent,
    sinceMs: options.since === undefined ? undefined : sinceMs(options.since, surroundings.nowMs()),
    archived: options.archived ? 'too' : undefined, hasSubAgents: options.all, limit: limitOf(options, terminal.isTerminal),
  };
}

/** Thread objects have no place for what is wrong with their files: that goes to standard error. */
async function writeJson({ rows }: ThreadListing, { output, terminal }: Session): Promise<void> {
  await output.write('[');
  for (const [i, { thread }] of rows.entries()) await output.write(`${i === 0 ? '\n' : ',\n'}${jsonText(thread)}`);
  await output.line(rows.length === 0 ? ']' : '\n]');
  for (const { path, problem } of rows) if (problem !== undefined) terminal.note(`${path}: ${problem}`);
}

/** The newest lines of each row. A thread that cannot be read is told as such, and hinders no other. */
async function previewsOf({ rows }: ThreadListing, source: ThreadSource): Promise<ReadonlyMap<string, PreviewResult>> {
  const previews = new Map<string, PreviewResult>();
  for (const { thread, problem } of rows) {
    if (problem === undefined) previews.set(thread.id, await source.preview(thread.id, { isQuick: true }).catch((cause: unknown) => ({ kind: 'unreadable' as const, reason: String(cause) })));
  }
  return previews;
}

function emptyNote(options: ListOptions): string {
  const isFiltered = options.cwd !== undefined || options.since !== undefined || options.agent !== undefined;
  return isFiltered ? 'no session matches: ask for more with --all, --archived or a wider filter.' : 'there are no sessions here: --all shows sub-agents, --archived archived ones.';
}

/** The threads, newest first. */
export const list: Command<ListOptions> = async (session, options) => {
  const { output, terminal, surroundings, times } = session;
  const query = queryOf(options, session);
  const source = await session.source();
  const listing = await source.list(query);
  noteProblems(listing, terminal);
  if (options.json) await writeJson(listing, session);
  else {
    const previews = options.preview ? await previewsOf(listing, source) : undefined;
    for (const line of listLines(listing.rows, { times, nowMs: surroundings.nowMs(), homeDir: surroundings.homeDir, widthCols: terminal.widthCols, previews })) await output.line(terminal.paint(line));
  }
  await output.flush();
  if (listing.left > 0) terminal.note(`${counted(listing.left, 'older session')} left out: --limit 0 shows all.`);
  else if (listing.rows.length === 0 && !options.json) terminal.note(emptyNote(options));
  return EXIT.ok;
};
