import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../fixtures/kimi/', import.meta.url));
const recorded = join(root, 'recorded/2.1.0');

/** Operations as the real server dispatched them for the main agent of one session while it ran. */
export interface KimiRun {
  /** Where it was recorded, below `fixtures/kimi`. */
  readonly name: string;
  readonly sessionId: string;
  /** Numbered from 1, without holes, as JSON. */
  readonly batches: readonly { readonly seq: number; readonly ops: readonly unknown[] }[];
  /** What the real server answered last about the whole transcript. */
  readonly answer: unknown;
}

type Json = Readonly<Record<string, unknown>>;
type Batches = KimiRun['batches'];
interface Line { readonly conn?: string; readonly dir?: string; readonly path?: string; readonly response?: { readonly data: Json }; readonly frame?: { readonly type: string; readonly payload?: Json } }

const dataOf = (path: string): Json => (JSON.parse(readFileSync(path, 'utf8')) as { readonly data: Json }).data;
const sessionIn = (path: string): string => /session_[0-9a-f-]{36}/.exec(path)![0];

/** Batches that were answered or sent, each number once. Of the connections only the one at grade `delta` was sent all of every batch. */
function tracedBatches(lines: readonly Line[]): Batches {
  const answered = lines.flatMap(({ path, response }) => (path !== undefined && path.includes('/transcript/ops?') ? response!.data['batches'] as Batches : []));
  const sent = lines.flatMap(({ conn, dir, frame }) => (conn === 'delta' && dir === 'in' && frame?.type === 'transcript.ops' ? [frame.payload as unknown as Batches[number]] : []));
  return [...new Map([...sent, ...answered].map(({ seq, ops }) => [seq, { seq, ops }])).values()].sort((a, b) => a.seq - b.seq);
}

function traced(file: string): KimiRun {
  const lines = readFileSync(join(root, 'traces', file), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Line);
  const { path, response } = lines.filter((line) => line.path?.includes('/transcript?') === true).at(-1)!;
  return { name: `traces/${file}`, sessionId: sessionIn(path!), batches: tracedBatches(lines), answer: response!.data };
}

function heldIn(scenario: string): KimiRun[] {
  const golden = join(recorded, scenario, 'golden');
  return readdirSync(golden).filter((file) => /^live\..*\.ops\.json$/.test(file)).sort().map((file) => {
    const sessionId = sessionIn(file);
    return { name: `recorded/2.1.0/${scenario} ${sessionId}`, sessionId, batches: dataOf(join(golden, file))['batches'] as Batches, answer: dataOf(join(golden, `live.${sessionId}.transcript.json`)) };
  });
}

/** Every recorded run whose operations were recorded: the traces, and the sessions that a server still held. */
export function kimiRuns(): readonly KimiRun[] {
  return [...readdirSync(join(root, 'traces')).filter((file) => file.endsWith('.jsonl')).sort().map(traced), ...readdirSync(recorded).sort().flatMap(heldIn)];
}

/** Recorded homes of Kimi Code, with finished files. */
export function kimiHomes(): readonly string[] {
  return [join(root, 'handmade/home'), ...readdirSync(recorded).sort().map((scenario) => join(recorded, scenario, 'home'))];
}
