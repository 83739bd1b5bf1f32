import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** What of a folder changes when files come, go or grow. Never throws; a folder that cannot be read has an empty sign. */
function signOf(path: string): string {
  try {
    return readdirSync(path).map((name) => {
      const stats = statSync(join(path, name), { throwIfNoEntry: false });
      return `${name} ${stats?.size} ${stats?.mtimeMs}`;
    }).join('\n');
  } catch {
    return '';
  }
}

/** Folders that have no watch: looked at from time to time, a bounded number of them in turns. */
export class FolderSigns<Place> {
  readonly #perLook: number;
  readonly #signs = new Map<string, { readonly place: Place; readonly sign: string }>();
  #lookedAtMs = performance.now();

  /** `perLook`: folders that one look goes through. */
  constructor(perLook: number) {
    this.#perLook = perLook;
  }

  get isEmpty(): boolean {
    return this.#signs.size === 0;
  }

  add(path: string, place: Place): void {
    if (!this.#signs.has(path)) this.#signs.set(path, { place, sign: signOf(path) });
  }

  remove(path: string): void {
    this.#signs.delete(path);
  }

  removeBelow(path: string): void {
    for (const known of this.#signs.keys()) if (known === path || known.startsWith(path + sep)) this.#signs.delete(known);
  }

  /** Folders in which something changed since the last look at them. Looks again only after `everyMs`. */
  changed(everyMs: number): [string, Place][] {
    const now = performance.now();
    if (this.isEmpty || now - this.#lookedAtMs < everyMs) return [];
    this.#lookedAtMs = now;
    return [...this.#signs].slice(0, this.#perLook).flatMap(([path, { place, sign }]) => (this.#signAnew(path, place) === sign ? [] : [[path, place]]));
  }

  /** Looked at, a folder stands last. */
  #signAnew(path: string, place: Place): string {
    const sign = signOf(path);
    this.#signs.delete(path);
    this.#signs.set(path, { place, sign });
    return sign;
  }
}
