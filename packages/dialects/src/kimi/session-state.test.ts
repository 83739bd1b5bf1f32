import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kimiSessionState } from './session-state.js';

const of = (value: unknown): ReturnType<typeof kimiSessionState> => kimiSessionState(JSON.stringify(value));

describe('[R-TAPE-6] the state of a session', () => {
  it('of today: title, times, folder, fork, end, agents', () => {
    const state = of({
      id: 'session_x', version: 2, title: 'T', titleKind: 'generated', lastPrompt: 'p', createdAt: 1, updatedAt: 1_790_000_000_000, archived: true, archivedAt: '2026-01-01T00:00:00Z', cwd: '/w', forkedFrom: 'session_y', lastTurnReason: 'cancelled',
      agents: { main: { type: 'main', parentAgentId: null }, 'agent-0': { type: 'sub', parentAgentId: 'main', labels: { profileName: 'explore' } }, old: { labels: { parentAgentId: 'agent-0' } }, odd: 4 },
    });
    expect(state).toEqual({
      title: 'T', isOwnTitle: true, lastPrompt: 'p', createdAtMs: 1000, updatedAtMs: 1_790_000_000_000, isArchived: true, archivedAtMs: 1_767_225_600_000, cwd: '/w', forkedFrom: 'session_y', lastTurn: 'interrupted',
      agents: { main: { kind: 'main' }, 'agent-0': { kind: 'sub', parentAgentId: 'main', role: 'explore' }, old: { parentAgentId: 'agent-0' } },
    });
  });

  it.each([
    [{ title: 'T', titleKind: 'replaceable' }, false], [{ title: 'T', titleKind: 'custom' }, true], [{ title: 'T', isCustomTitle: true }, true], [{ title: 'T' }, false], [{ custom_title: 'T' }, true], [{ title: 'T', titleKind: 'replaceable', isCustomTitle: true }, false],
  ])('%j: whose own title it is', (raw, isOwnTitle) => {
    expect(of(raw)).toMatchObject({ title: 'T', isOwnTitle });
  });

  it('of older versions and of kimi-cli: folders and times under other names', () => {
    expect(of({ workDir: '/a' })).toMatchObject({ cwd: '/a' });
    expect(of({ custom: { cwd: '/b', archived: true, imported_from_kimi_cli: true, kimi_cli_session_id: 'u' } })).toMatchObject({ cwd: '/b', isArchived: true, importedFrom: 'u' });
    expect(of({ version: 1, custom_title: 'C', archived: true, archived_at: 1_780_000_000.5, wire_mtime: 1_780_000_001.25 })).toMatchObject({ title: 'C', isArchived: true, archivedAtMs: 1_780_000_000_500, updatedAtMs: 1_780_000_001_250 });
  });

  it('a byte order mark is overlooked, what is no JSON object is none', () => {
    expect(kimiSessionState('\ufeff{"title":"T"}')?.title).toBe('T');
    for (const text of ['', '[]', 'null', '{"a"', '"x"', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`]) expect(kimiSessionState(text)).toBeUndefined();
  });

  it('whatever it holds, nothing is thrown, times are times, agents are those that it names, and it is the same as JSON', () => {
    fc.assert(fc.property(fc.dictionary(fc.constantFrom('title', 'titleKind', 'createdAt', 'updatedAt', 'archived', 'archivedAt', 'cwd', 'custom', 'agents', 'forkedFrom', 'lastTurnReason', '__proto__'), fc.jsonValue()), (raw) => {
      const state = of(raw);
      const times = [state?.createdAtMs, state?.updatedAtMs, state?.archivedAtMs].filter((ms) => ms !== undefined);
      for (const ms of times) expect(Number.isNaN(new Date(ms).getTime())).toBe(false);
      expect(JSON.parse(JSON.stringify(state ?? null))).toEqual(state ?? null);
      expect(state === undefined || Object.keys(state.agents).every((id) => Object.hasOwn(raw['agents'] as object, id))).toBe(true);
    }), { seed: 20_260_101, numRuns: 300 });
  });
});
