const wrapper = /^(?:\S*\/)?(?:ba|z|da|k)?sh -l?c (?<word>.+)$/s;
const piece = /'(?<single>[^']*)'|"(?<double>(?:\\.|[^"\\])*)"|(?<bare>[^\s'"\\]+)/gys;

/** The text of one quoted shell word; undefined where there is more than one word or it is quoted otherwise. */
function unquoted(word: string): string | undefined {
  let text = '';
  let end = 0;
  for (const match of word.matchAll(piece)) {
    const { single, double, bare } = match.groups ?? {};
    text += single ?? bare ?? double?.replace(/\\(["\\$`])/g, '$1') ?? '';
    end = match.index + match[0].length;
  }
  return end === word.length ? text : undefined;
}

/** What a shell was told to do, without the shell around it: `bash -lc 'npm test'` is `npm test`. Anything else stays as it is. */
export function shellScript(command: string): string {
  const word = wrapper.exec(command)?.groups?.['word'];
  return (word === undefined ? undefined : unquoted(word)) ?? command;
}
