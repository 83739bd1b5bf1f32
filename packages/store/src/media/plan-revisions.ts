import type { FactOf } from '@tapefold/facts';
import { type PlanRevisionCheck, checkPlanRevision } from '@tapefold/transcript';
import type { ThreadSource } from '../thread-source.js';
import { planFile } from './plan-file.js';

/** A revision of a plan that an agent noted, and how the file compares with the note. */
export interface CheckedPlanRevision {
  readonly planId: string;
  readonly version: number | undefined;
  /** As the record names it: a key or a path. */
  readonly name: string;
  readonly check: PlanRevisionCheck;
}

const nameOf = ({ key, path, planId }: FactOf<'plan.revised'>): string => key ?? path ?? planId;

async function checked(fact: FactOf<'plan.revised'>, sessionFile: string): Promise<CheckedPlanRevision> {
  const ref = { key: fact.key, path: fact.path, sha256: fact.sha256, bytes: fact.sizeBytes };
  const hasFile = ref.key !== undefined || ref.path !== undefined;
  return { planId: fact.planId, version: fact.version, name: nameOf(fact), check: hasFile ? checkPlanRevision(ref, await planFile(ref, sessionFile)) : 'unchecked' };
}

/**
 * The plan revisions that the records of one thread name, in their order, each compared with its file by size and digest. Reads all facts of the thread. Rejects with a
 * `StoreError` (`threadNotFound`).
 */
export async function planRevisions(source: ThreadSource, threadId: string): Promise<readonly CheckedPlanRevision[]> {
  const { path } = await source.summary(threadId);
  const revisions: CheckedPlanRevision[] = [];
  for await (const { fact } of source.facts(threadId, { isOwn: true })) if (fact.type === 'plan.revised') revisions.push(await checked(fact, path));
  return revisions;
}
