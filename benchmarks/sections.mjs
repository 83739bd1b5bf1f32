// @ts-check
// Parts of docs/benchmarks.md that are measured by themselves stand between two marks, so that one can be written without the others.

const startOf = (/** @type {string} */ name) => `<!-- ${name} -->`;
const endOf = (/** @type {string} */ name) => `<!-- /${name} -->`;

/** A part between its marks. @param {string} name @param {string} text */
export const sectionText = (name, text) => `${startOf(name)}\n${text}\n${endOf(name)}`;

/** The report with a part put in the place of its older one, or at its end. @param {string} report @param {string} name @param {string} text */
export function withSection(report, name, text) {
  const section = sectionText(name, text);
  const [before = '', rest] = report.split(startOf(name));
  return rest === undefined ? `${report.trimEnd()}\n\n${section}\n` : `${before}${section}${rest.split(endOf(name))[1] ?? '\n'}`;
}

/** What a report holds of a part. @param {string} report @param {string} name @returns {string | undefined} */
export const sectionOf = (report, name) => report.split(startOf(name))[1]?.split(endOf(name))[0]?.trim();
