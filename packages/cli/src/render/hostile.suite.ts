import fc from 'fast-check';

export const ESC = '\u001b';

/** Whatever a terminal could take for more than text: controls (tab and newline included), DEL, C1, line separators that end lines, bidi overrides and isolates. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
export const unsafe = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const pieces = fc.constantFrom(
  `${ESC}[2J`, `${ESC}[31m`, `${ESC}]0;title\u0007`, `${ESC}]8;;https://example.com${ESC}\\`, `${ESC}P1$r`, '\u009b5A', '\u009d', '\r', '\n', '\r\n', '\t', '\b', '\u0000', '\u007f', '\u202e', '\u2066',
  '\u2028', '配達', '👩‍👩‍👧', 'é', '`', '**', '::git-push{', '}', '---', 'a', ' ', '\ud800',
);

/** Words of somebody who wants the terminal to do something. */
export const hostile = fc.oneof(fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')), fc.string({ unit: 'binary' }));
