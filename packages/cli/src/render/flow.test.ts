import type { TranscriptOperation } from '@tapefold/transcript';
import { describe, expect, it } from 'vitest';
import { createPaint } from '../text/line.js';
import { Flow } from './flow.js';

const at = { turnId: 't0', stepId: 't0.1' };
const turn = (state: 'running' | 'completed'): TranscriptOperation => ({ op: 'turn.upsert', turn: { kind: 'turn', turnId: 't0', ordinal: 0, state, origin: { kind: 'user' }, prompt: 'fix it' } });
const text = (words: string): TranscriptOperation => ({ op: 'frame.upsert', ...at, frame: { kind: 'text', frameId: 't0.1.f1', role: 'assistant', text: words } });
const append = (offset: number, words: string): TranscriptOperation => ({ op: 'append', target: { type: 'frame', ...at, frameId: 't0.1.f1' }, offset, text: words });
const call = (state: 'running' | 'done' | 'error', more: object = {}): TranscriptOperation => ({ op: 'frame.upsert', ...at, frame: { kind: 'tool', frameId: 't0.1.c', toolCallId: 'c', name: 'Bash', state, input: { command: 'ls -l' }, ...more } });

const flowing = (...ops: readonly TranscriptOperation[]): string => { const flow = new Flow(createPaint(false)); return ops.map((op) => flow.take([op])).join(''); };

describe('a transcript as flowing text', () => {
  it('prints text as it comes, each piece once, also where the whole is told again', () => {
    expect(flowing(turn('running'), text(''), append(0, 'Hel'), append(3, 'lo'), append(3, 'lo'), text('Hello'), call('running'), call('done'), turn('completed')))
      .toBe('\n› fix it\n\nHello\n• Bash ls -l\n  ✓ done\n— the turn ended\n');
  });

  it('prints a prompt when it is known, once', () => {
    const { prompt, ...header } = { kind: 'turn' as const, turnId: 't0', ordinal: 0, state: 'running' as const, origin: { kind: 'user' as const }, prompt: 'fix it' };
    expect(flowing({ op: 'turn.upsert', turn: header }, turn('running'), turn('running'), text('Done'), { op: 'turn.upsert', turn: { ...header, prompt: `${prompt} now` } }, turn('completed'))).toBe('\n› fix it\n\nDone\n— the turn ended\n');
  });

  it('[R-DIA-7] says that an outcome is unknown, and [R-SCR-8] that turns were taken back', () => {
    expect(flowing(turn('running'), call('running'), call('error', { outcome: 'unknown', error: 'x' }), { op: 'items.remove', ids: ['t0'] })).toBe('\n› fix it\n• Bash ls -l\n  ✗ the outcome is unknown\n↶ a turn was taken back\n');
  });

  it('[R-SEC-2] gives a terminal no control sequence of a transcript', () => {
    const hostile = '\u001b]8;;http://x\u0007\u001b[2Jevil\u202e';
    const out = flowing(turn('running'), text(hostile), call('running', { name: hostile, input: hostile }), { op: 'marker.upsert', item: { kind: 'marker', markerId: 'm1', marker: hostile } });
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
  });

  it('begins with the newest turn, and only counts those before it', () => {
    const flow = new Flow(createPaint(false));
    const step = { kind: 'step' as const, stepId: 't0.1', turnId: 't0', ordinal: 1, state: 'completed' as const, frames: [{ kind: 'text' as const, frameId: 't0.1.f1', role: 'assistant' as const, text: 'old' }] };
    const base = { kind: 'turn' as const, state: 'completed' as const, origin: { kind: 'user' as const } };
    expect(flow.begin([{ ...base, turnId: 't0', ordinal: 0, prompt: 'one', steps: [step] }, { ...base, turnId: 't1', ordinal: 1, prompt: 'two', steps: [] }])).toBe('… 1 earlier turn: tapefold show prints them\n\n› two\n— the turn ended\n');
    expect(flow.take([text('old')])).toBe('');
  });
});
