import type { LazyPage, PageCursors, Thread, ThreadReadResponse, Turn } from '@tapefold/threads';

/** JSON text in pieces, made as they are taken: an answer of any length is never in memory as a whole. */
export type JsonChunks = Iterable<string> | AsyncIterable<string>;

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

async function* elementsAsRead(values: AsyncIterable<unknown>): AsyncGenerator<string> {
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
export async function* withMember(chunks: JsonChunks, name: string, value: unknown): AsyncGenerator<string> {
  let last = '';
  for await (const chunk of chunks) {
    if (last !== '') yield last;
    last = chunk;
  }
  yield `${last.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
}

/** `thread/read` with its turns, turn by turn. `turns` is the last key of a thread. */
export async function* threadChunks(thread: Thread, turns: AsyncIterable<Turn>, readState: ThreadReadResponse['readState']): AsyncGenerator<string> {
  const { turns: _, ...head } = thread;
  yield `{"thread":${JSON.stringify(head).slice(0, -1)},"turns":[`;
  yield* elementsAsRead(turns);
  yield `]},"readState":${JSON.stringify(readState)}}`;
}
