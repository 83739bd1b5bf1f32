import type { ThreadReading } from '@tapefold/store';
import { type Thread, type Turn, isSuperseded } from '@tapefold/threads';
import { EXIT, UsageError } from '../exit.js';
import { Progress } from '../progress.js';
import { threadHeading } from '../render/transcript/thread-heading.js';
import { mayRun } from '../render/turn-ends.js';
import { turnLines } from '../render/transcript/turn-lines.js';
import type { TranscriptView } from '../render/transcript/view.js';
import { jsonText } from '../text/json-text.js';
import { blank } from '../text/line.js';
import { counted } from '../text/measures.js';
import { namedPath } from './named-path.js';
import type { Command, Session } from './session.js';
import { wholeNumber } from './whole-number.js';

/** `tapefold show` as typed; numbers and times are still text. */
export interface ShowOptions {
  readonly id: string;
  readonly json?: true | undefined;
  readonly full?: true | undefined;
  readonly turn?: string | undefined;
  readonly asOf?: string | undefined;
  readonly allBranches?: true | undefined;
}

/** `number`: among the turns that count; a superseded one has none, so that the others keep theirs. */
interface NumberedTurn {
  readonly number: number | undefined;
  readonly turn: Turn;
}

function numberedTurns(turns: readonly Turn[]): NumberedTurn[] {
  let number = 0;
  return turns.map((turn) => ({ turn, number: isSuperseded(turn) ? undefined : (number += 1) }));
}

/** All turns, or those that `--turn` names: 1 is the first, -1 the last; ids can repeat. */
function chosenTurns(turns: readonly Turn[], wanted: string | undefined): NumberedTurn[] {
  const numbered = numberedTurns(turns);
  if (wanted === undefined) return numbered;
  const counting = numbered.filter(({ number }) => number !== undefined);
  const asked = Number(wanted);
  const byId = Number.isInteger(asked) ? [] : numbered.filter(({ turn }) => turn.id === wanted);
  if (byId.length > 0) return byId;
  const found = !Number.isInteger(asked) || asked === 0 ? undefined : counting.at(asked > 0 ? asked - 1 : asked);
  if (!found) throw new UsageError(`the thread has ${counted(counting.length, 'turn')}, and --turn ${wanted} is none of them: 1 is the first, -1 the last.`);
  return [found];
}

/** The last turn is interrupted by nothing but the end of the file. */
function hasOpenEnd({ turns }: Thread): boolean {
  const last = turns.at(-1);
  return last?.status === 'interrupted' && last.completedAt === null;
}

/** `{"thread": …}` with one turn a line: no string holds more than one turn. */
async function writeJson(thread: Thread, turns: readonly NumberedTurn[], { output }: Session): Promise<void> {
  const { turns: _, ...head } = thread;
  await output.write(`{"thread":${jsonText(head).slice(0, -1)},"turns":[`);
  for (const [i, { turn }] of turns.entries()) await output.write(`${i === 0 ? '\n' : ',\n'}${jsonText(turn)}`);
  await output.line(turns.length === 0 ? ']}}' : '\n]}}');
}

async function writeTranscript({ thread, program }: ThreadReading, turns: readonly NumberedTurn[], { session, isFull }: { session: Session; isFull: boolean }): Promise<void> {
  const { output, terminal, surroundings, times } = session;
  const view: TranscriptView = { program, isFull, homeDir: surroundings.homeDir, times, cwd: thread.cwd };
  for (const line of threadHeading(thread, thread.turns.filter((turn) => !isSuperseded(turn)).length, view)) await output.line(terminal.paint(line));
  for (const { turn, number } of turns) {
    for (const line of [blank, ...turnLines(turn, number, view)]) await output.line(terminal.paint(line));
  }
  if (thread.turns.length === 0) await output.lines(['', terminal.paint([{ text: 'No turn is recorded in it.', tone: 'dim' }])]);
}

/** A thread as a transcript to read, or as the object that `thread/read` answers with. */
export const show: Command<ShowOptions> = async (session, options) => {
  const { output, terminal } = session;
  const asOf = options.asOf === undefined ? undefined : wholeNumber(options.asOf, '--as-of');
  const source = await session.source();
  const progress = new Progress(terminal, 'reading');
  // Also a transcript that is cut says how much it hides of the whole.
  const reading = await source.read(namedPath(options.id, session.surroundings.cwd), { onProgress: progress.bytes, hasWholeOutputs: true, asOf, hasAllBranches: options.allBranches }).finally(() => progress.clear());
  const { thread, problems } = reading;
  const turns = chosenTurns(thread.turns, options.turn);
  for (const problem of problems) terminal.note(problem);
  if (asOf === undefined && hasOpenEnd(thread) && mayRun({ updatedAtMs: thread.updatedAt * 1000, lastRecordAtMs: reading.lastRecordAtMs }, session.surroundings.nowMs())) terminal.note('its file changed just now, so it may still run: what has no end here may get one.');
  if (options.json) await writeJson(thread, turns, session);
  else await writeTranscript(reading, turns, { session, isFull: options.full === true });
  await output.flush();
  return EXIT.ok;
};
