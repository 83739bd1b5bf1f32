import type { JsonObject } from '@tapefold/facts';
import type { ContextEntry } from './arrange.js';
import { historyOf, historyVersion } from './history.js';
import { normaliseRequest } from './normalise/normalise.js';
import type { RequestProfile } from './normalise/profile.js';
import type { NormalisedRequest, RequestItem } from './normalise/request-item.js';
import { renderAnthropic } from './render/anthropic.js';
import { renderChat } from './render/chat.js';
import { renderResponses } from './render/responses.js';
import { type ContextReader, resolveEntry } from './resolve.js';
import type { ContextState } from './state.js';

/** The history's part of a request's body: `input`, or `messages` (Anthropic: with `system`). */
export type RequestBody = { readonly input: readonly JsonObject[] } | { readonly messages: readonly JsonObject[]; readonly system?: readonly JsonObject[] };

/** A request as the history decides it; model, tools and instructions are the program's. */
export interface DerivedRequest extends NormalisedRequest {
  readonly body: RequestBody;
  /** Version of the history that it was derived from. */
  readonly version: number;
}

/** The working history with all texts read back: what the request view is made of. */
export function resolvedHistory(state: ContextState, reader: ContextReader): ContextEntry[] {
  return historyOf(state).map((entry) => resolveEntry(entry, reader));
}

function bodyOf(items: readonly RequestItem[], profile: RequestProfile): RequestBody {
  switch (profile.provider) {
    case 'responses': return { input: renderResponses(items, profile) };
    case 'chat': return { messages: renderChat(items, profile) };
    case 'anthropic': return renderAnthropic(items, profile);
    default: return { input: [] };
  }
}

/** The request that a program of this profile would send now. O(n); never throws. */
export function deriveRequest(state: ContextState, { profile, reader }: { readonly profile: RequestProfile; readonly reader: ContextReader }): DerivedRequest {
  const normalised = normaliseRequest(resolvedHistory(state, reader), profile);
  return { ...normalised, body: bodyOf(normalised.items, profile), version: historyVersion(state) };
}
