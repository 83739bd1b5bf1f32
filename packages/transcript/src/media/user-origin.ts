import type { TranscriptSkillActivation, TranscriptUserOrigin } from '../model/frame.js';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

function activationsOf(value: unknown): TranscriptSkillActivation[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const activations = value.filter(isFields).flatMap(({ skillName, skillArgs }) => (typeof skillName === 'string' ? [{ skillName, ...(typeof skillArgs === 'string' ? { skillArgs } : {}) }] : []));
  return activations.length ? activations : undefined;
}

function metadataOf(value: unknown): Fields[] | undefined {
  return Array.isArray(value) && value.length && value.every(isFields) ? value : undefined;
}

/**
 * What may be shown of where a person's input came from. Undefined for an origin that is no person's: neither `user` nor a skill that was called with
 * a slash. Never throws.
 */
export function projectTranscriptUserOrigin(origin: unknown): TranscriptUserOrigin | undefined {
  if (!isFields(origin)) return undefined;
  const clientMetadata = metadataOf(origin['clientMetadata']);
  const metadata = clientMetadata ? { clientMetadata } : {};
  if (origin['kind'] === 'user') {
    const skillActivations = activationsOf(origin['skillActivations']);
    return { kind: 'user', ...metadata, ...(skillActivations ? { skillActivations } : {}) };
  }
  const { kind, trigger, skillName, skillArgs } = origin;
  if (kind !== 'skill_activation' || trigger !== 'user-slash' || typeof skillName !== 'string' || skillName === '') return undefined;
  return { kind, trigger, skillName, ...(typeof skillArgs === 'string' ? { skillArgs } : {}), ...metadata };
}
