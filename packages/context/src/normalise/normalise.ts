import type { ModelItem } from '@tapefold/facts';
import type { ContextEntry } from '../arrange.js';
import { withoutMedia } from '../media.js';
import { cutParts } from './cut.js';
import { paired } from './pairing.js';
import { type MediaKind, type RequestProfile, omittedMedia } from './profile.js';
import type { LeftOut, LeftOutReason, NormalisedRequest, RequestItem } from './request-item.js';

const isOwn = (item: ModelItem, { nativeDialect }: RequestProfile): boolean => nativeDialect !== undefined && item.native?.dialect === nativeDialect;

/** Why a provider cannot have an item at all. */
function refusal(item: ModelItem, profile: RequestProfile): LeftOutReason | undefined {
  switch (item.kind) {
    case 'other': return isOwn(item, profile) ? (profile.neverSent?.includes(item.type) ? 'neverSent' : undefined) : 'otherProvider';
    case 'reasoning': return isOwn(item, profile) ? undefined : 'otherProvider';
    case 'message': case 'agentMessage': case 'call': case 'result': case 'media': case 'summary': case 'compaction': return undefined;
    default: return undefined;
  }
}

const isMediaKind = (kind: string): kind is MediaKind => kind === 'image' || kind === 'audio' || kind === 'video' || kind === 'file';

function readable(one: RequestItem, profile: RequestProfile): RequestItem {
  const textFor = (kind: string): string | undefined => (isMediaKind(kind) && !profile.accepts[kind] ? (profile.mediaText ?? omittedMedia)(kind) : undefined);
  const item = withoutMedia(one.item, textFor);
  return item ? { ...one, item, isAltered: true } : one;
}

function short(one: RequestItem, profile: RequestProfile): RequestItem {
  if (one.item.kind !== 'result' || !profile.output) return one;
  const output = cutParts(one.item.output, profile.output);
  return output === one.item.output ? one : { ...one, item: { ...one.item, output: [...output] }, isAltered: true };
}

/** Entries that the program's own rules took out. */
function missing(before: readonly RequestItem[], after: readonly RequestItem[]): LeftOut[] {
  const left = new Set(after.map(({ entry }) => entry?.key));
  const reasonOf = (item: ModelItem): LeftOutReason => (item.kind === 'call' ? 'unansweredCall' : 'program');
  return before.flatMap(({ entry, item }): LeftOut[] => (entry && !left.has(entry.key) ? [{ entry, reason: reasonOf(item) }] : []));
}

/**
 * A history in the form that a provider takes: each call with its result, no result alone, no media that the model does not read, outputs cut. Pure and
 * deterministic, so that the provider's cache of what it read before holds. Never throws.
 */
export function normaliseRequest(entries: readonly ContextEntry[], profile: RequestProfile): NormalisedRequest {
  const leftOut: LeftOut[] = [];
  const taken = entries.flatMap((entry): RequestItem[] => {
    const reason = refusal(entry.item, profile);
    if (reason) leftOut.push({ entry, reason });
    return reason ? [] : [{ item: entry.item, entry }];
  });
  const mended = profile.mend?.(taken) ?? taken;
  const pairs = paired(mended, profile);
  return { items: pairs.items.map((one) => short(readable(one, profile), profile)), leftOut: [...leftOut, ...missing(taken, mended), ...pairs.leftOut] };
}
