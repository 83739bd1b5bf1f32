import type { ThreadItem } from '@tapefold/threads';
import type { Line } from '../../text/line.js';
import { agentActivityLines, agentCallLines } from './agent-items.js';
import { commandLines, fileChangeLines, mcpCallLines, toolCallLines, toolOutputLines } from './call-items.js';
import { agentMessageLines, hookPromptLines, planLines, reasoningLines, userMessageLines } from './message-items.js';
import { compactionLines, imageMadeLines, imageViewLines, reviewEndLines, reviewStartLines, sleepLines, webSearchLines } from './other-items.js';
import type { TranscriptView } from './view.js';

/** An item as lines. Pure; no lines for what is not to be seen in this view. */
export function itemLines(item: ThreadItem, view: TranscriptView): Line[] {
  switch (item.type) {
    case 'userMessage': return userMessageLines(item, view);
    case 'hookPrompt': return hookPromptLines(item);
    case 'agentMessage': return agentMessageLines(item, view);
    case 'plan': return planLines(item, view);
    case 'reasoning': return reasoningLines(item, view);
    case 'commandExecution': return commandLines(item, view);
    case 'fileChange': return fileChangeLines(item, view);
    case 'mcpToolCall': return mcpCallLines(item, view);
    case 'dynamicToolCall': return toolCallLines(item, view);
    case 'functionCallOutput': return toolOutputLines(item, view);
    case 'collabAgentToolCall': return agentCallLines(item, view);
    case 'subAgentActivity': return agentActivityLines(item);
    case 'webSearch': return webSearchLines(item, view);
    case 'imageView': return imageViewLines(item, view);
    case 'imageGeneration': return imageMadeLines(item, view);
    case 'sleep': return sleepLines(item);
    case 'enteredReviewMode': return reviewStartLines(item, view);
    case 'exitedReviewMode': return reviewEndLines(item, view);
    case 'contextCompaction': return compactionLines();
    default: return unknownItem(item);
  }
}

/** Never reached with items of today; a newer store's item is named instead of dropped. */
function unknownItem(item: never): Line[] {
  const { type } = item as { type?: unknown };
  return [[{ text: `- (an item of type ${String(type)}, which this version does not show)`, tone: 'dim' }]];
}
