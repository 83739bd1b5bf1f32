/** A message, and a block of one, as they stand in recorded requests. */
export interface WireMessage { readonly role: string; readonly content: unknown }
type Block = Record<string, unknown>;

const isBlock = (value: unknown): value is Block => typeof value === 'object' && value !== null && !Array.isArray(value);

function blocksOf(content: unknown): Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isBlock) : [];
}

const END = '</system-reminder>';

/** The text without reminders of the running program. */
function ownText(text: string): string {
  const own = text.trimStart().startsWith('<system-reminder>') ? text.slice(text.includes(END) ? text.lastIndexOf(END) + END.length : text.length) : text;
  const trimmed = own.trim();
  return trimmed === '(no content)' ? '' : trimmed;
}

function resultPart(part: Block): Block[] {
  if (part['type'] !== 'text' || typeof part['text'] !== 'string') return [part];
  const text = (part['text'].split('<system-reminder>')[0] ?? '').trim();
  return text === '' ? [] : [{ type: 'text', text }];
}

const names: Readonly<Record<string, string>> = { Task: 'Agent' };

function normalBlock(block: Block): Block[] {
  const { cache_control: _, ...rest } = block;
  switch (rest['type']) {
    case 'text': {
      const text = ownText(String(rest['text']));
      return text === '' ? [] : [{ type: 'text', text }];
    }
    case 'thinking': return [{ type: 'thinking', thinking: rest['thinking'] }];
    case 'tool_use': return [{ ...rest, name: names[String(rest['name'])] ?? rest['name'], input: rest['name'] === 'ExitPlanMode' ? {} : rest['input'] }];
    case 'tool_result': {
      const { is_error: isError, content, ...result } = rest;
      return [{ ...result, content: blocksOf(content).flatMap(resultPart), ...(isError === true ? { is_error: true } : {}) }];
    }
    default: return [rest];
  }
}

const isResult = ({ type }: Block): boolean => type === 'tool_result';

/** The form in which recorded and derived requests of Claude Code compare (claude-history §7.3). */
export function normalForm(messages: readonly WireMessage[]): { role: string; content: Block[] }[] {
  const out: { role: string; content: Block[] }[] = [];
  for (const { role, content } of messages) {
    const blocks = blocksOf(content).flatMap(normalBlock);
    if (role === 'system' || blocks.length === 0) continue;
    const last = out.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else out.push({ role, content: blocks });
  }
  return out.map(({ role, content }) => ({ role, content: [...content.filter(isResult), ...content.filter((block) => !isResult(block))] }));
}

const masked = (text: string): string => text.replace(/[A-Za-z]/g, 'x');

/** The corpus masks long texts of the program letter by letter, not always on both sides. Gives `got` with texts that are the same but for that as in `want`. */
export function asMasked(want: unknown, got: unknown): unknown {
  if (typeof want === 'string' && typeof got === 'string') return masked(want) === masked(got) && (masked(want) === want || masked(got) === got) ? want : got;
  if (Array.isArray(want) && Array.isArray(got)) return got.map((value, i) => asMasked(want[i], value));
  if (isBlock(want) && isBlock(got)) return Object.fromEntries(Object.entries(got).map(([key, value]) => [key, asMasked(want[key], value)]));
  return got;
}

/**
 * A request without what the program puts in when it opens a file that ends unanswered: "Continue from where you left off." behind an answer that is
 * missing, and "No response requested." as the answer. Both stand right before the new prompt.
 */
export function withoutResumeWords(messages: readonly { role: string; content: Block[] }[]): { role: string; content: Block[] }[] {
  const filler = messages.at(-2);
  const isFilled = filler?.role === 'assistant' && filler.content.at(-1)?.['text'] === 'No response requested.';
  if (!isFilled) return [...messages];
  const before = messages.slice(0, -2);
  const rest = filler.content.slice(0, -1);
  const asked = before.at(-1);
  const isAsked = rest.length === 0 && asked?.role === 'user' && asked.content.at(-1)?.['text'] === 'Continue from where you left off.';
  const asking = isAsked && asked ? [...before.slice(0, -1), { role: 'user', content: asked.content.slice(0, -1) }] : before;
  return normalForm([...asking, { role: 'assistant', content: rest }, ...messages.slice(-1)]);
}
