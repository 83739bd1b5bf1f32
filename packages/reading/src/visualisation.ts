/** Where a visualisation of the thread can be opened, when the host trusts the file; undefined otherwise. */
export type VisualisationUrl = (file: string) => string | undefined;

const OPEN = '\ue200';
const SEPARATOR = '\ue202';
const CLOSE = '\ue201';

/** The line that stands for a visualisation: a label with its address, or why there is none. */
export function visualisationLine(file: string | undefined, urlOf: VisualisationUrl | undefined): string {
  const url = file === undefined ? undefined : urlOf?.(file);
  if (file === undefined || url === undefined) return '*Visualization unavailable on this device.*';
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.html?$/i, '');
  return `Open ${name} visualization in the browser: ${url}`;
}

function fileIn(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || !('file' in value)) return undefined;
    return typeof value.file === 'string' ? value.file : undefined;
  } catch {
    return undefined;
  }
}

/** A line that is nothing but the private-use form of a visualisation: its file, `half` where its end is still to come, undefined where it is none. */
export function privateUseVisualisation(line: string): { readonly file: string | undefined } | 'half' | undefined {
  const text = line.trim();
  if (!text.startsWith(`${OPEN}visualize`)) return undefined;
  if (!text.includes(CLOSE)) return 'half';
  if (text.indexOf(CLOSE) !== text.length - 1) return undefined;
  const separator = text.indexOf(SEPARATOR);
  return { file: separator < 0 ? undefined : fileIn(text.slice(separator + 1, -1)) };
}

/** Marks for the program between private-use brackets (citations and the like), which no font shows: the index behind the one at `at`, or `at`. */
export function endOfPrivateMark(line: string, at: number, lastClose: number): number {
  return line.charAt(at) !== OPEN || lastClose < at ? at : line.indexOf(CLOSE, at) + 1;
}

/** The last closing bracket of a line: looked up once, so that openings without one do not each search for it. */
export function lastPrivateClose(line: string): number {
  return line.lastIndexOf(CLOSE);
}
