import { ledgerAddsUp } from '@tapefold/facts';
import type { TapeReport } from '@tapefold/store';
import { EXIT } from '../exit.js';
import { Progress } from '../progress.js';
import { addReport, emptyTotals, ledgerLines, reportLine, totalLines } from '../render/ledger-view.js';
import { jsonText } from '../text/json-text.js';
import { type Line, blank } from '../text/line.js';
import { namedPath } from './named-path.js';
import { noteProblems } from './note-problems.js';
import type { Command, Session } from './session.js';

/** `tapefold doctor` as typed. */
export interface DoctorOptions {
  readonly idOrPath?: string | undefined;
  readonly json?: true | undefined;
}

/** The public form of a report: the ledger's fields beside what it is about. */
function reportObject({ path, threadId, ledger, facts, problem }: TapeReport): object {
  return { path, threadId: threadId ?? null, facts, problem: problem ?? null, addsUp: ledgerAddsUp(ledger), ...ledger };
}

/** What comes before each report in its form; the rest of the form is the same for all. */
async function writeReport(report: TapeReport, form: { isFirst: boolean; options: DoctorOptions; session: Session }): Promise<void> {
  const { isFirst, options, session: { output, terminal, surroundings } } = form;
  if (options.json) return output.write(`${isFirst ? '[\n' : ',\n'}${jsonText(reportObject(report))}`);
  const whole = (): Line[] => [...(isFirst ? [] : [blank]), ...ledgerLines(report, surroundings.homeDir)];
  const lines = options.idOrPath === undefined ? [reportLine(report, surroundings.homeDir)] : whole();
  for (const line of lines) await output.line(terminal.paint(line));
}

/** What became of every line of one session file, of a thread's, or of all. Damage is what a report is for, and no failure; a file that cannot be read is one. */
export const doctor: Command<DoctorOptions> = async (session, options) => {
  const { output, terminal, surroundings } = session;
  const source = await session.source();
  const totals = emptyTotals();
  const progress = new Progress(terminal, 'session files looked through');
  const idOrPath = options.idOrPath === undefined ? undefined : namedPath(options.idOrPath, surroundings.cwd);
  if (idOrPath === undefined) noteProblems(await source.list({ limit: 0 }), terminal);
  try {
    for await (const report of source.report(idOrPath)) {
      progress.clear();
      await writeReport(report, { isFirst: totals.tapes === 0, options, session });
      addReport(totals, report);
      if (!terminal.isTerminal) progress.count(totals.tapes);
    }
  } finally {
    progress.clear();
  }
  if (options.json) await output.line(totals.tapes === 0 ? '[]' : '\n]');
  else if (idOrPath === undefined) for (const line of totalLines(totals)) await output.line(terminal.paint(line));
  await output.flush();
  return totals.doNotAddUp + totals.unreadable === 0 ? EXIT.ok : EXIT.data;
};
