import { type Fact, type Player, isJsonObject } from '@tapefold/facts';
import { codexModelItem, createClaudePlayer, createKimiPlayer, kimiTape, valueInLine } from '@tapefold/dialects';
import { createFileSource } from '@tapefold/store';
import { linesOf } from '@tapefold/testing';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldContext } from './fold-context.js';
import type { ContextReader } from './resolve.js';
import { type ContextState, emptyContext } from './state.js';

const fixtures = fileURLToPath(new URL('../../../fixtures/', import.meta.url));

/** A thread of a recording: its facts in order, and what they point to. */
export interface RecordedThread {
  readonly id: string;
  readonly version: string | undefined;
  readonly facts: readonly Fact[];
  readonly reader: ContextReader;
}

/** Recorded scenarios below a folder of fixtures that have a file, by name. */
export function scenarios(folder: string, file: string): { readonly name: string; readonly path: string; readonly recording: unknown }[] {
  const found = readdirSync(join(fixtures, folder), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(file)).sort();
  return found.map((path) => {
    const scenario = path.slice(0, -file.length - 1);
    return { name: scenario, path: join(fixtures, folder, scenario), recording: JSON.parse(readFileSync(join(fixtures, folder, path), 'utf8')) as unknown };
  });
}

/** All threads of a Codex home, sub-agents and archived ones included. */
export async function codexThreads(home: string): Promise<RecordedThread[]> {
  const source = createFileSource([{ program: 'codex', path: home }]);
  const { rows } = await source.list({ hasSubAgents: true, archived: 'too' });
  const reader: ContextReader = { value: await source.values(), modelItem: codexModelItem };
  const threads: RecordedThread[] = [];
  for (const { thread } of rows) {
    const facts: Fact[] = [];
    for await (const { fact } of source.facts(thread.id)) facts.push(fact);
    const opened = facts.find((fact) => fact.type === 'thread.opened');
    threads.push({ id: thread.id, version: opened?.type === 'thread.opened' ? opened.programVersion : undefined, facts, reader });
  }
  return threads;
}

/** The thread of one session file of Claude Code. */
export function claudeThread(path: string): RecordedThread {
  const name = basename(path, '.jsonl');
  const id = name.length === 36 ? name : '11111111-1111-4111-8111-111111111111';
  return { id, version: undefined, ...played(path, createClaudePlayer({ tape: `claude/${id}`, namedThreadId: id })) };
}

/** The thread of one agent's log of Kimi Code. */
export function kimiThread(path: string): RecordedThread {
  const [, session = 'session', agent = 'main'] = /(session_[^/]+)\/agents\/([^/]+)\//.exec(path) ?? [];
  return { id: session, version: undefined, ...played(path, createKimiPlayer({ tape: kimiTape(session, agent) })) };
}

function played(path: string, player: Player): Pick<RecordedThread, 'facts' | 'reader'> {
  const texts = new Map<number, string>();
  const facts = linesOf(readFileSync(path)).flatMap(({ line }) => {
    texts.set(line.offset, line.text ?? '');
    return player.play(line).facts;
  });
  return { facts, reader: { value: ({ line, record, path: way }) => valueInLine(texts.get(line.offset) ?? '', record, way) } };
}

/** Session files below a folder. */
export function claudeFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.jsonl')).sort().map((path) => join(folder, path));
}

/** The history after some facts. */
export function folded(facts: readonly Fact[]): ContextState {
  return facts.reduce<ContextState>((state, fact, position) => foldContext(state, fact, position), emptyContext);
}

const isModels = (fact: Fact): boolean => fact.type === 'context.appended'
  && (fact.item.kind === 'reasoning' || fact.item.kind === 'call' || (fact.item.kind === 'message' && fact.item.role === 'assistant'));

/** How many facts there were each time the model was asked: up to where each of its answers begins, and all of them where the last one is missing. */
export function requestPoints(facts: readonly Fact[]): number[] {
  const points: number[] = [];
  let isAnswering = false;
  facts.forEach((fact, i) => {
    if (fact.type !== 'context.appended') return;
    if (isModels(fact) && !isAnswering) points.push(i);
    isAnswering = isModels(fact);
  });
  return isAnswering ? points : [...points, facts.length];
}

/** Whether a value is a list of objects. */
export function isItems(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.every((item) => isJsonObject(item));
}
