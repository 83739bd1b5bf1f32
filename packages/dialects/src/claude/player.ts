import type { JsonObject, JsonValue, PlayedLine, Player, TapeIdentity, TapeLine } from '@tapefold/facts';
import { type RecordAccount, accountOf } from '../line-account.js';
import { recordsOf } from '../records.js';
import { type Stage, playChainLine } from './chain.js';
import { type ClaudeLine, openLine } from './line.js';
import { penFor } from '../pen.js';
import type { Play } from './play.js';
import { playSideLine } from './side-lines.js';
import { type ClaudeState, type NodeState, type RunState, initialState, isClaudeState } from './state.js';
import { ClaudeTree } from './tree.js';

/*
 * A session file of Claude Code: a tree of lines that the program appends to, and lines beside it.
 *
 *   line ── has a uuid ──► tree: parent, run (the session's own, or a sub-agent's)   ── chain.ts, attach.ts, tree.ts
 *     │                      │ the chain to the newest line moves                    ── history.ts
 *     │                      ▼ facts of what the line says                           ── user.ts, assistant.ts, system.ts, attachments.ts
 *     └── has none ──► titles, the queue, which leaf is alive                        ── side-lines.ts
 *
 * Facts of sub-agents whose lines stand in their parent's file carry `agent`; all others are the thread's own.
 */

/** A line beside the tree hangs nowhere. */
const nowhere: NodeState = {
  uuid: '', kind: 'other', run: 0, parent: -1, timeMs: 0, digest: '', turn: -1, step: -1, spans: [], items: [], inputs: [], entries: [], hasWords: false, isLive: false, isHidden: false, isUnread: false, isUnsaid: false,
};

/** Plays session files and sub-agent files of every version. `checkpoint` is what an earlier player of the same tape gave out; one that is none starts anew. */
class ClaudePlayer implements Player {
  readonly #identity: TapeIdentity;
  readonly #state: ClaudeState;
  readonly #tree: ClaudeTree;

  constructor(identity: TapeIdentity, checkpoint?: JsonValue) {
    this.#identity = identity;
    this.#state = isClaudeState(checkpoint) ? (JSON.parse(JSON.stringify(checkpoint)) as ClaudeState) : initialState();
    this.#tree = new ClaudeTree(this.#state);
  }

  checkpoint(): JsonValue {
    return JSON.parse(JSON.stringify(this.#state)) as JsonValue;
  }

  play(line: TapeLine): PlayedLine {
    const found = recordsOf(line);
    const pen = penFor(this.#identity.tape, this.#state, { dialect: 'claude', line, records: found.records });
    const stage: Stage = { identity: this.#identity, state: this.#state, tree: this.#tree, pen };
    const accounts = found.records.map((raw, index) => playRecord(stage, raw, index));
    if (found.damage !== undefined && found.damage !== 'tornTail' && line.isTerminated) {
      pen.write({ type: 'record.damaged', reason: found.damage, excerpt: (line.text ?? '').slice(0, 200) });
    }
    return { facts: pen.facts, account: accountOf(found, accounts) };
  }
}

function playRecord(stage: Stage, raw: JsonObject, index: number): RecordAccount {
  const line = openLine(raw, index);
  const verdict = line.kind === undefined ? playSideLine(beside(stage, line)) : playChainLine(stage, line);
  return { verdict, name: line.name };
}

function beside(stage: Stage, line: ClaudeLine): Play {
  return { ...stage, line, node: { ...nowhere, spans: [], items: [], inputs: [], entries: [] }, at: -1, run: stage.state.runs[0] as RunState };
}

/** Names a Claude tape by what its file is called: a session's UUID, `<session>/<agent id>`. */
export const claudeTape = (name: string): string => `claude/${name}`;

/** A player for one session file or sub-agent file; the identity's thread id is the file's UUID, or the agent's id. */
export function createClaudePlayer(identity: TapeIdentity, checkpoint?: JsonValue): Player {
  return new ClaudePlayer(identity, checkpoint);
}
