import type { ThreadItemEntry } from '@tapefold/threads';
import {
  type HydrationEvent, type HydrationGoal, type HydrationState, type PagerEvent, type PagerState, advanceHydration, advancePager, createPager, pagedEntries, pagerAfterHydration, planHydration, requestToSend,
} from '@tapefold/reading';
import { type Answer, type ListedTurn, type RpcCaller, listItems, listTurns } from './call.js';

type Plan = HydrationState<ThreadItemEntry, ListedTurn>;
type Pager = PagerState<ThreadItemEntry>;

/** What a reader may ask of a history. */
export type HistoryWish = Extract<PagerEvent<ThreadItemEntry>, { type: 'askOlder' | 'askBeginning' | 'cancelJump' | 'retry' | 'live' | 'superseded' | 'reset' }>;

/** The history of one thread, read page by page. */
export interface ThreadHistory {
  /** The first bounded fill, or everything, or through one turn; the pager goes on where it ends. Not while pages are being read. */
  fill(goal: HydrationGoal, rowsOf?: (entry: ThreadItemEntry) => number): Promise<Plan>;
  wish(wish: HistoryWish): void;
  state(): Pager;
  /** Oldest first, each once. */
  entries(): readonly ThreadItemEntry[];
  onChange(listener: (state: Pager) => void): () => void;
}

/** Pages of a thread over any connection of the read protocol: one request in flight, answers of a superseded one dropped whole [R-SCR-5]. */
export function createThreadHistory({ call, threadId, failed = () => undefined }: {
  readonly call: RpcCaller; readonly threadId: string;
  /** Hears of listeners that threw. */
  readonly failed?: ((error: unknown) => void) | undefined;
}): ThreadHistory {
  let pager: Pager = createPager<ThreadItemEntry>();
  const listeners = new Set<(state: Pager) => void>();

  const become = (next: Pager): void => {
    const before = pager;
    if (next === before) return;
    pager = next;
    for (const listener of listeners) try { listener(next); } catch (error) { failed(error); }
    const request = requestToSend(before, next);
    if (request !== undefined) void listItems(call, { threadId, ...request }).then((answer) => feed(pageEvent(answer, request.id)));
  };
  const feed = (event: PagerEvent<ThreadItemEntry>): void => become(advancePager(pager, event));

  return {
    fill: async (goal, rowsOf) => {
      let plan: Plan = planHydration<ThreadItemEntry, ListedTurn>(goal);
      while (plan.kind === 'asking') plan = advanceHydration(plan, await planEvent(call, threadId, plan), rowsOf);
      become(pagerAfterHydration(plan));
      return plan;
    },
    wish: feed,
    state: () => pager,
    entries: () => pagedEntries(pager),
    onChange: (listener) => { listeners.add(listener); return () => listeners.delete(listener); },
  };
}

function pageEvent(answer: Awaited<ReturnType<typeof listItems>>, requestId: number): PagerEvent<ThreadItemEntry> {
  switch (answer.kind) {
    case 'answer': return { type: 'page', requestId, page: answer.value };
    case 'unsupported': return { type: 'unsupported', requestId };
    case 'failure': return { type: 'failure', requestId, reason: answer.reason };
  }
}

async function planEvent(call: RpcCaller, threadId: string, { request }: Extract<Plan, { kind: 'asking' }>): Promise<HydrationEvent<ThreadItemEntry, ListedTurn>> {
  const requestId = request.id;
  const asked = { threadId, ...request };
  const event = request.kind === 'turns'
    ? eventOf(await listTurns(call, asked), (page) => ({ type: 'turns' as const, requestId, page }))
    : eventOf(await listItems(call, asked), (page) => ({ type: 'items' as const, requestId, page }));
  return 'type' in event ? event : event.kind === 'unsupported' ? { type: 'unsupported', requestId } : { type: 'failure', requestId, reason: event.reason };
}

/** The event of an answer that came, or why none did. */
const eventOf = <T, E>(answer: Answer<T>, event: (value: T) => E): E | Exclude<Answer<T>, { kind: 'answer' }> => (answer.kind === 'answer' ? event(answer.value) : answer);
