import type { z } from 'zod';

/** What the text of a refusal needs to know of a parameter struct beyond its schema: the names that the original's texts carry. */
export interface StructNames {
  /** `ThreadListParams`, … */
  readonly name: string;
  /** Fields in all, and the first one that must stand: both appear when an array comes in place of the struct. */
  readonly fields: number;
  readonly firstRequired: number;
  /** Names of structs and unions inside, by key. */
  readonly inner?: Readonly<Record<string, string>> | undefined;
}

type Issue = z.core.$ZodIssue;

/** A value as serde names it when it is not what was expected. */
function unexpected(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return `boolean \`${String(value)}\``;
  if (typeof value === 'number') return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``;
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`;
  return Array.isArray(value) ? 'sequence' : 'map';
}

function variants(values: readonly unknown[]): string {
  const names = values.map((value) => `\`${String(value)}\``);
  if (names.length === 1) return `expected ${names[0] ?? ''}`;
  return names.length === 2 ? `expected ${names.join(' or ')}` : `expected one of ${names.join(', ')}`;
}

/** `unknown variant …`, as serde says it of an enum. */
export function unknownVariant(value: string, known: readonly unknown[]): string {
  return `unknown variant \`${value}\`, ${variants(known)}`;
}

function at(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined), input);
}

function expectation(expected: string, structName: string): string {
  switch (expected) {
    case 'string': return 'a string';
    case 'boolean': return 'a boolean';
    case 'number': case 'int': return 'u32';
    case 'array': return 'a sequence';
    default: return `struct ${structName}`;
  }
}

function issueText(issue: Issue, input: unknown, names: StructNames): string {
  const value = at(input, issue.path);
  const key = String(issue.path.at(-1) ?? '');
  const inner = names.inner?.[String(issue.path.filter((part) => typeof part === 'string').at(-1) ?? '')] ?? names.name;
  if (value === undefined) return `missing field \`${key}\``;
  switch (issue.code) {
    case 'invalid_value': return typeof value === 'string' ? unknownVariant(value, issue.values) : `invalid type: ${unexpected(value)}, expected string or map`;
    case 'too_small': case 'too_big': return `invalid value: ${unexpected(value)}, expected u32`;
    case 'invalid_union': return `data did not match any variant of untagged enum ${inner}`;
    case 'invalid_type': return `invalid type: ${unexpected(value)}, expected ${expectation(issue.expected, inner)}`;
    default: return `invalid value: ${unexpected(value)}, expected ${inner}`;
  }
}

/** Wrong values come first, in the order in which they stand in the request; what is missing is noticed at the end. */
function rank(issue: Issue, input: unknown): number {
  const keys = typeof input === 'object' && input !== null ? Object.keys(input) : [];
  const place = keys.indexOf(String(issue.path[0] ?? ''));
  return at(input, issue.path) === undefined ? keys.length : place;
}

/** Why parameters do not fit, in serde's words (`codex-history.md` §7.3). `issues` are those of the schema, at least one. */
export function serdeText(issues: readonly Issue[], input: unknown, names: StructNames): string {
  if (Array.isArray(input)) return `invalid length ${names.firstRequired}, expected struct ${names.name} with ${names.fields} elements`;
  if (typeof input !== 'object' || input === null) return `invalid type: ${unexpected(input)}, expected struct ${names.name}`;
  const [first] = [...issues].sort((a, b) => rank(a, input) - rank(b, input));
  return first ? issueText(first, input, names) : 'invalid parameters';
}
