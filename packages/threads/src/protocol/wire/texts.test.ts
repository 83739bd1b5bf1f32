import { describe, expect, it } from 'vitest';
import { methods, readCall } from '../methods.js';
import { otherMethods } from '../other-methods.js';
import { RPC_CODE, RpcError, rpcFaultKinds } from './rpc-error.js';
import { readUuid } from './uuid-text.js';

const refusal = (method: string, params: unknown): string => {
  try {
    readCall(method, params);
  } catch (error) {
    if (error instanceof RpcError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'taken';
};

describe('texts of refusals', () => {
  it('[R-RPC-3] parameters, in the words of the original', () => {
    const cases: readonly [string, unknown, string][] = [
      ['thread/read', undefined, 'missing field `params`'], ['thread/read', null, 'missing field `params`'], ['thread/read', {}, 'missing field `threadId`'],
      ['thread/read', { threadId: null }, 'invalid type: null, expected a string'], ['thread/read', { threadId: 'x', includeTurns: null }, 'invalid type: null, expected a boolean'],
      ['thread/read', { threadId: true }, 'invalid type: boolean `true`, expected a string'], ['thread/read', { threadId: 1.5 }, 'invalid type: floating point `1.5`, expected a string'],
      ['thread/read', { threadId: [] }, 'invalid type: sequence, expected a string'], ['thread/read', { threadId: {} }, 'invalid type: map, expected a string'],
      ['thread/read', 'x', 'invalid type: string "x", expected struct ThreadReadParams'], ['thread/read', [], 'invalid length 0, expected struct ThreadReadParams with 2 elements'],
      ['thread/list', [], 'invalid length 2, expected struct ThreadListParams with 20 elements'], ['thread/list', { limit: 1.5 }, 'invalid type: floating point `1.5`, expected u32'],
      ['thread/list', { cwd: 5 }, 'data did not match any variant of untagged enum ThreadListCwdFilter'], ['thread/list', { sourceKinds: 'cli' }, 'invalid type: string "cli", expected a sequence'],
      ['thread/list', { sortDirection: 5 }, 'invalid type: integer `5`, expected string or map'], ['initialize', { clientInfo: 5 }, 'invalid type: integer `5`, expected struct ClientInfo'],
      ['initialize', { clientInfo: { version: '1' } }, 'missing field `name`'],
      // A wrong value is noticed where it stands, a missing one at the end.
      ['thread/items/read', { itemIds: 5, turnId: 5 }, 'invalid type: integer `5`, expected a sequence'], ['thread/items/read', { turnId: 'x' }, 'missing field `threadId`'],
    ];
    for (const [method, params, text] of cases) expect(refusal(method, params), `${method} ${JSON.stringify(params)}`).toBe(`${RPC_CODE.invalidRequest} Invalid request: ${text}`);
  });

  it('unknown fields are read over, limits are clamped later', () => {
    expect(refusal('thread/list', { limit: 4_000_000_000, more: 1 })).toBe('taken');
    expect(readCall('thread/read', { threadId: 'x', more: 1 })).toEqual({ method: 'thread/read', params: { threadId: 'x' } });
  });

  it('[R-RPC-2] [R-RPC-3] methods that write or run are refused as such, others as not served, unknown ones as unknown', () => {
    for (const method of ['turn/start', 'thread/start', 'thread/resume', 'thread/archive', 'thread/delete', 'thread/name/set', 'thread/revert', 'command/exec', 'fs/writeFile', 'config/value/write']) {
      expect(refusal(method, {}), method).toBe(`${RPC_CODE.unsupported} ${method} is refused: Tapefold is read-only, it neither writes to a thread nor runs anything`);
    }
    for (const method of ['model/list', 'config/read', 'hooks/list', 'getConversationSummary', 'thread/search/stream', 'thread/realtime/list']) expect(refusal(method, {}), method).toMatch(/is not supported yet: Tapefold serves/);
    expect(refusal('thread/nope', undefined)).toMatch(/^-32600 Invalid request: unknown variant `thread\/nope`, expected one of `initialize`, /);
    expect(Object.keys(methods).filter((method) => otherMethods.has(method))).toEqual([]);
  });

  it('[R-RPC-3] the error table: every entry has a text, and no two the same', () => {
    const texts = rpcFaultKinds.map((kind) => new RpcError(kind, { about: 'ABOUT' }).message);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text).not.toBe('');
  });

  it('UUIDs: every shape that the original takes, and its words for the others', () => {
    const uuid = '01990000-0000-7000-8000-00000000005a';
    for (const text of [uuid, uuid.toUpperCase(), `{${uuid}}`, `urn:uuid:${uuid}`, uuid.replaceAll('-', '')]) expect(readUuid(text), text).toEqual({ uuid });
    const cases: readonly [string, string][] = [
      ['', 'invalid length: expected length 32 for simple format, found 0'], ['bad', 'invalid length: expected length 32 for simple format, found 3'],
      ['x', 'invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `x` at 1'], ['aé', 'invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `é` at 2'],
      ['a-b', 'invalid group count: expected 5, found 2'], [uuid.slice(1), 'invalid group length in group 0: expected 8, found 7'], [`${uuid}0`, 'invalid group length in group 4: expected 12, found 13'],
      [`{${uuid.slice(0, -1)}}`, 'invalid group length in group 4: expected 12, found 11'],
    ];
    for (const [text, problem] of cases) expect(readUuid(text), text).toEqual({ problem });
  });
});
