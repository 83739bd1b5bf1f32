export { type CorpusFile, codexRollouts } from './dialects/corpus.js';
export { BrokenLaw, type MakePlayer, type Played, checkCheckpoints, checkFacts, checkLinksAreAlive, checkPrefixes, checkReferences, playAll } from './dialects/laws.js';
export { fileOf, lineOf, linesOf } from './dialects/lines.js';
export { minimal, mutated } from './dialects/mutate.js';
export { type Random, randomFrom } from './dialects/random.js';
export { compareRecordings } from './oracle/compare.js';
export { type RecordedHome, recordedAnswer, recordedHomes } from './oracle/homes.js';
