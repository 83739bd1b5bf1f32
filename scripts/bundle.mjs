// @ts-check
// The command as a few files: Node takes a millisecond for each module that it loads, and the command line and its packages are seven hundred.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'packages/cli/bundle');

/** Libraries that are loaded from where they are installed; all else is ours, but for zod, which comes in a hundred files. @param {string} id */
const isExternal = (id) => id.startsWith('node:') || (/^[@a-z]/.test(id) && !id.startsWith('@tapefold/') && !/^zod(?:\/|$)/.test(id));

/** The engine keeps the text of each file, in two bytes a character where one of them needs two: so they are escaped. @param {string} code */
function inOneByte(code) {
  const escaped = /\\[^\0-\u00ff]|String\.raw`[^`]*[^\0-\u00ff`]/u.exec(code);
  if (escaped) throw new Error(`a character in "${escaped[0]}" cannot be written as an escape`);
  return code.replaceAll(/[^\0-\u00ff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Bundles what `tsc -b` built: the command, and the thread in which it indexes. @returns {Promise<{ code: number, output: string }>} */
export async function bundle() {
  try {
    rmSync(target, { recursive: true, force: true });
    const entries = { main: join(root, 'packages/cli/dist/main.js'), 'index-worker': join(root, 'packages/store/dist/source/index-worker.js') };
    const made = await rolldown({ input: entries, platform: 'node', external: isExternal });
    const { output } = await made.generate({ format: 'esm', comments: false });
    mkdirSync(target);
    for (const file of output) if (file.type === 'chunk') writeFileSync(join(target, file.fileName), inOneByte(file.code));
    copyFileSync(join(root, 'node_modules/zod/LICENSE'), join(target, 'LICENSE-zod'));
    return { code: 0, output: '' };
  } catch (error) {
    return { code: 1, output: `the command could not be bundled: ${error instanceof Error ? error.message : String(error)}\n` };
  }
}
