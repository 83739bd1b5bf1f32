// @ts-check
// What is asked of a measurement, beside what came of it: said under its table, and on standard error where it was missed.

/** `asked`: the goal, `measured`: the figure that judges it. @typedef {{ readonly asked: string, readonly measured: string, readonly isMet: boolean }} Goal */

/** @param {readonly Goal[]} goals */
export const goalsText = (goals) => (goals.length === 0 ? 'Its goals are not judged at these sizes.' : ['Goals:', '', ...goals.map(({ asked, measured, isMet }) => `- ${asked}: ${measured}, **${isMet ? 'met' : 'missed'}**.`)].join('\n'));

/** @param {readonly Goal[]} goals @param {(text: string) => void} tell */
export function tellMissed(goals, tell) {
  for (const { asked, measured } of goals.filter(({ isMet }) => !isMet)) tell(`goal missed: ${asked}: ${measured}`);
}
