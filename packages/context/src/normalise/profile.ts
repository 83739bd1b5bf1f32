import type { CutPolicy } from './cut.js';
import type { RequestItem } from './request-item.js';

/** Wires that a request can be written for. */
export type Provider = 'responses' | 'anthropic' | 'chat';
/** What a model may be unable to read. */
export type MediaKind = 'image' | 'audio' | 'video' | 'file';

/** How a program asks its model: what the provider takes, and what the program itself does to the history before it sends it. Data and pure functions. */
export interface RequestProfile {
  readonly provider: Provider;
  /** Records of this dialect go to this provider as they are; those of others are put in neutral form. */
  readonly nativeDialect?: string | undefined;
  /** A call without result gets one with this text, or goes as well. */
  readonly missingResult: { readonly kind: 'synthetic'; readonly text: string } | { readonly kind: 'dropCall' };
  /** Media that the model reads; of the others, a text stands in. */
  readonly accepts: Readonly<Record<MediaKind, boolean>>;
  readonly mediaText?: ((kind: MediaKind) => string) | undefined;
  /** Absent: outputs are as the history has them (most programs cut them before they record them). */
  readonly output?: CutPolicy | undefined;
  /** Types of native records that the program keeps and never sends. */
  readonly neverSent?: readonly string[] | undefined;
  /** Rules that only this program has, before pairing. What it returns less is left out of the request. */
  readonly mend?: ((items: readonly RequestItem[]) => readonly RequestItem[]) | undefined;
  /** Chat only: the model's thinking goes back to it in this field of its messages, empty where there was none. */
  readonly thinkingField?: string | undefined;
  /** Chat only: a tool's message takes the pictures that it returned. */
  readonly hasMediaInResults?: boolean | undefined;
  /** Chat only: one message for each item, in the order of the history, as old programs sent them. Not every server takes that. */
  readonly isMessagePerItem?: boolean | undefined;
}

/** Nobody knows how the call ended; a model that reads this can ask or look. */
export const UNKNOWN_OUTCOME = 'The outcome of this call is unknown: no result was recorded.';

/** The text in place of media that the model does not read. */
export const omittedMedia = (kind: MediaKind): string => `${kind} content omitted because you do not support ${kind} input`;

/** A model that reads text and pictures, behind a program without rules of its own. */
export function plainProfile(provider: Provider): RequestProfile {
  return { provider, missingResult: { kind: 'synthetic', text: UNKNOWN_OUTCOME }, accepts: { image: true, audio: false, video: false, file: provider !== 'chat' } };
}
