import { type TranscriptFrame, type TranscriptMarker, type TranscriptOperation, type TranscriptTurn, type TurnHeader } from '@tapefold/transcript';
import type { Paint } from '../text/line.js';
import { safeLine, safeLines } from '../text/safe-text.js';

/** Characters of a call's arguments, or of its error, that fit into its line. */
const CALL_CHARS = 100;

const cut = (text: string): string => (text.length > CALL_CHARS ? `${text.slice(0, CALL_CHARS - 1)}…` : text);

function argumentsOf(input: unknown): string {
  if (input === undefined) return '';
  if (typeof input === 'string') return cut(safeLine(input));
  const fields = typeof input === 'object' && input !== null && !Array.isArray(input) ? Object.values(input) : [];
  const [only] = fields;
  return cut(safeLine(fields.length === 1 && typeof only === 'string' ? only : JSON.stringify(input)));
}

const endings: Readonly<Partial<Record<TurnHeader['state'], string>>> = { completed: 'the turn ended', failed: 'the turn failed', cancelled: 'the turn was cancelled' };

/**
 * A transcript's operations as text that flows: what was printed stays, and each operation adds what is new. Of a text that is replaced only what it has
 * more than before is printed, since a terminal's past cannot be taken back; the same goes for turns that fall, which are told. Raw reasoning is not shown.
 */
export class Flow {
  readonly #paint: Paint;
  /** Of frames: characters that were printed, or how a call stood. */
  readonly #printed = new Map<string, number | string>();
  readonly #turns = new Map<string, TurnHeader['state']>();
  /** Turns whose prompt was printed: some sessions say it after the turn's beginning. */
  readonly #prompted = new Set<string>();
  readonly #markers = new Set<string>();
  /** The frame whose line is not ended yet. */
  #open: string | undefined;
  #out = '';

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  /** What these operations add. */
  take(ops: readonly TranscriptOperation[]): string {
    for (const op of ops) this.#take(op);
    const out = this.#out;
    this.#out = '';
    return out;
  }

  /** Items that stand already: the newest turn is printed, of the others only that they are there. */
  begin(turns: readonly TranscriptTurn[]): string {
    for (const turn of turns.slice(0, -1)) this.#passOver(turn);
    if (turns.length > 1) this.#line([{ text: `… ${turns.length - 1} earlier ${turns.length === 2 ? 'turn' : 'turns'}: tapefold show prints them`, tone: 'dim' }]);
    for (const turn of turns.slice(-1)) this.#whole(turn);
    return this.take([]);
  }

  #take(op: TranscriptOperation): void {
    switch (op.op) {
      case 'turn.upsert': return this.#turn(op.turn);
      case 'frame.upsert': return this.#frame(op.frame);
      case 'append': if (op.target.type === 'frame') this.#text(op.target.frameId, op.offset, op.text); return undefined;
      case 'marker.upsert': return this.#marker(op.item);
      case 'interaction.upsert':
        if (op.interaction.state === 'pending') this.#line([{ text: op.interaction.interactionKind === 'approval' ? '? an approval is awaited' : '? an answer is awaited', tone: 'warn' }]);
        return undefined;
      case 'items.remove': return this.#fall(op.ids);
      case 'reset': for (const item of op.snapshot.items) { if (item.kind === 'turn') this.#whole(item); else if (item.kind === 'marker') this.#marker(item); } return undefined;
      case 'step.upsert': case 'taskref.upsert': case 'task.upsert': case 'attachment.upsert': case 'todo.upsert': case 'prompt.upsert': case 'meta.merge': return undefined;
    }
  }

  #whole({ steps, ...header }: TranscriptTurn): void {
    if (!this.#turns.has(header.turnId)) this.#turn({ ...header, state: 'running' });
    for (const { frames } of steps) for (const frame of frames) this.#frame(frame);
    this.#turn(header);
  }

