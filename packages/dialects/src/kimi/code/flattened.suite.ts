import type { JsonObject } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { isAnchorOrigin } from './origins.js';

/*
 * What the original does before it reads a log: it throws away what is not on the active branch (kimi-transcript §7.3). Written from that prose, by recursion
 * over the whole file.
 */

interface Piece { readonly branch: string; readonly records: readonly number[]; readonly base?: { readonly branch: string; readonly line: number } | undefined }

function piecesOf(records: readonly JsonObject[]): Piece[] {
  const pieces: { branch: string; records: number[]; base?: Piece['base'] }[] = [{ branch: 'main', records: [] }];
  records.forEach((record, i) => {
    const { branch, base } = record;
    const { branch: from, line } = isJsonObject(base) ? base : {};
    const isSwitch = record['type'] === 'agent.switched' && typeof branch === 'string' && typeof from === 'string' && typeof line === 'number';
    if (isSwitch) pieces.push({ branch, records: [], base: { branch: from, line } });
    else pieces.at(-1)?.records.push(i + 1);
  });
  return pieces;
}

/** Numbers of the records on a piece's chain: its base's, cut, and its own. The base is the newest piece of that name before it. */
function chainOf(pieces: readonly Piece[], at: number): number[] {
  const piece = pieces[at];
  if (!piece) return [];
  const { base } = piece;
  if (!base) return [...piece.records];
  const before = pieces.slice(0, at).map(({ branch }) => branch).lastIndexOf(base.branch);
  return [...chainOf(pieces, before).filter((line) => line <= base.line), ...piece.records];
}

const messageOf = (record: JsonObject | undefined): JsonObject | undefined => (record?.['type'] === 'context.append_message' && isJsonObject(record['message']) ? record['message'] : undefined);
const originIn = (message: JsonObject | undefined): JsonObject | undefined => (message && isJsonObject(message['origin']) ? message['origin'] : undefined);

/** The records of the active branch, as one file. */
export function flattened(records: readonly JsonObject[]): JsonObject[] {
  const pieces = piecesOf(records);
  const told = new Set(records.flatMap((record) => (record['type'] === 'agent.switched' ? [record['legacyUndoLine']] : [])));
  const isDropped = (line: number): boolean => records[line - 1]?.['type'] === 'context.undone' || (records[line - 1]?.['type'] === 'context.undo' && told.has(line));
  const chain = chainOf(pieces, pieces.length - 1).filter((line) => !isDropped(line));
  const own = new Set(chain);
  const anchors = new Set(chain.flatMap((line) => {
    const message = messageOf(records[line - 1]);
    return message?.['role'] === 'user' && isAnchorOrigin(originIn(message)) ? [message['id']] : [];
  }));
  const added = records.flatMap((record, i) => {
    const origin = originIn(messageOf(record));
    const isKept = origin?.['kind'] === 'injection' && (origin['ownerPromptId'] === undefined || anchors.has(origin['ownerPromptId'] as string));
    return isKept && !own.has(i + 1) ? [i + 1] : [];
  });
  return [...chain, ...added].sort((a, b) => a - b).map((line) => records[line - 1]).filter((record) => record !== undefined);
}
