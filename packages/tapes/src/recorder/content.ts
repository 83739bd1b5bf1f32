import type { ContentPart } from '@tapefold/facts';

/** What may be said: a text, or parts (texts, pictures, files). */
export type Content = string | readonly ContentPart[];

/** Content as parts. */
export function partsOf(content: Content): ContentPart[] {
  return typeof content === 'string' ? [{ kind: 'text', text: content }] : [...content];
}
