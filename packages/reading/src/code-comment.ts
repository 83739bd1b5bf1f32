function relativeTo(file: string, cwd: string | undefined): string {
  const folder = cwd?.replace(/\/$/, '');
  return folder !== undefined && folder !== '' && file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
}

function range(start: string | undefined, end: string | undefined): string {
  if (start === undefined) return '';
  return end === undefined ? `:${start}` : `:${start}-${end}`;
}

/** `1` and `P1` alike; none where the title says it. */
function priorityMark(priority: string | undefined, title: string): string {
  const digits = priority === undefined ? undefined : /^[Pp]?(\d{1,2})$/.exec(priority)?.[1];
  return digits === undefined || title.startsWith('[P') ? '' : `[P${digits}] `;
}

/** A review comment as an entry of a list: `- [P1] title — file:start-end`, its body indented below. Undefined where title, body or file is missing. */
export function codeCommentEntry(attributes: ReadonlyMap<string, string>, cwd: string | undefined): string | undefined {
  const [title, body, file] = ['title', 'body', 'file'].map((key) => attributes.get(key)?.trim());
  if (!title || !body || !file) return undefined;
  const place = `${relativeTo(file, cwd)}${range(attributes.get('start'), attributes.get('end'))}`;
  const below = body.split('\n').map((line) => `  ${line.trimEnd()}`.trimEnd());
  return [`- ${priorityMark(attributes.get('priority'), title)}${title} — ${place}`, ...below].join('\n');
}
