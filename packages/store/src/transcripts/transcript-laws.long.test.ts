import { AgentTranscript, type AgentTranscriptSnapshot, agentTranscriptSnapshotSchema } from '@tapefold/transcript';
import { TranscriptFold, settleTranscript } from '@tapefold/transcript/fold';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type AgentProgram, createFileSource } from '../index.js';

const fixtures = fileURLToPath(new URL('../../../../fixtures/', import.meta.url));
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const plain = (snapshot: AgentTranscriptSnapshot): AgentTranscriptSnapshot => copy({ ...snapshot, hasMoreOlder: undefined });

/** Folders named `home` below the fixtures of a program. */
function homesOf(program: AgentProgram): string[] {
  const folders = readdirSync(join(fixtures, program), { recursive: true, encoding: 'utf8' }).filter((path) => /(?:^|\/)home$/.test(path) && !path.includes('19-many'));
  return folders.sort().map((path) => join(fixtures, program, path));
}

describe.each(['codex', 'claude', 'kimi'] as const)('every recorded thread of %s', (program) => {
  it('[R-OPS-8] live equals cold: operations applied one by one, the fold, and the fold laid once end in one state', async () => {
    let threads = 0;
    for (const path of homesOf(program)) {
      const source = createFileSource([{ program, path }]);
      for (const { thread } of (await source.list({ archived: 'too', hasSubAgents: true })).rows) {
        const [live, cold, reader] = [new TranscriptFold({ sessionId: 's' }), new TranscriptFold({ sessionId: 's' }), new AgentTranscript('main')];
        for await (const { fact } of source.facts(thread.id, { isOwn: true })) {
          cold.load(fact);
          expect(reader.apply(live.fold(fact)).gap, `${path} ${thread.id}`).toBeUndefined();
        }
        expect(copy(live.view()), `${path} ${thread.id}`).toEqual(copy(cold.view()));
        expect(plain(reader.snapshot()), `${path} ${thread.id}`).toEqual(plain(cold.snapshot()));
        agentTranscriptSnapshotSchema.parse(copy(settleTranscript(cold.view())));
        threads += 1;
      }
    }
    expect(threads).toBeGreaterThanOrEqual(15);
  }, 600_000);
});
