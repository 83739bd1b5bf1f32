import { appendFileSync, cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Some bytes at the end of a file. */
interface Piece { readonly path: string; readonly bytes: Buffer; readonly atMs: number }

/** Files that agents append to; all others they write in one go. */
const isTape = (path: string): boolean => /^(?:archived_)?sessions\/.*\.jsonl$/.test(path);

/** When a record was written (Unix ms), as it says itself; undefined where it does not. */
function timeOf(line: string): number | undefined {
  const { timestamp, time, created_at: createdAt } = JSON.parse(line) as { readonly timestamp?: string; readonly time?: number; readonly created_at?: number };
  return timestamp === undefined ? time ?? createdAt : Date.parse(timestamp);
}

function piecesOf(home: string, path: string): Piece[] {
  let atMs = 0;
  return readFileSync(join(home, path), 'utf8').split(/(?<=\n)/).map((line) => {
    atMs = Math.max(atMs, timeOf(line) ?? 0);
    return { path, bytes: Buffer.from(line), atMs };
  });
}

/** Pieces that follow one another in one file, at most `most` lines, as one. */
function joined(pieces: readonly Piece[], most: number): Piece[] {
  const runs: Piece[][] = [];
  for (const piece of pieces) {
    const run = runs.at(-1);
    if (run && run[0]!.path === piece.path && run.length < most) run.push(piece);
    else runs.push([piece]);
  }
  return runs.map((run) => ({ ...run[0]!, bytes: Buffer.concat(run.map(({ bytes }) => bytes)) }));
}

/**
 * A recorded home that is written once more: what its agents appended to comes in pieces, in the order of the times in the records, across all files of the home; each piece in two writes, so that
 * a follower sees torn lines. Everything else is there from the start.
 */
export class ReplayedHome {
  readonly #pieces: readonly Piece[];

  constructor(private readonly from: string, private readonly to: string, linesAtOnce: number) {
    const files = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(from.length + 1));
    cpSync(from, to, { recursive: true, filter: (path) => !isTape(path.slice(from.length + 1)) });
    const lines = files.filter(isTape).sort().flatMap((path) => piecesOf(from, path)).sort((a, b) => a.atMs - b.atMs);
    this.#pieces = joined(lines, linesAtOnce);
  }

  /** Writes it; the path below the home is told behind each piece, and awaited. */
  async write(written: (path: string) => Promise<void>): Promise<void> {
    for (const { path, bytes } of this.#pieces) {
      const file = join(this.to, path);
      mkdirSync(dirname(file), { recursive: true });
      const torn = Math.floor(bytes.length * 2 / 3);
      appendFileSync(file, bytes.subarray(0, torn));
      await new Promise((resolve) => { setImmediate(resolve); });
      appendFileSync(file, bytes.subarray(torn));
      await written(path);
      await new Promise((resolve) => { setTimeout(resolve, 2); });
    }
  }
}
