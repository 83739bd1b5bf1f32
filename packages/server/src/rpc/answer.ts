import type { JsonChunk, LazyPage, PageCursors, Thread, ThreadReadResponse } from '@tapefold/threads';

/** JSON in pieces, made as they are taken: an answer of any length is never in memory as a whole. The last one is text. */
export type JsonChunks = Iterable<JsonChunk> | AsyncIterable<JsonChunk>;

/** One piece: for answers that are small. */
export function wholeValue(value: unknown): JsonChunks {
  return [JSON.stringify(value)];
}

/** The elements of an array, one piece each, without the brackets. */
function* elements(values: Iterable<unknown>): Generator<string> {
  let isFirst = true;
  for (const value of values) {
    yield isFirst ? JSON.stringify(value) : `,${JSON.stringify(value)}`;
    isFirst = false;
  }
}

/** What stands between the brackets of a list, as its values are read. */
export async function* elementsAsRead(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const value of values) {
    yield isFirst ? JSON.stringify(value) : `,${JSON.stringify(value)}`;
    isFirst = false;
  }
}

/** A page, row by row. */
export function* pageChunks<T>({ data, nextCursor, backwardsCursor }: LazyPage<T>): Generator<string> {
  const cursors: PageCursors = { nextCursor, backwardsCursor };
  yield '{"data":[';
  yield* elements(data);
  yield `],${JSON.stringify(cursors).slice(1)}`;
}

/** An object's text with one more member at its end. */
export async function* withMember(chunks: JsonChunks, name: string, value: unknown): AsyncGenerator<JsonChunk> {
  let last = '';
  for await (const chunk of chunks) {
    if (last !== '') yield last;
    last = typeof chunk === 'string' ? chunk : '';
    // Its memory is used anew for the next one.
    if (typeof chunk !== 'string') yield chunk;
  }
  yield `${last.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
}

/** `thread/read` with its turns. `turns`: what stands between the brackets of their list, which is the last key of a thread. */
export async function* threadChunks(thread: Thread, turns: AsyncIterable<JsonChunk>, readState: ThreadReadResponse['readState']): AsyncGenerator<JsonChunk> {
  const { turns: _, ...head } = thread;
  yield `{"thread":${JSON.stringify(head).slice(0, -1)},"turns":[`;
  yield* turns;
  yield `]},"readState":${JSON.stringify(readState)}}`;
}
