import type { JsonObject, JsonValue, Origin } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { objectAt, objectsAt, present, stringAt } from '../../shape.js';

/* Where a message comes from, in the engine's words (`origin.kind`), and in ours. */

/** A person's slash command: it counts as their words. */
export function isSlash(origin: JsonObject): boolean {
  const kind = stringAt(origin, 'kind');
  return (kind === 'skill_activation' || kind === 'plugin_command') && stringAt(origin, 'trigger') === 'user-slash';
}

/** Words of a person: what an undo counts, and what a prompt's id can name. */
export function isAnchorOrigin(origin: JsonObject | undefined): boolean {
  if (!origin) return true;
  return stringAt(origin, 'kind') === 'user' ? origin['inTurn'] !== true : isSlash(origin) && origin['inTurn'] !== true;
}

/** Origins whose turns have a number of the engine's and are not shown as turns of their own. */
export function isHiddenOrigin(origin: JsonObject | undefined): boolean {
  if (!origin) return false;
  const kind = stringAt(origin, 'kind');
  const name = stringAt(origin, 'name');
  switch (kind) {
    case 'injection': case 'retry': case 'compaction_summary': return true;
    case 'system_trigger': return name !== 'goal_continuation' && name !== 'subagent';
    case 'skill_activation': case 'plugin_command': return !isSlash(origin);
    default: return false;
  }
}

/** What a skill brought into an input is called, as the contract of the original hands it on. */
function activations(origin: JsonObject): JsonValue[] {
  return objectsAt(origin, 'skillActivations').flatMap((one): JsonValue[] => {
    const skillName = stringAt(one, 'skillName');
    return skillName === undefined ? [] : [present({ skillName, skillArgs: stringAt(one, 'skillArgs') })];
  });
}

/** The engine's origin of a person's words, cut to what its contract hands on. */
export function userOriginOf(origin: JsonObject | undefined): JsonValue | undefined {
  if (!origin) return undefined;
  const clientMetadata = objectsAt(origin, 'clientMetadata');
  const given = clientMetadata.length ? clientMetadata : undefined;
  if (stringAt(origin, 'kind') === 'user') {
    const skillActivations = activations(origin);
    return present({ kind: 'user', clientMetadata: given, skillActivations: skillActivations.length ? skillActivations : undefined });
  }
  const skillName = stringAt(origin, 'skillName');
  if (stringAt(origin, 'kind') !== 'skill_activation' || !isSlash(origin) || skillName === undefined || skillName === '') return undefined;
  return present({ kind: 'skill_activation', trigger: 'user-slash', skillName, skillArgs: stringAt(origin, 'skillArgs'), clientMetadata: given });
}

/** How a turn that was opened like this is called. Commands run by a person stand as theirs. */
export function originOf(origin: JsonObject | undefined): Origin {
  if (!origin) return { kind: 'user' };
  const taskId = stringAt(origin, 'taskId');
  switch (stringAt(origin, 'kind')) {
    case 'user': return present({ kind: 'user' as const, payload: userOriginOf(origin) });
    case 'cron_job': return present({ kind: 'cron' as const, taskId: stringAt(origin, 'jobId'), payload: origin });
    case 'cron_missed': return { kind: 'cron', payload: origin };
    case 'task': case 'background_task': return taskId === undefined ? { kind: 'other', payload: origin } : { kind: 'task', taskId, payload: origin };
    case 'hook_result': return { kind: 'hook', payload: origin };
    case 'shell_command': return { kind: 'user', payload: origin };
    default: return { kind: 'other', payload: origin };
  }
}

/** The engine's origin of a message or a prompt, where it has one. */
export function engineOrigin(of: JsonObject): JsonObject | undefined {
  return objectAt(of, 'origin');
}

/** A task's notification, by whichever name. */
export function isTaskOrigin(origin: JsonObject | undefined): boolean {
  const kind = origin && stringAt(origin, 'kind');
  return kind === 'task' || kind === 'background_task' || kind === 'task_notification';
}

/** Files that a message came with, without their content. */
export function attachedFiles(origin: JsonObject | undefined): { name: string; mediaType: string; path: string; size: number }[] {
  return (origin ? objectsAt(origin, 'attachments') : []).flatMap((one) => {
    const { name, mediaType, path, size } = one;
    return typeof name === 'string' && typeof mediaType === 'string' && typeof path === 'string' && typeof size === 'number' ? [{ name, mediaType, path, size }] : [];
  });
}

/** Skills that stand as blocks before the words of a person; undefined where there are none, or one is not whole. */
export function bundledSkills(origin: JsonObject | undefined): JsonObject[] | undefined {
  const list = origin && stringAt(origin, 'kind') === 'user' ? origin['skillActivations'] : undefined;
  if (!Array.isArray(list) || !list.length) return undefined;
  const whole = list.filter((one): one is JsonObject => isJsonObject(one) && typeof one['activationId'] === 'string' && typeof one['skillName'] === 'string');
  return whole.length === list.length ? whole : undefined;
}
