import { Buffer } from 'node:buffer';

/** Stands for a byte that is no text; of as many bytes as what it becomes. */
const BAD = '\ue000';

/** Ways in which a line is spoiled; those from `TAME_WAYS` on leave many a rollout a map. */
export const SPOILED_WAYS = 28;
export const TAME_WAYS = 5;

const numberedBehind = (line: string): Record<string, unknown> => {
  const record = JSON.parse(line) as Record<string, unknown>;
  return { ...record, ordinal: Number(record['ordinal']) * 10 + 5 };
};
/** The record with its keys the other way round: as no writer puts it. */
const turnedRound = (line: string): string => JSON.stringify(Object.fromEntries(Object.entries(numberedBehind(line)).reverse()));
const bareCall = (line: string): string => `{"type":"function_call","name":"exec_command","arguments":"{}","call_id":"${/call_[0-9a-f]+/.exec(line)?.[0] ?? 'call_0'}"}`;
const beforeLastQuote = (line: string, text: string): string => line.replace(/"(?=[^"]*$)/, () => `${text}"`);

/** Bytes of a line that look whole at both ends, in another form, or are not. */
export function spoil(line: string, how: number): string {
  switch (how) {
    case 0: return line.replace(/"ordinal":\d+,/, '');
    case 1: return line.replace(/"ordinal":\d+/, '"ordinal":1');
    case 2: return line.slice(0, line.length >> 1);
    case 3: return `${line.slice(0, line.length >> 1)}${line}`;
    case 4: return `${line}${line.replace(/"ordinal":(\d+)/, (_, ordinal: string) => `"ordinal":${ordinal}5`)}`;
    case 5: return line.replace(/turn-/g, 'turn\\u002d');
    case 6: return line.replace('"payload":{', '"payload":{"more":{"turn_id":"turn-0","call_id":"call_0"},');
    case 7: return line.replace(/("payload":\{"type":"[a-z_]+",)/, '$1"more":{"turn_id":"turn-0","call_id":"call_0"},');
    case 8: return line.replace(/"payload":\{"type":"([a-z_]+)",(.*)\}\}$/, '"payload":{$2,"type":"$1"}}');
    case 9: return line.replace(/words/, '\\ud800');
    case 10: return line.replace(/"timestamp":"[^"]*",/, '');
    case 11: return beforeLastQuote(line, BAD);
    case 12: return beforeLastQuote(line, '\\ud800');
    case 13: return `${line}\r`;
    case 14: return `${line}${turnedRound(line)}`;
    case 15: return `${line} ${turnedRound(line)}`;
    case 16: return `${line}\u0000\u0000${JSON.stringify(numberedBehind(line))}`;
    case 17: return `${line}${bareCall(line)}`;
    case 18: return `\n${line}`;
    case 19: return `\u0000\u0000${line}`;
    case 20: return `\ufeff${line}`;
    case 21: return line.replaceAll('":', '": ');
    case 22: return line.replaceAll('turn_id":"', 'turn_id": "');
    case 23: return line.replaceAll('"turn_id"', '"turn\\u005fid"');
    case 24: return line.replace(/"ordinal":(\d+)/, (_, ordinal: string) => `"ordinal":${ordinal}.5`);
    case 25: return line.replace(/"timestamp":"[^"]*"/, '"timestamp":7');
    case 26: return `${line}words`;
    default: return `${line.slice(0, -2)},"deep":${'['.repeat(600)}${']'.repeat(600)}}}`;
  }
}

/** Text as bytes, those that are none among them. */
export function spoiledBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  for (let at = bytes.indexOf(BAD); at >= 0; at = bytes.indexOf(BAD, at)) bytes[at] = 0xff;
  return bytes;
}
