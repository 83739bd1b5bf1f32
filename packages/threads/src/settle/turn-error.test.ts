import { describe, expect, it } from 'vitest';
import { codexErrorInfo, turnErrorObject } from './turn-error.js';

describe('[R-THR-1] errors of turns', () => {
  it('have their kind in the protocol\'s words', () => {
    expect([codexErrorInfo('usage_limit_exceeded'), codexErrorInfo('other'), codexErrorInfo('tomorrows_word'), codexErrorInfo(undefined), codexErrorInfo(null)]).toEqual(['usageLimitExceeded', 'other', 'other', null, null]);
  });

  it('keep the details of kinds that have some, absent ones as null', () => {
    expect(codexErrorInfo({ http_connection_failed: { http_status_code: 502 } })).toEqual({ httpConnectionFailed: { httpStatusCode: 502 } });
    expect(codexErrorInfo({ response_stream_disconnected: {} })).toEqual({ responseStreamDisconnected: { httpStatusCode: null } });
    expect(codexErrorInfo({ active_turn_not_steerable: { turn_kind: 'review' } })).toEqual({ activeTurnNotSteerable: { turnKind: 'review' } });
    expect(codexErrorInfo({ unheard_of: {} })).toBe('other');
  });

  it('take the agent\'s own kind where there is no code, and write details as text', () => {
    expect(turnErrorObject({ message: 'm', kind: 'server_overloaded', details: { a: 1 } })).toEqual({ message: 'm', codexErrorInfo: 'serverOverloaded', additionalDetails: '{"a":1}', misalignment: null });
  });

  it('survive details that nest too deep to be written', () => {
    let details = null as unknown as Parameters<typeof codexErrorInfo>[0];
    for (let i = 0; i < 100_000; i++) details = [details ?? null];
    expect(turnErrorObject({ message: 'm', code: details, details })).toMatchObject({ codexErrorInfo: 'other', additionalDetails: null });
  });
});
