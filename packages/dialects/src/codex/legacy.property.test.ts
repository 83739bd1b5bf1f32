import { type CodexRecordLine, addedRecords, countedRecords, enveloped, eventRecord, fileOf, legacyModel, metaRecord, playAll, viewOfFacts } from '@tapefold/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCodexPlayer } from './player.js';

const view = (records: readonly CodexRecordLine[]) => viewOfFacts(playAll(() => createCodexPlayer({ tape: 'codex/tape' }), fileOf(records)).facts);

/** A legacy file that events tell from the first record behind `session_meta` on, and one in which they come later or never. */
const told = countedRecords.map((records) => [metaRecord(), eventRecord('task_started', { turn_id: 'T0' }), ...records]);
const toldLater = countedRecords.map((records) => [metaRecord(), ...records]);


/** What stands in for a record that the original numbers, or not, and that shows nothing of it. */
function neutral(record: CodexRecordLine): CodexRecordLine {
  return record['type'] === 'response_item' ? enveloped('world_state', { full: true, state: {} }) : eventRecord('turn_diff', { unified_diff: '' });
}

describe('legacy files are counted as the original program counts them', () => {
  it('[R-DIA-1] turn ids, item ids and the turns that a rollback drops are those of a slow reading of the specification', () => fc.assert(fc.property(fc.oneof(told, toldLater), (records) => {
    const model = legacyModel(records);
    const { turns, dropped } = view(records);
    // Where only the model's items tell what happened before the first event, we show turns that the original does not: before all of its own.
    expect({ turns: turns.slice(turns.length - model.turns.length), dropped }).toEqual(model);
  })));

  it('[R-DIA-8] what we add never counts: calls and commands move no id and no target of a rollback', () => fc.assert(fc.property(told, fc.array(fc.tuple(fc.nat(), addedRecords), { maxLength: 6 }), (records, added) => {
    const withAdded = [...records];
    const without = [...records];
    for (const [n, record] of added) {
      const at = 2 + (n % Math.max(1, withAdded.length - 1));
      withAdded.splice(at, 0, record);
      without.splice(at, 0, neutral(record));
    }
    expect(view(withAdded)).toEqual(view(without));
  })));
});
