import { assertNever } from '@tapefold/facts';
import { StoreError } from '@tapefold/store';
import { TapeError } from '@tapefold/tapes';
import { RpcError } from '@tapefold/threads';

function ofStore(error: StoreError): RpcError {
  switch (error.code) {
    case 'threadNotFound': case 'ambiguousId': case 'noThreads': case 'noId': case 'fileNotFound': case 'notInHomes': return new RpcError('threadNotLoaded', { about: error.detail.id });
    case 'homeNotFound': case 'damagedSource': case 'storeTooNew': case 'storeDamaged': case 'storeBusy': case 'storeFull': case 'storeUnusable': case 'leaseLost': case 'rewritten': return new RpcError('unreadable', { about: error.message });
    case 'positionBehindEnd': case 'emptyQuery': case 'queryTooLong': return new RpcError('invalidRequest', { about: error.message });
    default: return assertNever(error.code);
  }
}

/** The one place where errors of the packages below become JSON-RPC errors. */
export function rpcErrorOf(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof StoreError) return ofStore(error);
  if (error instanceof TapeError) return new RpcError('unreadable', { about: error.message });
  return new RpcError('internal', { about: error instanceof Error ? error.message : String(error) });
}
