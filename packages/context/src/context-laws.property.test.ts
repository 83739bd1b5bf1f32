import type { Fact, FactOf } from '@tapefold/facts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyFates, foldFates } from './fold-fates.js';
import { foldContext } from './fold-context.js';
import { contextFacts } from './facts.suite.js';
import { fatesOf } from './fates.js';
import { contextAsOf, historyOf, historyVersion, isStale, takeSnapshot } from './history.js';
import { anthropicFaults, chatFaults, responsesFaults } from './pairing-rules.suite.js';
import { claudeProfile } from './profiles/claude.js';
import { codexProfile } from './profiles/codex.js';
import { type Provider, type RequestProfile, plainProfile } from './normalise/profile.js';
import { folded } from './recorded.suite.js';
import { type RequestBody, deriveRequest } from './request.js';
import type { ContextReader } from './resolve.js';
import { type ContextState, emptyContext } from './state.js';

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const reader: ContextReader = { value: ({ path }) => (path.length % 2 === 0 ? undefined : { type: 'function_call', call_id: 'c9', name: 'n', arguments: '{}' }) };
const providers: readonly Provider[] = ['responses', 'anthropic', 'chat'];
const blind = { image: false, audio: false, video: false, file: false };
const profiles: readonly RequestProfile[] = providers.flatMap((provider) => [
  plainProfile(provider), codexProfile(provider), codexProfile(provider, '0.77.0'), claudeProfile(provider),
  { ...plainProfile(provider), accepts: blind, output: { unit: 'bytes' as const, limit: 40 } }, { ...codexProfile(provider), missingResult: { kind: 'dropCall' as const } },
]);

function faultsOf(body: RequestBody, provider: Provider): string[] {
  if ('input' in body) return responsesFaults(body.input);
  return provider === 'anthropic' ? anthropicFaults(body.messages) : chatFaults(body.messages);
}

describe('laws of the request', () => {
  it('[R-CTX-4] any facts give a request that passes the pairing rules of its provider', () => {
    fc.assert(fc.property(contextFacts, fc.constantFrom(...profiles), (facts, profile) => {
      expect(faultsOf(deriveRequest(folded(facts), { profile, reader }).body, profile.provider)).toEqual([]);
    }));
  });

  it('[R-CTX-4] the same history gives the same request, and each of its entries is in it or has a reason', () => {
    fc.assert(fc.property(contextFacts, fc.constantFrom(...profiles), (facts, profile) => {
      const state = folded(facts);
      const request = deriveRequest(state, { profile, reader });
      expect(deriveRequest(copy(state), { profile, reader })).toEqual(request);
      const keys = [...request.items.flatMap(({ entry }) => entry?.key ?? []), ...request.leftOut.map(({ entry }) => entry.key)];
      expect(keys.sort()).toEqual(historyOf(state).map(({ key }) => key).sort());
    }));
  });

  it('[R-CTX-4] leaves no media that the model does not read', () => {
    fc.assert(fc.property(contextFacts, fc.constantFrom(...providers), (facts, provider) => {
      const { items } = deriveRequest(folded(facts), { profile: { ...plainProfile(provider), accepts: blind }, reader });
      for (const { item } of items) {
        const parts = 'content' in item && item.kind !== 'reasoning' ? item.content : item.kind === 'result' ? item.output : [];
        expect(parts.filter(({ kind }) => kind in blind)).toEqual([]);
      }
    }));
  });
});

