import type { HistoryRowsReader } from './history-rows.js';
import { ROWS_AT_ONCE } from './limits.js';
import { type Bound, type Ordered, type Span, orderOf, take } from './span.js';

/** All rows of a kind from a bound on, a few at a time: each step sees one state of the database, and none is older than the one before. `finish`: what is made of them inside of it. */
export function* inBatches<R extends Ordered, B>(rows: HistoryRowsReader, read: (span: Span) => Iterable<R>, { finish, start }: { readonly finish: (some: R[]) => B; readonly start?: Bound | undefined }): Generator<B> {
  for (let bound = start; ;) {
    const [batch, last] = rows.snapshot(() => {
      const some = take(read({ direction: 'asc', bound, wanted: ROWS_AT_ONCE }), ROWS_AT_ONCE);
      return [finish(some), some.length < ROWS_AT_ONCE ? undefined : some.at(-1)] as const;
    });
    yield batch;
    if (!last) return;
    bound = { order: orderOf(last), isIncluded: false };
  }
}
