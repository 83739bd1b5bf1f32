import type { FactOf, JsonValue } from '@tapefold/facts';
import type { Folding } from './folding.js';
import { present } from './present.js';

/** The model's history was replaced by a summary: a mark, whose text is what the model reads. */
export function foldCompaction({ doc }: Folding, fact: FactOf<'context.compacted'>): void {
  const payload = fact.payload ?? { text: fact.summary, origin: { kind: 'compaction_summary' } };
  doc.addMarker(present({ marker: 'compaction', payload, at: fact.at }), { isOfMessage: true });
}

/** Codes that are markers of their own, whether or not a list of messages shows them. `skill` stands for a message. */
const ownMarkers: Readonly<Record<string, { readonly isOfMessage: boolean }>> = {
  skill: { isOfMessage: true }, interruption: { isOfMessage: false }, 'cron.fired': { isOfMessage: false }, goal: { isOfMessage: false },
};
const HOOK = 'hook/';

/** Something was told beside the turns. What was for the program alone makes no mark. */
export function foldNotice({ doc }: Folding, fact: FactOf<'notice.posted'>): void {
  const { code, at, level, text, details } = fact;
  if (Object.hasOwn(ownMarkers, code)) return doc.addMarker(present({ marker: code, payload: details, at }), { isOfMessage: ownMarkers[code]?.isOfMessage === true });
  if ((fact.visibility ?? 'shown') !== 'shown') return;
  if (code.startsWith(HOOK)) return doc.addMarker(present({ marker: 'hook', payload: present({ event: code.slice(HOOK.length), text, details }), at }), { isOfMessage: false });
  const payload: Record<string, JsonValue | undefined> = { level, message: text, event: code, details };
  doc.addMarker(present({ marker: 'notice', payload: present(payload), at }), { isOfMessage: false });
}
