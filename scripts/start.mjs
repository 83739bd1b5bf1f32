// @ts-check
// npm start: installs and builds what is missing, then runs the command. `npm start -- show last` gives it other arguments than `list`.
import { build, install, run } from './setup.mjs';

for (const step of [install, build]) {
  const { code, output } = await step();
  if (code !== 0) {
    console.error(output);
    process.exit(code);
  }
}
const given = process.argv.slice(2);
const { code } = await run(process.execPath, ['packages/cli/bundle/main.js', ...(given.length > 0 ? given : ['list'])], { show: true });
process.exitCode = code;
