import { type Fact, factSchema } from '@tapefold/facts';
import fc from 'fast-check';

/* Facts of every type, made from the schema itself: a new type or field is tried as soon as it is there. */

interface Definition {
  readonly type: string;
  readonly shape?: Record<string, Schema>;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly options?: readonly Schema[];
  readonly valueType?: Schema;
  readonly values?: readonly unknown[];
  readonly entries?: Record<string, string>;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string; readonly format?: string; readonly pattern?: RegExp } } }[];
}
interface Schema { readonly def: Definition }

const text = fc.constantFrom('', 'hello', 'two\nlines', '日本 😀', '__proto__', 'constructor', '"quoted" \\ \u2028', '\u0000', 'x'.repeat(300));
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const key = fc.tuple(fc.constantFrom('a', 'codex/01#x', 'b/ü'), fc.nat({ max: 99 })).map(([tape, ordinal]) => `${tape}#${ordinal}`);

function stringOf(definition: Definition): fc.Arbitrary<unknown> {
  const checks = definition.checks?.map(({ _zod }) => _zod.def) ?? [];
  if (checks.some(({ format }) => format === 'regex')) return key;
  return checks.length ? text.map((value) => value || 'tape') : text;
}

function numberOf(definition: Definition): fc.Arbitrary<unknown> {
  const isWhole = definition.checks?.some(({ _zod }) => _zod.def.check === 'number_format') ?? false;
  return isWhole ? fc.oneof(fc.nat(), fc.constantFrom(0, Number.MAX_SAFE_INTEGER)) : fc.oneof(fc.nat(), fc.constantFrom(-1, 0.5, 1e300, 1_767_323_046_000));
}

function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  const { def } = schema;
  switch (def.type) {
    case 'string': return stringOf(def);
    case 'number': return numberOf(def);
    case 'boolean': return fc.boolean();
    case 'literal': return fc.constantFrom(...(def.values ?? []));
    case 'enum': return fc.constantFrom(...Object.values(def.entries ?? {}));
    case 'array': return fc.array(arbitraryOf(def.element as Schema), { maxLength: 2 });
    case 'record': return fc.dictionary(fc.constantFrom('a', 'b', 'constructor', '7'), arbitraryOf(def.valueType as Schema), { maxKeys: 2 });
    case 'union': return fc.oneof(...(def.options ?? []).map(arbitraryOf));
    case 'nullable': return fc.option(arbitraryOf(def.innerType as Schema));
    case 'custom': return json;
    case 'object': return objectOf(def.shape ?? {});
    default: throw new Error(`no arbitrary for a schema of type ${def.type}`);
  }
}

function objectOf(shape: Record<string, Schema>): fc.Arbitrary<unknown> {
  const required: string[] = [];
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, field] of Object.entries(shape)) {
    const isOptional = field.def.type === 'optional';
    if (!isOptional) required.push(name);
    fields[name] = arbitraryOf(isOptional ? field.def.innerType as Schema : field);
  }
  return fc.record(fields, { requiredKeys: required, noNullPrototype: true });
}

const types = (factSchema as unknown as Schema).def.options ?? [];

/** The names of all fact types. */
export const factTypes: readonly string[] = types.map(({ def }) => String(def.shape?.['type']?.def.values?.[0]));

/** A valid fact of one type; references point anywhere. */
export function factOf(type: string): fc.Arbitrary<Fact> {
  return arbitraryOf(types[factTypes.indexOf(type)] as Schema) as fc.Arbitrary<Fact>;
}

/** A valid fact of any type. */
export const anyFact: fc.Arbitrary<Fact> = fc.oneof(...factTypes.map(factOf));
