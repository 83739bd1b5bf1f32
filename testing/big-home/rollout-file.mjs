// @ts-check
import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from 'node:fs';
import { join } from 'node:path';
/** @import { Chance } from './chance.mjs' */

/** @typedef {'legacy' | 'paginated'} HistoryMode */

const FLUSH_UNITS = 1_048_576;

/** One rollout file under writing: lines with ascending times and, in paginated files, ordinals. */
export class RolloutFile {
  #chance;
  #fd;
  #held = '';
  #ordinal = 0;
  bytes = 0;
  lines = 0;

  /** @param {string} home @param {Chance} chance @param {{ mode: HistoryMode, startMs: number, isArchived?: boolean }} made */
  constructor(home, chance, { mode, startMs, isArchived = false }) {
    const iso = new Date(startMs).toISOString();
    this.#chance = chance;
    this.mode = mode;
    this.clockMs = startMs;
    this.createdAt = iso;
    this.id = chance.uuid7(startMs);
    const folder = isArchived ? join(home, 'archived_sessions') : join(home, 'sessions', ...iso.slice(0, 10).split('-'));
    mkdirSync(folder, { recursive: true });
    this.path = join(folder, `rollout-${iso.slice(0, 19).replaceAll(':', '-')}-${this.id}.jsonl`);
    this.#fd = openSync(this.path, 'w');
  }

  /** @param {string} type @param {object} payload */
  line(type, payload) {
    this.clockMs += 15 + this.#chance.below(250);
    const timestamp = new Date(this.clockMs).toISOString();
    const text = `${JSON.stringify(this.mode === 'paginated' ? { timestamp, ordinal: this.#ordinal++, type, payload } : { timestamp, type, payload })}\n`;
    this.bytes += Buffer.byteLength(text);
    this.lines += 1;
    this.#held += text;
    if (this.#held.length > FLUSH_UNITS) this.#flush();
  }

  /** @param {string} type @param {object} [fields] */
  event(type, fields = {}) {
    this.line('event_msg', { type, ...fields });
  }

  /** An item of the model's history. @param {string} type @param {object} fields */
  model(type, fields) {
    this.line('response_item', { type, ...fields });
  }

  /** Ends the file; its time of change is that of its last line, so that a list has an order. */
  close() {
    this.#flush();
    closeSync(this.#fd);
    utimesSync(this.path, this.clockMs / 1000, this.clockMs / 1000);
  }

  #flush() {
    writeSync(this.#fd, this.#held);
    this.#held = '';
  }
}
