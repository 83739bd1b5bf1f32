import { StringDecoder } from 'node:string_decoder';

/** What came of the input: a line without its end, or the length of one that was too long and is skipped. */
export type InputLine = { readonly text: string; readonly bytes: number } | { readonly skippedBytes: number };

/**
 * Lines of an input, each at most `maxBytes` long; what follows in a longer line is dropped as it comes. A last line without an end counts. Blank lines
 * are left out.
 */
export async function* inputLines(input: AsyncIterable<Uint8Array | string>, maxBytes: number): AsyncGenerator<InputLine> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const take = (part: Buffer): void => {
    bytes += part.length;
    if (bytes <= maxBytes) parts.push(part);
    else parts = [];
  };
  const finished = (): InputLine | undefined => {
    const line: InputLine = bytes > maxBytes ? { skippedBytes: bytes } : { text: decoded(parts), bytes };
    parts = [];
    bytes = 0;
    return 'text' in line && line.text.trim() === '' ? undefined : line;
  };
  for await (const chunk of input) {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      take(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      const line = finished();
      if (line) yield line;
    }
    take(rest);
  }
  const last = finished();
  if (last) yield last;
}

function decoded(parts: readonly Buffer[]): string {
  const decoder = new StringDecoder('utf8');
  return parts.map((part) => decoder.write(part)).join('') + decoder.end();
}
