/** Where a revision of a plan is kept, by the key that its record gives; undefined: the caller does not know. */
export type ResolvePlanRevisionKey = (key: string) => string | undefined;

/** How a record names a revision of a plan: newer agents by `key`, older ones by `path`; with the size and digest of its text. */
export interface PlanRevisionRef {
  readonly key?: string | undefined;
  readonly path?: string | undefined;
  /** SHA-256 of the text in UTF-8, in hexadecimal. */
  readonly sha256?: string | undefined;
  readonly bytes?: number | undefined;
}

/** The path under which a revision is shown: what the caller makes of its key, the key itself where the caller knows nothing, or its path. */
export function planRevisionPath({ key, path }: PlanRevisionRef, resolve?: ResolvePlanRevisionKey): string | undefined {
  return key === undefined ? path : (resolve?.(key) ?? key);
}

/** What a host found of a revision's file. */
export interface PlanRevisionFile {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * How a revision's file compares with its record. `unchecked`: the record says nothing to compare with; `missing`: there is no file. The host reads
 * the file and computes its digest: this package does neither.
 */
export type PlanRevisionCheck = 'verified' | 'mismatch' | 'missing' | 'unchecked';

/** Compares a revision's file with what its record says of it; undefined: no such file. */
export function checkPlanRevision(ref: PlanRevisionRef, file: PlanRevisionFile | undefined): PlanRevisionCheck {
  if (!file) return 'missing';
  const { sha256, bytes } = ref;
  if (sha256 === undefined && bytes === undefined) return 'unchecked';
  const isSame = (sha256 === undefined || sha256.toLowerCase() === file.sha256.toLowerCase()) && (bytes === undefined || bytes === file.bytes);
  return isSame ? 'verified' : 'mismatch';
}
