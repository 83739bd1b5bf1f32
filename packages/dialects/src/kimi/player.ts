import type { JsonValue, Player, TapeIdentity } from '@tapefold/facts';
import { createKimiCodePlayer } from './code/player.js';

/** A player for one agent's log; the tape is named by `kimiTape`. */
export function createKimiPlayer(identity: TapeIdentity, checkpoint?: JsonValue): Player {
  return createKimiCodePlayer(identity, checkpoint);
}
