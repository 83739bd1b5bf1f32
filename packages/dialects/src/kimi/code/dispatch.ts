import type { JsonObject, LineVerdict } from '@tapefold/facts';
import { objectAt, stringAt } from '../../shape.js';
import { playAnswer, playToolMessage } from './answers.js';
import { playSwitch } from './branches.js';
import { playCall, playResult } from './calls.js';
import { waiting } from './chain.js';
import { playClear, playCompaction, playCompactionBegin, playCompactionOver } from './compaction.js';
import { playApproval, playRequest, playResolved } from './interactions.js';
import { holdMessage, tellMessage } from './messages.js';
import type { Play } from './play.js';
import { playCancel, playPrompt, playPromptAborted, playPromptCompleted, playPromptSteered, playSteer } from './prompts.js';
import { playContextSize, playMetadata, playPermission, playProfile, playUsage } from './settings.js';
import { playBegin, playEnd, playPart } from './steps.js';
import { playSpawned, playSubagent, playTaskStarted, playTaskTerminated } from './tasks.js';
import { playStepInterrupted, playStepRetrying, playTurnEnded } from './turn-ends.js';
import { playUndo } from './undo.js';
import { playGoalClear, playGoalCreate, playGoalUpdate, playMode, playPlan, playStore } from './work.js';

type PlayRecord = (play: Play) => LineVerdict;

/** `context.append_message`: a message of the model's history, an answer or none. */
function playMessage(play: Play): LineVerdict {
  const message = objectAt(play.raw, 'message');
  if (!message) return 'unknown';
  switch (stringAt(message, 'role')) {
    case 'user': case 'system': {
      if (waiting(play).pending.length) holdMessage(play, message);
      else tellMessage(play, message);
      return 'played';
    }
    case 'assistant': return playAnswer(play, message);
    case 'tool': return playToolMessage(play, message);
    default: return 'unknown';
  }
}

const loopEvents: Readonly<Record<string, (play: Play, event: JsonObject) => LineVerdict>> = {
  'step.begin': playBegin, 'content.part': playPart, 'tool.call': playCall, 'tool.result': playResult, 'step.end': playEnd,
};

/** `context.append_loop_event`: a piece of an answer. */
function playLoopEvent(play: Play): LineVerdict {
  const event = objectAt(play.raw, 'event') ?? {};
  const type = stringAt(event, 'type') ?? '';
  const known = Object.hasOwn(loopEvents, type) ? loopEvents[type] : undefined;
  return known ? known(play, event) : 'unknown';
}

const players: Readonly<Record<string, PlayRecord>> = {
  metadata: playMetadata,
  'context.append_message': playMessage, 'context.append_loop_event': playLoopEvent, 'context.apply_compaction': playCompaction, 'context.clear': playClear, 'context.undo': playUndo, 'agent.switched': playSwitch,
  'full_compaction.begin': playCompactionBegin, 'full_compaction.cancel': playCompactionOver, 'full_compaction.complete': playCompactionOver,
  'turn.prompt': playPrompt, 'turn.steer': playSteer, 'turn.cancel': playCancel, 'turn.ended': playTurnEnded, 'turn.step.interrupted': playStepInterrupted, 'turn.step.retrying': playStepRetrying,
  'prompt.completed': playPromptCompleted, 'prompt.aborted': playPromptAborted, 'prompt.steered': playPromptSteered,
  'tools.update_store': playStore, 'goal.create': playGoalCreate, 'goal.update': playGoalUpdate, 'goal.account_usage': playGoalUpdate, 'goal.continuation': playGoalUpdate, 'goal.clear': playGoalClear, 'plan.revision': playPlan,
  'plan_mode.enter': playMode, 'plan_mode.exit': playMode, 'plan_mode.cancel': playMode, 'swarm_mode.enter': playMode, 'swarm_mode.exit': playMode, 'tower_mode.enter': playMode, 'tower_mode.exit': playMode,
  'task.started': playTaskStarted, 'task.terminated': playTaskTerminated, 'subagent.spawned': playSpawned, 'subagent.started': playSubagent, 'subagent.completed': playSubagent, 'subagent.failed': playSubagent, 'subagent.cancelled': playSubagent,
  'interaction.request': playRequest, 'interaction.resolved': playResolved, 'permission.record_approval_result': playApproval,
  'profile.bind': playProfile, 'config.update': playProfile, 'permission.set_mode': playPermission, 'usage.record': playUsage, 'token_counting.measured': playContextSize, 'context_size.measured': playContextSize,
};

/** Types that say nothing of the conversation, or again what other records say. */
const ignored = new Set([
  'agent.message.appended', 'agent.turn.started', 'agent.turn.ended', 'context.undone', 'cron.add', 'cron.cursor', 'cron.delete', 'file_history.checkpoint', 'file_history.tracked', 'forked', 'interruptionReminder.recorded', 'llm.request',
  'llm.tools_snapshot', 'mcp.tools_discovered', 'plugin.session_start', 'prompt.accepted', 'runtime.set_binding', 'spine.close', 'spine.next', 'spine.open', 'spine.root_compact', 'spine.truncate_repair', 'staleGuard.cleared', 'staleGuard.recorded',
  'task.waitDelivered', 'token_counting.rebased', 'token_counting.truncated', 'token_counting.turn_recorded', 'tools.register_user_tool', 'tools.reset_active_tools', 'tools.set_active_tools', 'tools.unregister_user_tool',
]);

/** A type's name in the ledger: with what a loop event is. */
export function nameOf(raw: JsonObject): string {
  const type = stringAt(raw, 'type') ?? '';
  if (type === 'context.append_loop_event') return `${type}/${stringAt(objectAt(raw, 'event') ?? {}, 'type') ?? ''}`;
  return type === '' ? '(no type)' : type;
}

/** Whether any version of the program writes the type. */
export function isKnownType(raw: JsonObject): boolean {
  const type = stringAt(raw, 'type') ?? '';
  if (type === 'context.append_loop_event') return Object.hasOwn(loopEvents, stringAt(objectAt(raw, 'event') ?? {}, 'type') ?? '');
  return Object.hasOwn(players, type) || ignored.has(type);
}

/** Plays one record. `unknown`: a type that no version has, or a shape that its type does not have. */
export function playRecord(play: Play): LineVerdict {
  const known = Object.hasOwn(players, play.type) ? players[play.type] : undefined;
  if (known) return known(play);
  return ignored.has(play.type) ? 'ignored' : 'unknown';
}
