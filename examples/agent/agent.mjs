// @ts-check
// A small agent that keeps its memory on a native tape: `node agent.mjs --home DIR [--thread ID] [--publish URL] "What to do."`
// Its model is a script (model.mjs) and its one tool counts slowly, so that there is time to kill it. docs/tutorial.md walks through it.
import { deriveRequest, emptyContext, foldContext, plainProfile } from '@tapefold/context';
import { createNativePlayer } from '@tapefold/dialects';
import { openTape, publishTo } from '@tapefold/tapes';
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { respond } from './model.mjs';

const { values: options, positionals: [prompt = 'Count to 3.'] } = parseArgs({
  allowPositionals: true,
  options: { home: { type: 'string', default: 'tapes' }, thread: { type: 'string' }, delay: { type: 'string', default: '300' }, requests: { type: 'string' }, publish: { type: 'string' } },
});

// Whoever follows the thread at a server sees it as it streams; the token is the server's.
const live = options.publish === undefined ? undefined : publishTo({ url: options.publish, token: process.env['TAPEFOLD_TOKEN'] });

// 1. What the model reads is a fold of the tape: whatever is recorded, now or before, passes by here.
let context = emptyContext;
const tape = await openTape({
  home: options.home,
  threadId: options.thread,
  agent: { name: 'counting-agent', version: '1.0.0' },
  details: { cwd: process.cwd(), model: 'script-1' },
  createPlayer: createNativePlayer,
  onFact: (fact, ordinal) => {
    context = foldContext(context, fact, ordinal);
    live?.onFact(fact, ordinal);
  },
  onDelta: (delta) => {
    process.stdout.write(delta.text);
    live?.onDelta(delta);
  },
});
live?.start(tape);
console.log(`${tape.isNew ? 'new thread' : 'going on with'} ${tape.threadId}`);
if (tape.isNew) tape.inject({ role: 'developer', content: 'You count. Use the tool.' });

/** 2. The next request, as the provider wants it: calls that have no result on the tape get one that says so. */
function nextRequest() {
  const { body } = deriveRequest(context, { profile: plainProfile('responses'), reader: { value: tape.value } });
  return 'input' in body ? body.input : [];
}

/** The tool: counts, one number at a time. @param {import('@tapefold/tapes').CallItem} call @param {{ to: number }} input */
async function count(call, { to }) {
  const numbers = [];
  for (let n = 1; n <= to; n += 1) {
    await wait(Number(options.delay));
    numbers.push(n);
    call.delta(`${n} `);
  }
  return numbers.join(' ');
}

/** 3. One response of the model: words stream to the screen, the finished item goes on the tape. @param {import('@tapefold/tapes').TurnHandle} turn */
async function oneStep(turn) {
  const request = nextRequest();
  if (options.requests !== undefined) appendFileSync(options.requests, `${JSON.stringify(request)}\n`);
  const step = turn.step({ model: 'script-1' });
  const message = step.message();
  let text = '';
  let wanted;
  for await (const event of respond(request)) {
    if (event.type === 'text') {
      message.delta(event.text);
      text += event.text;
    } else wanted = event;
  }
  await message.complete({ text, phase: wanted ? 'commentary' : 'finalAnswer' });
  if (wanted) {
    // The call is on the tape before it runs: whatever happens now, nobody will think that nothing did.
    const call = step.call({ name: wanted.name, callId: wanted.callId, input: wanted.input });
    await tape.barrier();
    console.log();
    await call.complete({ output: await count(call, wanted.input) });
  }
  console.log();
  step.end({ finishReason: wanted ? 'tool_use' : 'stop', usage: { inputTokens: JSON.stringify(request).length, outputTokens: text.length } });
  return wanted !== undefined;
}

// 4. One turn: steps until the model wants no more tools. A kill at any point leaves a tape that the next run goes on with.
const turn = tape.turn(prompt);
while (await oneStep(turn));
turn.end();
await tape.close();
await live?.close();