  #passOver({ steps, turnId, state }: TranscriptTurn): void {
    this.#turns.set(turnId, state);
    this.#prompted.add(turnId);
    for (const { frames } of steps) for (const frame of frames) this.#printed.set(frame.frameId, frame.kind === 'text' || frame.kind === 'thinking' ? frame.text.length : 'done');
  }

  #turn({ turnId, state, prompt, error }: TurnHeader): void {
    const before = this.#turns.get(turnId);
    this.#turns.set(turnId, state);
    if (before === undefined) this.#line([]);
    this.#prompt(turnId, prompt);
    const ending = endings[state];
    if (ending !== undefined && before !== state && before !== undefined) this.#line([{ text: `— ${ending}${error === undefined ? '' : `: ${safeLine(error)}`}`, tone: state === 'completed' ? 'dim' : 'bad' }]);
  }

  #prompt(turnId: string, prompt: string | undefined): void {
    if (prompt === undefined || this.#prompted.has(turnId)) return;
    this.#prompted.add(turnId);
    for (const [at, line] of safeLines(prompt).entries()) this.#line([{ text: `${at === 0 ? '› ' : '  '}${line}`, tone: 'prompt' }]);
  }

  #frame(frame: TranscriptFrame): void {
    switch (frame.kind) {
      case 'text': return this.#text(frame.frameId, 0, frame.text);
      case 'thinking': if (!this.#printed.has(frame.frameId)) { this.#printed.set(frame.frameId, 'hidden'); this.#line([{ text: '· thinking', tone: 'dim' }]); } return undefined;
      case 'notice': if (!this.#printed.has(frame.frameId)) { this.#printed.set(frame.frameId, 'done'); this.#line([{ text: `! ${safeLine(frame.message)}`, tone: frame.level === 'error' ? 'bad' : 'warn' }]); } return undefined;
      case 'tool': {
        if (frame.name === '') return undefined;
        const before = this.#printed.get(frame.frameId);
        this.#printed.set(frame.frameId, frame.state);
        if (before === undefined) this.#line([{ text: `• ${safeLine(frame.name)}`, tone: 'accent' }, ` ${argumentsOf(frame.input)}`]);
        if (before === frame.state || frame.state === 'running') return undefined;
        const what = frame.outcome === 'unknown' ? 'the outcome is unknown' : cut(safeLine(frame.error ?? 'it failed'));
        return this.#line([frame.state === 'done' ? { text: '  ✓ done', tone: 'good' } : { text: `  ✗ ${what}`, tone: 'bad' }]);
      }
    }
  }

  /** Prints what of a text is not printed yet. Appends of frames that are hidden, or came before their frame, print nothing. */
  #text(frameId: string, offset: number, text: string): void {
    const printed = this.#printed.get(frameId) ?? 0;
    if (typeof printed === 'string' || offset > printed) return;
    const fresh = text.slice(printed - offset);
    this.#printed.set(frameId, Math.max(printed, offset + text.length));
    if (fresh === '') return;
    if (this.#open !== frameId) { this.#endLine(); this.#out += '\n'; }
    this.#open = frameId;
    this.#out += safeLines(fresh).map((line) => this.#paint([line])).join('\n');
  }

  #marker({ markerId, marker }: TranscriptMarker): void {
    if (this.#markers.has(markerId)) return;
    this.#markers.add(markerId);
    this.#line([{ text: `── ${safeLine(marker)}`, tone: 'dim' }]);
  }

  #fall(ids: readonly string[]): void {
    const fallen = ids.filter((id) => this.#turns.delete(id));
    if (fallen.length > 0) this.#line([{ text: `↶ ${fallen.length === 1 ? 'a turn was' : `${fallen.length} turns were`} taken back`, tone: 'warn' }]);
    // The numbers of turns that fell are given again.
    for (const id of fallen) this.#prompted.delete(id);
    for (const frameId of this.#printed.keys()) if (fallen.some((id) => frameId.startsWith(`${id}.`))) this.#printed.delete(frameId);
  }

  #line(line: Parameters<Paint>[0]): void {
    this.#endLine();
    this.#out += `${this.#paint(line)}\n`;
  }

  #endLine(): void {
    if (this.#open !== undefined) this.#out += '\n';
    this.#open = undefined;
  }
}
