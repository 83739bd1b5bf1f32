// @ts-check
// npm run build: compiles what changed, and bundles the command.
import { build } from './setup.mjs';

const { code, output } = await build();
if (output) console.error(output);
process.exitCode = code;
