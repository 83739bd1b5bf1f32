const DAY_MS = 86_400_000;
const ZERO = 0x30;
/** `2026-01-31T23:59:59.999Z`, the one form that JavaScript writes of the years 0 to 9999: where its parts begin, and the signs between them. */
const FORM = '____-__-__T__:__:__.___Z';

/** The day that was converted last: the records of a session are of few days, and what a calendar costs is most of a conversion. */
let day = { text: '1970-01-01', index: 0 };

function dayOf(text: string): number | undefined {
  if (text === day.text) return day.index;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) return undefined;
  day = { text, index: ms / DAY_MS };
  return day.index;
}

const isDigit = (unit: number): boolean => unit >= ZERO && unit <= ZERO + 9;
const two = (text: string, at: number): number => (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;

/** Milliseconds of a text that says them in the one form; undefined for every other text. */
function msOf(text: string): number | undefined {
  if (text.length !== FORM.length) return undefined;
  for (let i = 10; i < FORM.length; i++) if (FORM[i] === '_' ? !isDigit(text.charCodeAt(i)) : text[i] !== FORM[i]) return undefined;
  const [hours, minutes, seconds] = [two(text, 11), two(text, 14), two(text, 17)];
  const ofDay = dayOf(text.slice(0, 10));
  if (ofDay === undefined || hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return ofDay * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + two(text, 20) * 10 + text.charCodeAt(22) - ZERO;
}

const padded = (number: number, digits: number): string => `${number}`.padStart(digits, '0');

/** A time as records write it, short: milliseconds since `fromMs` where that says the same text again, else the text. */
export function shortTime(at: string | undefined, fromMs = 0): number | string | undefined {
  if (at === undefined) return undefined;
  const ms = msOf(at);
  return ms === undefined ? at : ms - fromMs;
}

/** The time again. */
export function longTime(at: number | string | undefined, fromMs = 0): string | undefined {
  if (typeof at !== 'number') return at;
  const ms = at + fromMs;
  const ofDay = ms - day.index * DAY_MS;
  // Another day: the calendar tells, and is asked no more for those that follow.
  if (!(ofDay >= 0 && ofDay < DAY_MS)) {
    const text = new Date(ms).toISOString();
    dayOf(text.slice(0, 10));
    return text;
  }
  const seconds = Math.floor(ofDay / 1_000);
  return `${day.text}T${padded(Math.floor(seconds / 3_600), 2)}:${padded(Math.floor(seconds / 60) % 60, 2)}:${padded(seconds % 60, 2)}.${padded(ofDay % 1_000, 3)}Z`;
}
