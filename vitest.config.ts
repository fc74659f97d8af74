import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import { nodeFlags, sourceFlags } from './test/support/node-flags.ts';
import SpreadWaiting from './test/support/spread-waiting.ts';

// Read by every worker and every process that a test starts: compiling the same modules anew is a third of their time.
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.cache/compiled');

// Node 22 runs all of the source but `using`: there that is lowered as it loads, in workers and in all that tests start.
if (Number.parseInt(process.versions.node, 10) < 24) {
  const lower = pathToFileURL(resolve(import.meta.dirname, 'test/support/lower-using.js')).href;
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --import=${lower}`.trim();
}

/** What watches the calls of a function inside a module: its loader rewrites what is imported. */
const watching = ['test/suggestions.test.ts'];
/** What measures turns of the event loop, or looks for what is left in a process: with nothing in it of other files, run as it is served. */
const alone = ['test/worst.test.ts', 'test/leaks.test.ts'];

/** Most of what a test makes is garbage when it ends: a large nursery is emptied seldom. */
const forTests = [...nodeFlags, '--min-semi-space-size=64', '--max-semi-space-size=64'];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/*/*/src/**/*.test.ts'],
          execArgv: forTests,
          // To load a package anew for every file that tests it is half of their time.
          isolate: false,
        },
      },
      {
        extends: true,
        // With workers of their own: what they ask is held against the document, and a worker that has loaded less collects its garbage
        // in less time.
        test: {
          name: 'journeys',
          include: ['test/**/*.test.ts'],
          exclude: [...alone, ...watching],
          execArgv: forTests,
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone, execArgv: sourceFlags } },
      {
        extends: true,
        test: {
          name: 'watching',
          include: watching,
          execArgv: forTests,
          experimental: { viteModuleRunner: false, nodeLoader: true },
        },
      },
    ],
    // The source runs as it stands, by Node itself: nothing is transformed, and what is compiled is kept. What each file
    // loads is written down for `--changed`.
    experimental: { viteModuleRunner: false, nodeLoader: false, recordDependencies: true },
    reporters: ['default', './test/support/skipped-reporter.ts'],
    sequence: { sequencer: SpreadWaiting },
    setupFiles: ['test/support/property-seed.ts'],
    // A third on two cores ends a tenth sooner, since many tests wait, and costs a seventh more: they share their caches.
    maxWorkers: availableParallelism(),
    // Only what hangs is ended: a machine with ten times its work is slow, not wrong.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
