import { CODES } from './codes.js';
import type { RestError } from './rest-error.js';

/** What every REST answer stands in. `code` 0: success. */
export interface Envelope {
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
  readonly request_id: string;
  readonly details?: unknown;
}

export function successEnvelope(data: unknown, requestId: string): Envelope {
  return { code: CODES.success, msg: 'success', data, request_id: requestId };
}

export function errorEnvelope({ code, message, details, data }: Pick<RestError, 'code' | 'message'> & Partial<Pick<RestError, 'details' | 'data'>>, requestId: string): Envelope {
  return { code, msg: message, data: data ?? null, request_id: requestId, ...(details && { details }) };
}
