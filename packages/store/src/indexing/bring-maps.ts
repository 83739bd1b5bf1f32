import type { Apart } from '../files/apart.js';
import type { ShelfThread } from '../files/shelf.js';
import type { ThreadStore } from '../thread-store.js';
import { MAPPED_AT_ONCE_BYTES, MAPPED_BYTES, MAP_IDLE_MS } from '../turn-map/limits.js';
import { type MappedFiles, isMapOf, mapTurns, mappedFiles } from '../turn-map/map-turns.js';

/** A thread of a pass. `bytes`: of its files that rows are still to be made of. */
export interface MapJob {
  readonly name: string;
  readonly thread: ShelfThread;
  readonly bytes: number;
}

/** What maps are brought up for. `onFile`: the file that is about to be looked through. */
export interface MapRun {
  readonly store: ThreadStore;
  readonly nowMs: () => number;
  readonly isStopped: () => boolean;
  readonly onFile: (path: string) => void;
  /** Threads with fewer bytes to come are not mapped; `MAPPED_BYTES` where absent. */
  readonly mappedBytes?: number | undefined;
  /** A file that cannot be mapped hinders no others, and its rows are made all the same. */
  readonly apart: Apart;
}

interface ToMap {
  readonly name: string;
  readonly files: MappedFiles;
}

/** The newest of the large ones: all that fits into some seconds of looking. */
function toMap(newest: readonly MapJob[], leastBytes: number): ToMap[] {
  const found: ToMap[] = [];
  let bytes = 0;
  for (const { name, thread, bytes: left } of newest) {
    const files = left >= leastBytes ? mappedFiles(thread, leastBytes) : undefined;
    if (!files) continue;
    bytes += left;
    if (bytes > MAPPED_AT_ONCE_BYTES && found.length > 0) break;
    found.push({ name, files });
  }
  return found;
}

/** Maps that are not needed any more go, those of threads that are gone at once, the others when nobody can be reading over them. */
async function retire({ store, nowMs }: MapRun, needed: ReadonlySet<string>, names: ReadonlySet<string>): Promise<void> {
  for (const { name, idleSinceMs } of await store.mapped()) {
    const sinceMs = needed.has(name) ? null : idleSinceMs ?? nowMs();
    if (!names.has(name) || (sinceMs !== null && nowMs() - sinceMs >= MAP_IDLE_MS)) await store.setTurnMap(name, undefined);
    else if (sinceMs !== idleSinceMs) await store.setMapIdle(name, sinceMs);
  }
}

/** Maps the large threads whose rows are still to be made: their pages come from the maps until then. `newest`: all threads, the newest first. Needs the lease. */
export async function bringMaps(run: MapRun, newest: readonly MapJob[]): Promise<void> {
  const { store, isStopped, onFile, apart, mappedBytes = MAPPED_BYTES } = run;
  const mapped = toMap(newest, mappedBytes);
  await retire(run, new Set(mapped.map(({ name }) => name)), new Set(newest.map(({ name }) => name)));
  for (const { name, files } of mapped) {
    if (isStopped()) return;
    const known = await store.turnMap(name);
    if (known && isMapOf(known, files)) continue;
    const path = files.segments.at(-1)?.file.path ?? '';
    onFile(path);
    const map = await mapTurns(files, isStopped).catch((cause: unknown) => apart.note(path, cause));
    await store.setTurnMap(name, map ?? undefined);
  }
}
