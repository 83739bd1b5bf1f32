import { readFileSync } from 'node:fs';

/** The version of this installation, as its manifest says it. */
export const version = (): string => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
};
