import type { ContentPart, ItemStatus, JsonValue } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { innerJson } from '../json-text.js';
import { finite, numberAt, objectAt, present, stringAt } from '../shape.js';

/** What the output of a call says of its end, as far as the program's own wording tells. */
export interface CallOutcome {
  readonly text: string;
  readonly parts: readonly ContentPart[];
  readonly status: ItemStatus;
  readonly exitCode?: number;
  readonly durationMs?: number | undefined;
  /** The command goes on in the background under this session id. */
  readonly runsAs?: string;
}

/** `output` of a call: a text, a list of parts, or (old files) `{content, success}`. */
export function outputPartsOf(output: JsonValue | undefined): ContentPart[] {
  if (typeof output === 'string') return [{ kind: 'text', text: output }];
  if (isJsonObject(output)) return outputPartsOf(output['content'] ?? output['content_items']);
  if (!Array.isArray(output)) return [];
  return output.filter(isJsonObject).map((part): ContentPart => {
    switch (stringAt(part, 'type')) {
      case 'input_text': case 'output_text': case 'text': return { kind: 'text', text: stringAt(part, 'text') ?? '' };
      case 'input_image': return present({ kind: 'image' as const, source: present({ url: stringAt(part, 'image_url'), fileId: stringAt(part, 'file_id') }), detail: stringAt(part, 'detail') });
      case 'input_audio': return { kind: 'audio', source: present({ url: stringAt(part, 'audio_url'), fileId: stringAt(part, 'file_id') }) };
      case 'encrypted_content': return { kind: 'encrypted', data: stringAt(part, 'encrypted_content') ?? '' };
      default: return { kind: 'other', raw: part };
    }
  });
}

/** Old outputs are JSON in a string: `{"output":…,"metadata":{exit_code,duration_seconds}}`. */
function unwrapped(text: string): { text: string; exitCode?: number; durationMs?: number } | undefined {
  if (!text.startsWith('{')) return undefined;
  const value = innerJson(text);
  if (!isJsonObject(value) || typeof value['output'] !== 'string') return undefined;
  const metadata = objectAt(value, 'metadata') ?? {};
  const seconds = numberAt(metadata, 'duration_seconds');
  return present({ text: value['output'], exitCode: numberAt(metadata, 'exit_code'), durationMs: seconds === undefined ? undefined : finite(Math.round(seconds * 1000)) });
}

/** Lines that the program puts before a command's own output, up to `Output:`. */
const HEADER_CHARS = 600;
function headed(text: string): { text: string; exitCode?: number; durationMs?: number; runsAs?: string } | undefined {
  const header = /^(?:[^\n]*\n){0,8}?Output:(?:\n|$)/.exec(text.slice(0, HEADER_CHARS))?.[0];
  if (header === undefined) return undefined;
  const exit = /(?:^|\n)(?:Exit code: |Process exited with code )(-?\d+)/.exec(header)?.[1];
  const seconds = /(?:^|\n)Wall time: ([\d.]+) seconds?/.exec(header)?.[1];
  return present({
    text: text.slice(header.length), exitCode: finite(exit === undefined ? undefined : Number(exit)), durationMs: finite(seconds === undefined ? undefined : Math.round(Number(seconds) * 1000)),
    runsAs: /(?:^|\n)Process running with session ID (\d+)/.exec(header)?.[1],
  });
}

const aborted = /^(?:Wall time: [\d.]+ seconds?\n)?aborted by user(?: after [\d.]+s)?\s*$|^aborted$/;
const declined = /^(?:patch rejected by user|exec command rejected by user|command rejected by user|rejected by user)|Rejected\(\\?"rejected by user\\?"\)/;
const timedOut = /^(?:command timed out|Command timed out after)/;
const failed = /^(?:unsupported call: |failed to parse function arguments: |exec_command failed|write_stdin failed|apply_patch verification failed|execution error|failed in sandbox|unable to locate image|tool call error|error: |err: )/i;

function statusOfText(text: string, exitCode: number | undefined): ItemStatus {
  const head = text.slice(0, HEADER_CHARS);
  if (aborted.test(head)) return 'interrupted';
  if (declined.test(head)) return 'declined';
  if (timedOut.test(head)) return 'timedOut';
  if (exitCode !== undefined) return exitCode === 0 ? 'completed' : 'failed';
  return failed.test(head) ? 'failed' : 'completed';
}

/** Reads the end of a call from its output. `success: false` (old files) counts as failed where the text says nothing nearer. */
export function outcomeOf(output: JsonValue | undefined): CallOutcome {
  const parts = outputPartsOf(output);
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const inner = unwrapped(text);
  const body = inner ?? headed(text) ?? { text };
  const status = statusOfText(inner ? inner.text : text, body.exitCode);
  const isRefused = isJsonObject(output) && output['success'] === false && status === 'completed';
  return { parts, ...body, status: isRefused ? 'failed' : status };
}

