/** Lines behind which a notification speaks to the model alone. */
const tail = /^<(?:output-file|output-preview|answer)/;

/**
 * The short form of a task's notification: title and body of a `<notification …>` block, joined by a newline; any other text as it is. Never throws.
 */
export function notificationText(text: string): string {
  const inner = /^\s*<notification\b[^>]*>\n?([\s\S]*?)<\/notification>\s*$/.exec(text)?.[1];
  if (inner === undefined) return text;
  const lines = inner.split('\n');
  const title = lines[0]?.startsWith('Title: ') ? lines.shift()?.slice('Title: '.length) : undefined;
  if (lines[0]?.startsWith('Severity: ')) lines.shift();
  const end = lines.findIndex((line) => tail.test(line));
  const body = (end < 0 ? lines : lines.slice(0, end)).join('\n').trim();
  const said = [title, body].filter((part) => part !== undefined && part !== '');
  return said.length ? said.join('\n') : text;
}
