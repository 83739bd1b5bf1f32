import type { LineAccount, LineVerdict } from '@tapefold/facts';
import type { LineRecords } from './records.js';
import { present } from './shape.js';

/** What became of one record, for the ledger. `name`: its type, as the ledger counts it. */
export interface RecordAccount {
  readonly verdict: LineVerdict;
  readonly name: string;
}

const rank: Readonly<Record<LineVerdict, number>> = { played: 4, unknown: 3, ignored: 2, damaged: 1, blank: 0 };

/** A line counts once, as the best that any of its records came to. */
export function accountOf(found: LineRecords, accounts: readonly RecordAccount[]): LineAccount {
  if (found.isBlank) return { verdict: 'blank' };
  const best = [...accounts].sort((a, b) => rank[b.verdict] - rank[a.verdict])[0];
  if (!best) return present({ verdict: 'damaged' as const, damage: found.damage });
  return present({ verdict: best.verdict, type: best.name, repairs: found.repairs.length ? found.repairs : undefined });
}
