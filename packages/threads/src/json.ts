import { z } from 'zod';
import type { JsonValue } from '@tapefold/facts';

/**
 * Any JSON value, as a schema that JSON Schema can express (`{}`). It does not walk the value: depth is the sender's.
 * The one cast of this package: `z.unknown()` accepts exactly what a `JsonValue` can be once it came out of `JSON.parse`.
 */
export const anyJsonSchema = z.unknown() as unknown as z.ZodType<JsonValue>;