describe('laws of the working history', () => {
  it('[R-CTX-7] as of any position it is what the facts up to there give', () => {
    fc.assert(fc.property(contextFacts, (facts) => {
      const whole = folded(facts);
      let state: ContextState = emptyContext;
      facts.forEach((fact, position) => {
        state = foldContext(state, fact, position);
        expect(contextAsOf(whole, position)).toEqual(state);
      });
    }));
  });

  it('[R-CTX-1] stops anywhere and goes on from JSON with the same result', () => {
    fc.assert(fc.property(contextFacts, fc.nat(), (facts, at) => {
      const cut = facts.length ? at % facts.length : 0;
      const rest = facts.slice(cut).reduce<ContextState>((state, fact, i) => foldContext(state, fact, cut + i), copy(folded(facts.slice(0, cut))));
      expect(copy(rest)).toEqual(copy(folded(facts)));
      expect(copy(folded(facts))).toEqual(folded(facts));
    }));
  });

  it('[R-CTX-1] a fact that was folded before changes nothing, and no fold changes the state that it was given', () => {
    fc.assert(fc.property(contextFacts, (facts) => {
      let state: ContextState = emptyContext;
      facts.forEach((fact, position) => {
        const before = copy(state);
        const next = foldContext(state, fact, position);
        expect(copy(state)).toEqual(before);
        if (next !== state) expect(foldContext(next, copy(fact), position)).toBe(next);
        state = next;
      });
    }));
  });

  it('[R-CTX-1] a snapshot that is not stale holds the beginning of the history', () => {
    fc.assert(fc.property(contextFacts, (facts) => {
      let state: ContextState = emptyContext;
      facts.forEach((fact, position) => {
        const snapshot = takeSnapshot(state);
        const before = historyOf(state);
        state = foldContext(state, fact, position);
        const after = historyOf(state);
        expect(historyVersion(state)).toBeGreaterThanOrEqual(snapshot.version);
        if (!isStale(snapshot, state)) expect(after.slice(0, before.length)).toEqual(before);
        expect(historyOf(snapshot.state)).toEqual(before);
      });
    }));
  });

  it('[R-CTX-2] what is superseded from some point on and restored is there again, compactions included', () => {
    fc.assert(fc.property(contextFacts, fc.nat({ max: 20 }), (facts, from) => {
      const context = [{ tape: 'a', from: 0, to: 99 }, { tape: 'b', from, to: 99 }];
      const rewind = (type: 'history.superseded' | 'history.restored', ordinal: number): Fact => ({
        ...(type === 'history.superseded' ? { type, reason: 'rewind' as const } : { type, reason: 'branch' as const }), turns: [], context, tape: 'z', ordinal, line: { offset: 0, length: 1 },
      });
      fc.pre(!facts.some(({ type }) => type === 'history.superseded'));
      const state = folded(facts);
      const gone = foldContext(state, rewind('history.superseded', 0), facts.length);
      expect(historyOf(gone).filter(({ tape, ordinal }) => tape === 'a' || ordinal >= from)).toEqual([]);
      expect(historyOf(foldContext(gone, rewind('history.restored', 1), facts.length + 1))).toEqual(historyOf(state));
    }));
  });

  it('[R-CTX-7] each entry that ever was has one fate, and those of the present history are sent or hidden', () => {
    fc.assert(fc.property(contextFacts, fc.constantFrom(...profiles), (facts, profile) => {
      const state = facts.reduce((before, fact, position) => foldFates(before, fact, position), emptyFates);
      const fates = fatesOf(state, { profile, reader });
      expect(new Set(fates.map(({ key }) => key)).size).toBe(fates.length);
      const appended = facts.filter((fact): fact is FactOf<'context.appended'> => fact.type === 'context.appended' && fact.agent === undefined);
      const keys = new Set(fates.map(({ key }) => key));
      for (const { tape, ordinal } of appended) expect(keys.has(`${tape}#${ordinal}`)).toBe(true);
      const present = new Set(historyOf(state.context).map(({ key }) => key));
      for (const fate of fates) expect(present.has(fate.carriedAs ?? fate.key)).toBe(fate.fate === 'sent' || (fate.fate === 'hidden' && fate.reason !== 'clearing'));
      for (const { fate, by } of fates) expect(by !== undefined).toBe(fate === 'summarised' || fate === 'rolledBack' || (fate === 'hidden' && by !== undefined));
    }));
  });

  it('is not vacuous: the facts of these tests compact, keep, place, roll back and restore', () => {
    const states = fc.sample(contextFacts, { numRuns: 300, seed: 11 }).map(folded);
    const some = (isSuch: (state: ContextState) => boolean): boolean => states.some(isSuch);
    expect(some((state) => historyOf(state).some(({ key }) => /\.\d+$/.test(key)))).toBe(true);
    expect(some((state) => state.resets.size > 2 && historyOf(state).length > 3)).toBe(true);
    expect(some((state) => JSON.stringify(state.slots).includes('"after":'))).toBe(true);
    expect(some((state) => JSON.stringify(state.slots).includes('"isLive":true'))).toBe(true);
    expect(some((state) => historyOf(state).some(({ fact, position }, i, all) => fact.includes('#') && (all[i - 1]?.position ?? -1) > position))).toBe(true);
  });
});
