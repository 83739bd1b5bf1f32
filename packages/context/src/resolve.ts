import { type JsonObject, type JsonValue, type LineSpan, type ModelItem, type Native, type RecordPath, type TapeId, isJsonObject, restoreLarge } from '@tapefold/facts';
import type { ContextEntry } from './arrange.js';

/** Where a value stands: a record of a line of a tape, and the way to it inside the record. */
export interface RecordPlace {
  readonly tape: TapeId;
  readonly line: LineSpan;
  readonly record: number;
  readonly path: RecordPath;
}

/** Reads back what facts only point to. The context itself reads nothing. */
export interface ContextReader {
  /** The value at a place; undefined where the tape no longer has it. Must not throw. */
  value(place: RecordPlace): JsonValue | undefined;
  /** The neutral form of a record of a dialect's, for lists that stand only in the file. */
  modelItem?(raw: JsonObject, native: Native): ModelItem | undefined;
}

function wholeTexts(entry: ContextEntry, reader: ContextReader): ModelItem {
  const { item, large, prefix } = entry;
  if (!large) return item;
  const read = (place: RecordPlace): string | undefined => {
    const value = reader.value(place);
    return typeof value === 'string' ? value : undefined;
  };
  return restoreLarge(item, { refs: large, read, prefix });
}

function wholeNative(native: Native, reader: ContextReader): Native {
  if (!('span' in native)) return native;
  const raw = reader.value(native.span);
  return raw === undefined ? native : { dialect: native.dialect, raw };
}

/** An item of a list that was left in the file, once its record is read. */
function unpacked(item: ModelItem, native: Native, reader: ContextReader): ModelItem {
  const raw = 'raw' in native && isJsonObject(native.raw) ? native.raw : undefined;
  if (item.kind !== 'other' || item.type !== '' || !raw) return { ...item, native };
  return reader.modelItem?.(raw, native) ?? { kind: 'other', type: typeof raw['type'] === 'string' ? raw['type'] : '', native };
}

/** The entry with its large texts and its native record read back; what can no longer be read stays as it stood in. */
export function resolveEntry(entry: ContextEntry, reader: ContextReader): ContextEntry {
  const item = wholeTexts(entry, reader);
  const isSame = item === entry.item && !(item.native && 'span' in item.native);
  return isSame ? entry : { ...entry, item: item.native ? unpacked(item, wholeNative(item.native, reader), reader) : item };
}
