export { createCodexPlayer } from './codex/player.js';
export { modelItemOf as codexModelItem } from './codex/model-items.js';
export { createCodexNamesPlayer } from './codex/names.js';
export { codexTape } from './codex/session-meta.js';
export { claudeTape, createClaudePlayer } from './claude/player.js';
export { createClaudeAgentMetaPlayer } from './claude/agent-meta.js';
export { type ClaudeLineSign, claudeLineSigns } from './claude/line-signs.js';
export { type TailSign, codexTailCheckpoint, codexTailSign, isCodexTailExact, isCodexTurnStart } from './codex/tail.js';
export { valueInLine } from './line-record.js';
