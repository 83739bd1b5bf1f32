import { Buffer } from 'node:buffer';
import type { JsonValue } from '@tapefold/facts';
import { checkCheckpoints, checkFacts, checkLinksAreAlive, checkPrefixes, codexRollouts, linesOf, minimal, mutated, randomFrom } from '@tapefold/testing';
import { it } from 'vitest';
import { createCodexPlayer } from './player.js';
const make = (checkpoint?: JsonValue) => createCodexPlayer({ tape: 'codex/tape', namedThreadId: 'named', namedCreatedAt: '2026-01-01T00:00:00' }, checkpoint);
function checkAll(bytes: Uint8Array, s: number): void {
  const { facts } = checkFacts(make, bytes);
  checkLinksAreAlive(facts);
  checkCheckpoints(make, bytes, randomFrom(s));
  checkPrefixes(make, bytes, { everyByteBelow: 1500, random: randomFrom(s + 1), count: 10 });
}
it('scratch', () => {
  const sources = codexRollouts().filter(({ bytes }) => bytes.length < 30_000);
  const seen = new Map<string, number>();
  const N = Number(process.env['N'] ?? 400), S = Number(process.env['S'] ?? 1);
  for (let n = 0; n < N; n++) {
    const random = randomFrom(S * 100000 + n);
    const source = random.pick(sources);
    const part = Buffer.concat(linesOf(source.bytes).slice(0, 40).map((l) => l.bytes));
    const bytes = mutated(part, random);
    try { checkAll(bytes, n); } catch (e) {
      const kind = String(e).replace(/\d+/g, '#').slice(0, 160);
      const c = seen.get(kind) ?? 0; seen.set(kind, c + 1);
      if (c === 0) {
        const k40 = String(e).slice(0, 50);
        const least = minimal(bytes, (p) => { try { checkAll(p, n); return false; } catch (x) { return String(x).slice(0, 50) === k40; } });
        let w = ''; try { checkAll(least, n); } catch (x) { w = String(x) + ((x as Error).constructor.name === 'BrokenLaw' ? '' : (x as Error).stack?.slice(0,600)); }
        console.log(`--- ${n} ${source.name}\n${w.slice(0, 1200)}\n>>>\n${least.toString('utf8').slice(0, 1500)}`);
      }
    }
  }
  console.log([...seen].map(([k, c]) => `${c}: ${k}`).join('\n'));
}, 600000);
