import type { FactDraft, JsonObject, JsonValue, PlayedLine, Player, TapeIdentity, TapeLine } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { penFor } from '../../pen.js';
import { recordsOf } from '../../records.js';
import { booleanAt, numberAt, objectAt, present, stringAt } from '../../shape.js';
import { MAIN_AGENT } from '../family.js';
import { isoOf } from './play.js';

/* The side tape of a session, `state.json`: one document that the program writes anew, so each play of it says all that it holds. */

/** Not empty, as names have to be. */
const nameAt = (from: JsonObject, key: string): string | undefined => stringAt(from, key) || undefined;

const agentKinds = { main: 'main', sub: 'sub', independent: 'independent' } as const;

function agentOf(agentId: string, raw: JsonObject): FactDraft {
  const labels = objectAt(raw, 'labels') ?? {};
  const type = stringAt(raw, 'type') ?? '';
  const kind = Object.hasOwn(agentKinds, type) ? agentKinds[type as keyof typeof agentKinds] : agentId === MAIN_AGENT ? ('main' as const) : ('sub' as const);
  return present({
    type: 'agent.described' as const, agentId, kind, parentAgentId: nameAt(labels, 'parentAgentId') ?? nameAt(raw, 'parentAgentId'), name: nameAt(labels, 'swarmItem') ?? nameAt(raw, 'swarmItem'), role: nameAt(labels, 'profileName'),
    createdAt: isoOf(numberAt(raw, 'createdAt')) ?? stringAt(raw, 'createdAt'),
  });
}

/** Older documents say the folder elsewhere. */
function folderOf(raw: JsonObject): string | undefined {
  return stringAt(raw, 'cwd') ?? stringAt(raw, 'workDir') ?? stringAt(objectAt(raw, 'custom') ?? {}, 'cwd');
}

/** What the document says: of the thread, where it was forked from, and its agents in the order in which they stand. */
function factsOf(raw: JsonObject, sessionId: string): FactDraft[] {
  const at = isoOf(numberAt(raw, 'updatedAt')) ?? stringAt(raw, 'updatedAt');
  const details = present({ name: nameAt(raw, 'title'), cwd: folderOf(raw), isArchived: booleanAt(raw, 'archived') ?? booleanAt(objectAt(raw, 'custom') ?? {}, 'archived') });
  const from = nameAt(raw, 'forkedFrom');
  const linked: FactDraft[] = from === undefined ? [] : [{ type: 'thread.linked', relation: 'forkOf', threadId: from }];
  const agents = Object.entries(objectAt(raw, 'agents') ?? {}).flatMap(([agentId, one]) => (isJsonObject(one) ? [agentOf(agentId, one)] : []));
  return [{ type: 'thread.changed' as const, threadId: stringAt(raw, 'id') ?? sessionId, details }, ...linked, ...agents].map((draft) => present({ at, ...draft }) as FactDraft);
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
