/*
 * Law: a text and its folded form have the same length, so that a place in one is the place in the other; texts that differ only in case, or in what kind of
 * blank stands somewhere, have one folded form.
 */

/** Letters that are equal to another in any case, and that lowering leaves alone. */
const twins: Readonly<Record<string, string>> = {
  'ς': 'σ', 'ſ': 's', 'ϐ': 'β', 'ϑ': 'θ', 'ϕ': 'φ', 'ϖ': 'π', 'ϰ': 'κ', 'ϱ': 'ρ', 'ϵ': 'ε', 'ẛ': 'ṡ', '\u1fbe': 'ι', '\u0345': 'ι', 'µ': 'μ', '\u1c80': 'в', '\u1c81': 'д', '\u1c82': 'о', '\u1c83': 'с', '\u1c84': 'т', '\u1c85': 'т',
  '\u1c86': 'ъ', '\u1c87': 'ѣ', '\u1c88': 'ꙋ', '\u1fd3': '\u0390', '\u1fe3': '\u03b0', '\ufb05': '\ufb06',
};
const twin = new RegExp(`[${Object.keys(twins).join('')}]`, 'g');
/** Blanks but the space itself; what no text of a database can hold, NUL and halves of pairs. */
const blank = /[^\S ]/g;
const unstorable = /\0|\p{Surrogate}/gu;
/** Whether there may be any: much quicker to tell. */
const maybeUnstorable = /[\0\ud800-\udfff]/;

function lowered(text: string): string {
  const whole = text.toLowerCase();
  // A few letters have a longer lower case: they stay as they are.
  return whole.length === text.length ? whole : Array.from(text, (char) => { const lower = char.toLowerCase(); return lower.length === char.length ? lower : char; }).join('');
}

/** The text as it is compared. Linear; never throws. */
export function foldText(text: string): string {
  const folded = lowered(text).replace(twin, (char) => twins[char] ?? char).replace(blank, ' ');
  return maybeUnstorable.test(folded) ? folded.replace(unstorable, '\ufffd') : folded;
}
