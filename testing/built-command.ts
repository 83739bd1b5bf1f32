import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../packages', import.meta.url));
const main = `${packages}/cli/bundle/main.js`;
const changedAtMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Path of the command as it is built. Throws where it is older than what it is built of: a test of it would test another program. */
export function builtCommand(): string {
  const compiledAtMs = Math.max(...readdirSync(packages).map((name) => changedAtMs(`${packages}/${name}/dist/.tsbuildinfo`)));
  if (changedAtMs(main) < compiledAtMs) throw new Error(`${main} is missing or older than what it is built of: run npm run build.`);
  return main;
}
