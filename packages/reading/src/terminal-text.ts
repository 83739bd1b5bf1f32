/** Controls (C0 but newline and tab, DEL, C1) and the characters that turn the direction of what follows. */
// oxlint-disable-next-line no-control-regex -- these are the characters to be shown
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * [R-SEC-2] Text of a transcript as a terminal may print it: every control character, so every escape sequence and hyperlink too, and every bidi
 * override is written out (`\u{1b}`, `\u{202e}`). A carriage return before a newline is only the end of a line. Never throws; linear; the result is safe to pass through again.
 */
export function neutraliseTerminalText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unsafe, (char) => `\\u{${char.charCodeAt(0).toString(16)}}`);
}
