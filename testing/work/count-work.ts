/*
 * Work without a clock: how many elements the lists and tables of a piece of code are asked to walk. A scan that grows with what came before shows however
 * fast the machine is; a loop over indices does not, so keep such loops to halving.
 */

type Walk = (this: readonly unknown[], ...args: unknown[]) => unknown;

const walks = ['includes', 'indexOf', 'find', 'findIndex', 'findLast', 'findLastIndex', 'filter', 'map', 'flatMap', 'some', 'every', 'reduce', 'forEach', 'slice', 'concat', 'join', 'sort', 'reverse'] as const;
const listings = ['keys', 'values', 'entries'] as const;

/** Runs `work` and returns how many elements it walked. Synchronous code only; not reentrant. */
export function countWalked(work: () => void): number {
  let walked = 0;
  const list = Array.prototype as unknown as Record<string | symbol, Walk>;
  const before = new Map<string | symbol, Walk>();
  for (const name of [...walks, Symbol.iterator]) {
    const original = list[name] as Walk;
    before.set(name, original);
    Object.defineProperty(list, name, { configurable: true, writable: true, value: function counted(this: readonly unknown[], ...args: unknown[]): unknown { walked += this.length; return original.apply(this, args); } });
  }
  const table = Object as unknown as Record<string, (value: object) => unknown[]>;
  const tablesBefore = listings.map((name) => [name, table[name] as (value: object) => unknown[]] as const);
  tablesBefore.forEach(([name, original]) => { table[name] = (value) => { const listed = original(value); walked += listed.length; return listed; }; });
  try {
    work();
  } finally {
    for (const [name, original] of before) Object.defineProperty(list, name, { configurable: true, writable: true, value: original });
    for (let i = 0; i < tablesBefore.length; i++) { const entry = tablesBefore[i]; if (entry) table[entry[0]] = entry[1]; }
  }
  return walked;
}
