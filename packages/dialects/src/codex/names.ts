import type { JsonValue, PlayedLine, Player, TapeIdentity, TapeLine } from '@tapefold/facts';
import { factKey, parseFactKey } from '@tapefold/facts';
import { recordsOf } from '../records.js';
import { type Shape, misfit, present, stringAt } from '../shape.js';
import { Pen } from './pen.js';
import { initialState } from './state.js';

const nameShape: Shape = { id: 'string', thread_name: 'string' };

/** Plays `session_index.jsonl`, the side tape of names that people gave to threads: `{id, thread_name, updated_at}`, the newest line of an id counting. */
class CodexNamesPlayer implements Player {
  readonly #identity: TapeIdentity;
  readonly #state = initialState();

  constructor(identity: TapeIdentity, checkpoint?: JsonValue) {
    this.#identity = identity;
    const at = typeof checkpoint === 'string' ? parseFactKey(checkpoint) : undefined;
    if (at) this.#state.nextOrdinal = at.ordinal;
  }

  checkpoint(): JsonValue {
    return factKey(this.#identity.tape, this.#state.nextOrdinal);
  }

  play(line: TapeLine): PlayedLine {
    const found = recordsOf(line);
    if (found.isBlank) return { facts: [], account: { verdict: 'blank' } };
    if (!found.records.length) return { facts: [], account: { verdict: 'damaged', damage: found.damage } };
    const pen = new Pen(this.#identity.tape, this.#state, { line, found });
    found.records.forEach((record, index) => {
      if (misfit(record, nameShape) !== undefined) return;
      pen.begin(index);
      pen.write(present({ type: 'thread.changed' as const, at: stringAt(record, 'updated_at'), threadId: stringAt(record, 'id'), details: { name: stringAt(record, 'thread_name') ?? '' } }));
    });
    return { facts: pen.facts, account: present({ verdict: pen.facts.length ? ('played' as const) : ('unknown' as const), type: 'thread_name', repairs: found.repairs.length ? found.repairs : undefined }) };
  }
}

/** A player for the index of names; see `CodexNamesPlayer`. */
export function createCodexNamesPlayer(identity: TapeIdentity, checkpoint?: JsonValue): Player {
  return new CodexNamesPlayer(identity, checkpoint);
}
