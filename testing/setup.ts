import { configureGlobal } from 'fast-check';
import { afterAll, afterEach } from 'vitest';
import { clearFile, clearTest } from './afterwards.js';

// Set up anew for each file, so that these hooks run for each; they run after a file's own.
afterEach(clearTest);
afterAll(clearFile);

/**
 * How hard property tests try: `TAPEFOLD_RUNS` cases each (100; 2,000 in the long run), from the seed `TAPEFOLD_SEED`.
 * The seed is fixed by default so that a run is repeatable; the long run draws a new one, which fast-check prints with a failure.
 */
const long = process.env['TAPEFOLD_LONG'] === '1';
const runs = Number(process.env['TAPEFOLD_RUNS'] ?? (long ? 2_000 : 100));
const seed = process.env['TAPEFOLD_SEED'] ?? (long ? undefined : '20260101');

configureGlobal({ numRuns: runs, ...(seed === undefined ? {} : { seed: Number(seed) }) });
