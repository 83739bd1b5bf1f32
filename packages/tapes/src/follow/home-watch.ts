import { basename, join, relative, sep } from 'node:path';
import { TOOL_RESULTS } from '../claude-names.js';
import { SESSIONS as KIMI_SESSIONS, kimiFolderKind } from '../kimi-names.js';
import { WALK_DEPTH } from '../limits.js';
import { nativeKindByName } from '../native-home.js';
import type { TapeProgram } from '../tape-program.js';
import { TreeWatch, type TreeWatchOptions, type WatchedRoot } from './tree-watch.js';

/** Files at the top of a home that count: side tapes and settings; the databases beside them are written to all the time. */
function topFiles(home: string, ...names: readonly string[]): WatchedRoot {
  return { path: home, depth: 0, takes: (name) => names.includes(name) };
}

function rootsOf(program: TapeProgram, home: string): WatchedRoot[] {
  switch (program) {
    case 'codex': return [topFiles(home, 'session_index.jsonl', 'config.toml'), { path: join(home, 'sessions'), depth: WALK_DEPTH }, { path: join(home, 'archived_sessions'), depth: WALK_DEPTH }];
    case 'claude': return [{ path: join(home, 'projects'), depth: WALK_DEPTH, skips: (path) => basename(path) === TOOL_RESULTS }];
    case 'kimi': {
      const root = join(home, KIMI_SESSIONS);
      return [topFiles(home, 'kimi.json'), { path: root, depth: WALK_DEPTH, skips: (path) => kimiFolderKind(relative(root, path).split(sep)) !== undefined }];
    }
    case 'native': return [{ path: home, depth: 1, takes: (name) => nativeKindByName(name) === 'tape' }];
  }
}

/** Watches the folders of a home in which its agent keeps session files, and what stands beside them. The home need not exist. Writes nothing. */
export function watchHome(program: TapeProgram, home: string, options: TreeWatchOptions = {}): TreeWatch {
  return new TreeWatch(rootsOf(program, home), options);
}
