export { createCodexPlayer } from './codex/player.js';
export { createCodexNamesPlayer } from './codex/names.js';
export { codexTape } from './codex/session-meta.js';
