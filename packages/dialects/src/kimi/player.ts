import type { JsonValue, Player, PlayedLine, TapeIdentity, TapeLine } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { recordsOf } from '../records.js';
import { createKimiCliPlayer, kimiCliCheckpoint } from './cli/player.js';
import { createKimiCodePlayer } from './code/player.js';
import { type KimiFamily, kimiFamilyOf } from './family.js';

/** A log's identity, and whose log it is where its place says that; otherwise the first record that tells does. */
export interface KimiTapeIdentity extends TapeIdentity {
  readonly family?: KimiFamily | undefined;
}

interface Checkpoint { readonly family: KimiFamily | null; readonly facts: number; readonly state: JsonValue }

function isCheckpoint(value: JsonValue | undefined): value is JsonValue & Checkpoint {
  return isJsonObject(value) && 'state' in value && typeof value['facts'] === 'number' && (value['family'] === null || value['family'] === 'code' || value['family'] === 'cli');
}

/** Plays a log of either family. Lines before the first that tells hold no record of either: what they give is the same for both. */
class KimiPlayer implements Player {
  readonly #identity: TapeIdentity;
  #family: KimiFamily | null;
  #facts: number;
  #player: Player;

  constructor({ family, ...identity }: KimiTapeIdentity, checkpoint?: JsonValue) {
    const stored = isCheckpoint(checkpoint) ? checkpoint : undefined;
    this.#identity = identity;
    this.#family = stored?.family ?? family ?? null;
    this.#facts = stored?.facts ?? 0;
    this.#player = this.#family === 'cli' ? createKimiCliPlayer(identity, stored?.state) : createKimiCodePlayer(identity, stored?.state);
  }

  checkpoint(): JsonValue {
    return { family: this.#family, facts: this.#facts, state: this.#player.checkpoint() };
  }

  play(line: TapeLine): PlayedLine {
    if (this.#family === null) this.#tell(line);
    const played = this.#player.play(line);
    this.#facts += played.facts.length;
    return played;
  }

  #tell(line: TapeLine): void {
    this.#family = recordsOf(line).records.flatMap((record) => kimiFamilyOf(record) ?? [])[0] ?? null;
    if (this.#family === 'cli') this.#player = createKimiCliPlayer(this.#identity, kimiCliCheckpoint(this.#facts));
  }
}

/** A player for one agent's log, or for a history where there is no log; the tape is named by `kimiTape`. */
export function createKimiPlayer(identity: KimiTapeIdentity, checkpoint?: JsonValue): Player {
  return new KimiPlayer(identity, checkpoint);
}
