import type { KnownDifference } from '@tapefold/testing';

type Change = KnownDifference['change'];
const at = (...names: readonly string[]): readonly string[] => names.map((name) => `0.171/${name}`);

/** Entries for one reason: changes and paths below a common one. */
function because(why: string, cases: readonly string[] | undefined, entries: readonly (readonly [change: Change, path: string])[]): KnownDifference[] {
  return entries.map(([change, path]) => ({ path, change, why, ...(cases && { cases }) }));
}

const STEP = '/items/#/steps/#';
const FRAME = `${STEP}/frames/#`;

/** Where the end of a transcript that was told and that of the finished files differ; `added`: only in the files. */
export const transcriptsOtherwise: readonly KnownDifference[] = [
  ...because('clock fields: when it was told, and when it was written down', undefined, [['changed', `${STEP}/startedAt`], ['changed', `${STEP}/endedAt`]]),
  ...because('notifications say what ran, files besides what the model called', undefined, [['changed', `${FRAME}/name`], ['added', `${FRAME}/input/**`], ['missing', `${FRAME}/input/**`], ['changed', `${FRAME}/input/**`]]),
  ...because('what ran side by side stands in the order in which it began to run; in a file, in which the model called for it or it was written down', at('legacy-rich', 'plan-mode', 'shell', 'sigkill-resume'), [['changed', `${STEP}/frames`]]),
  ...because('calls that no notification tells of: lists of steps, searches for tools, questions, words for a running command, patches and pictures that failed before they began',
    at('apply-patch', 'legacy-rich', 'mcp', 'mcp-tool-search', 'plan-mode', 'shell', 'subagents-v1', 'update-plan', 'view-image'), [['added', FRAME]]),
  ...because('what became of a declined call the model was told, nobody else', at('approval-cancel', 'approval-decline'), [['changed', `${FRAME}/error`], ['added', `${FRAME}/output`]]),
  ...because('that an approval was cancelled the model was told, nobody else', at('approval-cancel'), [['changed', `${FRAME}/outcome`]]),
  ...because('that a call was interrupted the model was told, nobody else', at('approval-patch-decline', 'legacy-rich'), [['changed', `${FRAME}/error`], ['changed', `${FRAME}/outcome`], ['changed', `${STEP}/state`]]),
  ...because('the end of a command came after that of its turn, and is told to nobody', at('interrupt-command', 'shell', 'shell-timeout'), [['changed', `${FRAME}/error`], ['missing', `${FRAME}/outcome`]]),
  ...because('the end of a command came after that of its turn, and is told to nobody', at('interrupt-command', 'shell'), [['added', `${FRAME}/output`]]),
  ...because('the end of a command came after that of its turn, and is told to nobody', at('interrupt-command'), [['changed', `${STEP}/state`]]),
  ...because('that a sub-agent was refused the model was told, nobody else', at('subagents-v1'), [['changed', `${FRAME}/state`], ['missing', `${FRAME}/error`], ['missing', `${FRAME}/outcome`]]),
  ...because('files keep 64 kB of an output, and who watches is told all of it', at('shell'), [['changed', `${FRAME}/output`]]),
  ...because('legacy files say of a command that it said nothing, notifications nothing', at('legacy-rich'), [['added', `${FRAME}/output`]]),
  ...because('legacy threads number items anew when they are read', at('legacy-mode', 'legacy-rich'), [['changed', '/items/#/triggerPromptId']]),
  ...because('the process died between writing down the tokens of its last response and telling them', at('approval-pending-kill', 'legacy-rich', 'sigkill-command', 'sigkill-resume'), [['added', `${STEP}/usage`], ['added', '/items/#/usage']]),
  ...because('the process died between writing down the tokens of its last response and telling them', at('legacy-rich', 'sigkill-command', 'sigkill-resume'), [['changed', '/meta/agent/usage/**']]),
  ...because('the process died between writing down the tokens of its last response and telling them', at('approval-pending-kill'), [['added', '/meta/agent/usage/**']]),
  ...because('a thread that is reverted goes on in another file, which counts nothing of what is gone', at('revert', 'revert-twice'), [['changed', '/meta/agent/usage/**']]),
  ...because('the summary that a compaction leaves is told to nobody, and with it its mark', at('auto-compact', 'compact', 'legacy-rich'), [['added', '/items/#']]),
  ...because('what a reviewer is told and does is told in the turn of the review, and written down in a turn of its own', at('review'), [['added', '/items/#/prompt'], ['added', '/items/#/triggerPromptId'], ['added', STEP], ['missing', FRAME]]),
  ...because('findings are told in the words of one text', at('review'), [['changed', `${FRAME}/message`], ['added', `${FRAME}/detail`]]),
  ...because('the model of a sub-agent is told to nobody', at('subagents-v1 2'), [['added', '/meta/agent/model'], ['added', '/meta/agent/usage/byModel']]),
  ...because('words that were on their way when the process was killed are in no file; that they began was told', at('sigkill-stream'), [['missing', FRAME]]),
  ...because('what a command said before its process was killed is in no file, and goes when its recorder does', at('sigkill-command'), [['missing', `${FRAME}/progress`]]),
];

