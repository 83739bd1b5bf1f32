// @ts-check
// A model that needs no network: it answers by what stands last in the request, a few letters at a time.

/** @typedef {{ type: 'text', text: string } | { type: 'call', name: string, callId: string, input: { to: number } }} ModelEvent */

/** @param {string} text @returns {Generator<ModelEvent>} */
function* words(text) {
  for (const word of text.split(/(?<= )/)) yield { type: 'text', text: word };
}

/** The number that was asked for last. @param {readonly Record<string, any>[]} input */
function asked(input) {
  const texts = input.flatMap(({ type, role, content }) => (type === 'message' && role === 'user' ? [String(content[0]?.text)] : []));
  return Number(texts.reverse().map((text) => /\d+/.exec(text)?.[0]).find((number) => number !== undefined) ?? 3);
}

/** @param {readonly Record<string, any>[]} input @returns {AsyncGenerator<ModelEvent>} */
export async function* respond(input) {
  const last = input.at(-1) ?? {};
  const to = asked(input);
  const calls = input.filter(({ type }) => type === 'function_call').length;
  if (last['type'] === 'function_call_output') {
    yield* words(`I counted: ${String(last['output'])}.`);
    return;
  }
  const isUnknown = input.some(({ type, output }) => type === 'function_call_output' && /unknown/.test(String(output)));
  yield* words(isUnknown ? 'The last count was cut off, so I begin again. ' : `I will count to ${to}. `);
  yield { type: 'call', name: 'count', callId: `count-${calls + 1}`, input: { to } };
}
