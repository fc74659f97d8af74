import { configureGlobal } from 'fast-check';
import { testVolume } from './test-volume.ts';

// One seed a run, so that what passed passes again; another one finds other cases: LEEWARD_SEED=7 npm test. With one seed more runs find
// nothing that the first time did not: many are for the nightly run.
configureGlobal({ seed: Number(process.env['LEEWARD_SEED'] ?? 20261120), numRuns: testVolume(40) });