const ITEM = '/#/items/#';

/** Calls that a file has as the model wrote them, without an item of their own: legacy threads, and those that were declined, cut off or killed. */
const asCalled = at('approval-cancel', 'approval-decline', 'approval-pending-kill', 'legacy-mode', 'legacy-rich', 'sigkill-command', 'sigkill-resume');

/** The same for turns and items over JSON-RPC. */
export const itemsOtherwise: readonly KnownDifference[] = [
  ...because('a file without an item of a command has it as the model called it', asCalled, [['changed', `${ITEM}/command`], ['missing', `${ITEM}/commandActions/#`], ['changed', `${ITEM}/startedAtMs`]]),
  ...because('a file without an item of a command has it as the model called it', at('legacy-mode', 'legacy-rich', 'sigkill-command', 'sigkill-resume'), [['changed', `${ITEM}/processId`], ['changed', `${ITEM}/source`]]),
  ...because('a file without an item of a command has it as the model called it', at('approval-cancel', 'approval-decline', 'legacy-mode', 'legacy-rich'), [['changed', `${ITEM}/completedAtMs`]]),
  ...because('a file without an item of a patch has it as the model called it', at('approval-patch-decline'), [['changed', `${ITEM}/changes/#/path`], ['changed', `${ITEM}/startedAtMs`]]),
  ...because('what became of a declined call the model was told, nobody else', at('approval-cancel', 'approval-decline'), [['changed', `${ITEM}/aggregatedOutput`]]),
  ...because('that a call was cancelled or interrupted the model was told, nobody else', at('approval-cancel', 'approval-patch-decline', 'legacy-rich'), [['changed', `${ITEM}/status`], ['added', `${ITEM}/outcome`]]),
  ...because('that a call was cancelled or interrupted the model was told, nobody else', at('legacy-rich'), [['changed', `${ITEM}/aggregatedOutput`]]),
  ...because('D-2: a call that nothing ended is of unknown outcome, once somebody reads it', at('approval-pending-kill', 'sigkill-command', 'sigkill-resume'), [['added', `${ITEM}/outcome`]]),
  ...because('the end of a command came after that of its turn, and is told to nobody', at('interrupt-command', 'shell', 'shell-timeout'), [
    ['changed', `${ITEM}/status`], ['changed', `${ITEM}/exitCode`], ['changed', `${ITEM}/durationMs`], ['changed', `${ITEM}/completedAtMs`]]),
  ...because('the end of a command came after that of its turn, and is told to nobody', at('interrupt-command', 'shell'), [['changed', `${ITEM}/aggregatedOutput`]]),
  ...because('what ran side by side stands in the order in which it began; in a file, in which it ended or the model called for it', at('legacy-rich', 'plan-mode', 'shell', 'shell-timeout', 'sigkill-resume'), [['changed', '/#/items']]),
  ...because('words that were on their way when their turn was cut off are in no file; that they began was told', at('interrupt-stream', 'sigkill-stream'), [['missing', ITEM]]),
  ...because('the original tells that a refused call of a sub-agent began, and reads no item of it', at('subagents-v1'), [['missing', ITEM]]),
  ...because('lists of steps are told by no item; legacy threads are read with one', at('legacy-rich'), [['added', ITEM]]),
  ...because('what a reviewer is told and does is told in the turn of the review, and written down in a turn of its own, which stands before it', at('review'), [['added', ITEM], ['missing', ITEM], ['changed', '']]),
];
