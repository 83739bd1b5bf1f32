import type { OpenedThread } from '../thread-source.js';
import { OPENED_BYTES } from './limits.js';
import type { Segment } from './shelf.js';

/** What the rows of an opened thread were made of: they hold while none of it changes. */
export function stampOf(segments: readonly Segment[]): string {
  return segments.map(({ file, endOffset }) => `${file.path} ${file.sizeBytes} ${file.mtimeMs} ${endOffset ?? ''}`).join('\n');
}

interface Entry { readonly stamp: string; readonly opened: OpenedThread; readonly sizeBytes: number }

/** Threads opened last, as many as fit a budget of session bytes; the one asked for just now always stays. */
export class OpenedThreads {
  readonly #entries = new Map<string, Entry>();

  get(threadId: string, stamp: string): OpenedThread | undefined {
    const entry = this.#entries.get(threadId);
    if (entry?.stamp !== stamp) return undefined;
    this.#entries.delete(threadId);
    this.#entries.set(threadId, entry);
    return entry.opened;
  }

  keep(threadId: string, entry: Entry): void {
    this.#entries.delete(threadId);
    this.#entries.set(threadId, entry);
    let bytes = [...this.#entries.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    for (const [id, { sizeBytes }] of this.#entries) {
      if (bytes <= OPENED_BYTES || id === threadId) return;
      this.#entries.delete(id);
      bytes -= sizeBytes;
    }
  }
}
