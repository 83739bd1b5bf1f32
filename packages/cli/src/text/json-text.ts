import type { JsonValue } from '@tapefold/facts';

type Task = { readonly text: string } | { readonly value: unknown };

const keysOf = (value: object): string[] => Object.keys(value).filter((key) => (value as Record<string, unknown>)[key] !== undefined);

/** The pieces of one container, in order; scalars and `null` have none. */
function piecesOf(value: object): Task[] {
  if (Array.isArray(value)) {
    const items = (value as unknown[]).flatMap((item, i): Task[] => [{ text: i === 0 ? '' : ',' }, { value: item }]);
    return [{ text: '[' }, ...items, { text: ']' }];
  }
  const members = keysOf(value).flatMap((key, i): Task[] => [{ text: `${i === 0 ? '' : ','}${JSON.stringify(key)}:` }, { value: (value as Record<string, unknown>)[key] }]);
  return [{ text: '{' }, ...members, { text: '}' }];
}

/** As `JSON.stringify` for plain JSON, with a stack of its own: no nesting is too deep for it. */
function deepJsonText(root: unknown): string {
  const out: string[] = [];
  const tasks: Task[] = [{ value: root }];
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    if ('text' in task) out.push(task.text);
    else if (typeof task.value !== 'object' || task.value === null) out.push(JSON.stringify(task.value) ?? 'null');
    else for (const piece of piecesOf(task.value).reverse()) tasks.push(piece);
  }
  return out.join('');
}

/** JSON on one line. `JSON.stringify` recurses and gives up at some thousand levels, which a hostile transcript has. Never throws for JSON. */
export function jsonText(value: JsonValue | object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return deepJsonText(value);
    throw error;
  }
}
