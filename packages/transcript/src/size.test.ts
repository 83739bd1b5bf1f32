import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';

it('[R-OPS-11] the whole package is below 15 kB gzip without zod, and needs nothing else', async () => {
  const bundle = await rolldown({ input: fileURLToPath(new URL('./index.ts', import.meta.url)), external: ['zod'], platform: 'neutral' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const [chunk, ...others] = output;
  expect(others).toEqual([]);
  expect(chunk.imports).toEqual(['zod']);
  expect(gzipSync(chunk.code).length).toBeLessThan(15_000);
});
