import { type ContextReader, type ContextState, type DerivedRequest, type FateState, type Provider, type RequestProfile, deriveRequest, emptyFates, fatesOf, foldFates, profileOf } from '@tapefold/context';
import { codexModelItem } from '@tapefold/dialects';
import type { Fact } from '@tapefold/facts';
import type { ThreadSource } from '@tapefold/store';
import { EXIT } from '../exit.js';
import { Progress } from '../progress.js';
import { fateLines, requestLines } from '../render/context-lines.js';
import { jsonText } from '../text/json-text.js';
import type { Line } from '../text/line.js';
import type { Command, Session } from './session.js';
import { wholeNumber } from './whole-number.js';

/** `tapefold context` as typed; numbers and times are still text. */
export interface ContextOptions {
  readonly id: string;
  readonly asOf?: string | undefined;
  readonly provider?: Provider | undefined;
  readonly fates?: true | undefined;
  readonly json?: true | undefined;
}

/** A thread's history as of a position, and the program that wrote it. */
interface Folded {
  readonly state: FateState;
  readonly program: string;
  readonly version: string | undefined;
}

/** The facts up to a position, folded: all of them for fates, else those of the present history. */
async function foldThrough(source: ThreadSource, { id, asOf, hasFates }: { id: string; asOf: number | undefined; hasFates: boolean }, onProgress: Progress['bytes']): Promise<Folded> {
  let folded: Folded = { state: emptyFates, program: '', version: undefined };
  const facts = hasFates ? source.facts(id, { onProgress, asOf }) : source.modelFacts(id, { onProgress, asOf });
  for await (const { position, fact } of facts) folded = { ...folded, ...opened(fact), state: foldFates(folded.state, fact, position) };
  return folded;
}

function opened(fact: Fact): Pick<Folded, 'program' | 'version'> | undefined {
  return fact.type === 'thread.opened' ? { program: fact.program, version: fact.programVersion } : undefined;
}

async function readerOf(source: ThreadSource): Promise<ContextReader> {
  return { value: await source.values(), modelItem: (raw, native) => (native.dialect === 'codex' ? codexModelItem(raw, native) : undefined) };
}

/** The request as the provider gets it, with what was left out of it and why. */
function requestObject({ body, leftOut, version }: DerivedRequest, profile: RequestProfile): object {
  return { provider: profile.provider, version, ...body, leftOut: leftOut.map(({ entry, reason }) => ({ key: entry.key, position: entry.position, reason })) };
}

interface Asked { readonly context: ContextState; readonly profile: RequestProfile; readonly reader: ContextReader }

async function writeRequest({ output, terminal }: Session, { context, profile, reader }: Asked, json: boolean): Promise<void> {
  const request = deriveRequest(context, { profile, reader });
  if (json) return output.line(jsonText(requestObject(request, profile)));
  await writeLines({ output, terminal }, requestLines(request, { provider: profile.provider, widthCols: terminal.widthCols }));
}

async function writeLines({ output, terminal }: Pick<Session, 'output' | 'terminal'>, lines: readonly Line[]): Promise<void> {
  for (const line of lines) await output.line(terminal.paint(line));
}

/** What the model reads next in a thread, or what became of each item on its way there. */
export const context: Command<ContextOptions> = async (session, { id, asOf, provider, fates, json }) => {
  const { output, terminal } = session;
  const position = asOf === undefined ? undefined : wholeNumber(asOf, '--as-of');
  const source = await session.source();
  const progress = new Progress(terminal, 'reading');
  const { state, program, version } = await foldThrough(source, { id, asOf: position, hasFates: fates === true }, progress.bytes).finally(() => progress.clear());
  const profile = profileOf({ program, version }, provider);
  const reader = await readerOf(source);
  if (!fates) await writeRequest(session, { context: state.context, profile, reader }, json === true);
  else {
    const told = fatesOf(state, { profile, reader });
    if (json) await output.line(jsonText(told));
    else await writeLines(session, fateLines(told, terminal.widthCols));
  }
  await output.flush();
  return EXIT.ok;
};
