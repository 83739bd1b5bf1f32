import { type ItemBody, type JsonObject, type WebAction, assertNever, isJsonObject } from '@tapefold/facts';
import type { ThreadItemOf } from '../objects/thread-item.js';
import { outcomeOf } from './item-status.js';
import { type ObjectParts, tailOf } from './object-parts.js';
import { reviewRequestText, reviewResultText } from './review-text.js';

type Body<K extends ItemBody['kind']> = Extract<ItemBody, { kind: K }>;
type ImageGeneration = ThreadItemOf<'imageGeneration'>;

function webAction(action: WebAction): NonNullable<ThreadItemOf<'webSearch'>['action']> {
  switch (action.kind) {
    case 'search': return { type: 'search', query: action.query ?? null, queries: action.queries ?? null };
    case 'openPage': return { type: 'openPage', url: action.url ?? null };
    case 'findInPage': return { type: 'findInPage', url: action.url ?? null, pattern: action.pattern ?? null };
    case 'other': return { type: 'other' };
    default: return assertNever(action);
  }
}

/** A search or another deed on the web. The protocol has no status for it, so `outcome` alone tells that it went wrong. */
export function webSearch(body: Body<'webSearch'>, parts: ObjectParts): ThreadItemOf<'webSearch'> {
  return {
    type: 'webSearch', id: parts.id, query: body.query, action: body.action ? webAction(body.action) : null, results: body.results ?? null, ...tailOf(parts, outcomeOf(parts.progress)),
  };
}

/** A picture that the agent looked at, by path. */
export function imageView(body: Body<'imageView'>, parts: ObjectParts): ThreadItemOf<'imageView'> {
  return { type: 'imageView', id: parts.id, path: body.path, ...tailOf(parts) };
}

/** Keys that only newer programs write, in either spelling. */
function imageExtras(extras: JsonObject): Pick<ImageGeneration, 'transparentBackground' | 'failure' | 'generationId' | 'fileId' | 'inputImages'> {
  const { transparentBackground = extras['transparent_background'], generationId = extras['generation_id'], fileId = extras['file_id'], inputImages = extras['input_images'] } = extras;
  return {
    transparentBackground: typeof transparentBackground === 'boolean' ? transparentBackground : null, failure: extras['failure'] ?? null,
    generationId: typeof generationId === 'string' ? generationId : null, ...(typeof fileId === 'string' ? { fileId } : {}), ...(inputImages === undefined ? {} : { inputImages }),
  };
}

/** A picture that was made. `status` is the provider's word; `result` is left out where a file stands for it. */
export function imageGeneration(body: Body<'imageGeneration'>, parts: ObjectParts): ImageGeneration {
  const extras = imageExtras(isJsonObject(body.extras) ? body.extras : {});
  const hasFile = body.result === undefined && extras.fileId !== undefined;
  return {
    type: 'imageGeneration', id: parts.id, status: body.status, revisedPrompt: body.revisedPrompt ?? null, ...(hasFile ? {} : { result: body.result ?? '' }), ...extras,
    ...(body.savedPath === undefined ? {} : { savedPath: body.savedPath }), ...tailOf(parts, parts.progress.isUnknown ? 'unknown' : undefined),
  };
}

/** A pause that the agent asked for. */
export function sleep(body: Body<'sleep'>, parts: ObjectParts): ThreadItemOf<'sleep'> {
  return { type: 'sleep', id: parts.id, durationMs: body.durationMs, ...tailOf(parts, parts.progress.isUnknown ? 'unknown' : undefined) };
}

/** A review began, with the request in the original's words. */
export function enteredReviewMode(body: Body<'reviewEntered'>, parts: ObjectParts): ThreadItemOf<'enteredReviewMode'> {
  return { type: 'enteredReviewMode', id: parts.id, review: reviewRequestText(body.hint), ...tailOf(parts) };
}

/** A review ended, with explanation and findings as one text, as the original has it. */
export function exitedReviewMode(body: Body<'reviewExited'>, parts: ObjectParts): ThreadItemOf<'exitedReviewMode'> {
  return { type: 'exitedReviewMode', id: parts.id, review: reviewResultText(body.explanation, body.findings), ...tailOf(parts) };
}

/** The place where the model's history was replaced by a summary; the summary is for the model and stands in no item. */
export function contextCompaction(parts: ObjectParts): ThreadItemOf<'contextCompaction'> {
  return { type: 'contextCompaction', id: parts.id, ...tailOf(parts) };
}
