import type { FactDraft, JsonObject, JsonValue, PlayedLine, Player, TapeIdentity, TapeLine } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { penFor } from '../../pen.js';
import { recordsOf } from '../../records.js';
import { numberAt, present, stringAt } from '../../shape.js';
import { MAIN_AGENT } from '../family.js';
import { type KimiAgentState, sessionStateOf } from '../session-state.js';
import { isoOf } from './play.js';

/* The side tape of a session, `state.json`: one document that the program writes anew, so each play of it says all that it holds. */

const named = (words: string | undefined): string | undefined => words || undefined;

function agentOf(agentId: string, { kind, parentAgentId, label, role }: KimiAgentState): FactDraft {
  return present({ type: 'agent.described' as const, agentId, kind: kind ?? (agentId === MAIN_AGENT ? ('main' as const) : ('sub' as const)), parentAgentId: named(parentAgentId), name: named(label), role: named(role) });
}

/** What the document says: of the thread, where it was forked from, and its agents in the order in which they stand. */
function factsOf(raw: JsonObject, sessionId: string): FactDraft[] {
  const { title, cwd, isArchived, updatedAtMs, forkedFrom, agents } = sessionStateOf(raw);
  const at = isoOf(updatedAtMs);
  const linked: FactDraft[] = forkedFrom === undefined ? [] : [{ type: 'thread.linked', relation: 'forkOf', threadId: forkedFrom }];
  const described = Object.entries(agents).map(([agentId, agent]) => agentOf(agentId, agent));
  const changed: FactDraft = { type: 'thread.changed', threadId: stringAt(raw, 'id') ?? sessionId, details: present({ name: named(title), cwd, isArchived }) };
  return [changed, ...linked, ...described].map((draft) => present({ at, ...draft }) as FactDraft);
}

class KimiStatePlayer implements Player {
  readonly #identity: TapeIdentity;
  readonly #state = { nextOrdinal: 0 };

  constructor(identity: TapeIdentity, checkpoint?: JsonValue) {
    this.#identity = identity;
    const next = isJsonObject(checkpoint) ? numberAt(checkpoint, 'nextOrdinal') : undefined;
    if (next !== undefined) this.#state.nextOrdinal = next;
  }

  checkpoint(): JsonValue {
    return { ...this.#state };
  }

  play(line: TapeLine): PlayedLine {
    const found = recordsOf(line);
    const pen = penFor(this.#identity.tape, this.#state, { dialect: 'kimi', line, records: found.records });
    for (const raw of found.records) for (const draft of factsOf(raw, this.#identity.namedThreadId ?? '')) pen.write(draft);
    if (found.isBlank) return { facts: [], account: { verdict: 'blank' } };
    if (found.records.length) return { facts: pen.facts, account: present({ verdict: 'played' as const, type: 'session-state', repairs: found.repairs.length ? found.repairs : undefined }) };
    return { facts: [], account: present({ verdict: 'damaged' as const, damage: found.damage }) };
  }
}

/** A player for the side tape of one session; the document is one line, however it is laid out. The identity's thread id is the session's. */
export function createKimiStatePlayer(identity: TapeIdentity, checkpoint?: JsonValue): Player {
  return new KimiStatePlayer(identity, checkpoint);
}
