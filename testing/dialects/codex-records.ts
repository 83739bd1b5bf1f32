/** A record of a rollout. */
export type CodexRecordLine = Readonly<Record<string, unknown>>;

const AT = '2026-01-02T03:04:05.006Z';
export const THREAD_ID = '01990000-0000-7000-8000-000000000001';

/** Any record of today's envelope. */
export function enveloped(type: string, payload: unknown): CodexRecordLine {
  return { timestamp: AT, type, payload };
}
export function metaRecord(fields: Record<string, unknown> = {}): CodexRecordLine {
  return enveloped('session_meta', { id: THREAD_ID, timestamp: AT, cwd: '/w', originator: 'codex_cli_rs', cli_version: '0.150.0', source: 'cli', model_provider: 'openai', ...fields });
}
export function eventRecord(type: string, fields: Record<string, unknown> = {}): CodexRecordLine {
  return enveloped('event_msg', { type, ...fields });
}
export function responseRecord(type: string, fields: Record<string, unknown> = {}): CodexRecordLine {
  return enveloped('response_item', { type, ...fields });
}
export function itemRecord(turnId: string, item: Record<string, unknown>, fields: Record<string, unknown> = {}): CodexRecordLine {
  return eventRecord('item_completed', { thread_id: THREAD_ID, turn_id: turnId, item, completed_at_ms: 1_767_323_046_000, ...fields });
}
/** A message of the model's history. */
export function messageRecord(role: 'user' | 'assistant' | 'developer', text: string): CodexRecordLine {
  return responseRecord('message', { role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] });
}
/** Records of a paginated file, numbered as its writer numbers them. */
export function numberedRecords(records: readonly CodexRecordLine[], from = 0): CodexRecordLine[] {
  return records.map(({ timestamp, ...rest }, i) => ({ timestamp, ordinal: from + i, ...rest }));
}
