import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import { nodeFlags, sourceFlags } from './test/support/node-flags.ts';
import SpreadWaiting from './test/support/spread-waiting.ts';

// Shared by all workers and child processes: compiling the same modules again takes a third of their time.
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.cache/compiled');

// Node 22 does not support `using`: a loader lowers it in workers and child processes.
if (Number.parseInt(process.versions.node, 10) < 24) {
  const lower = pathToFileURL(resolve(import.meta.dirname, 'test/support/lower-using.js')).href;
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --import=${lower}`.trim();
}

/** Tests that spy on functions inside a module. They need a loader that rewrites imports. */
const watching = ['test/suggestions.test.ts'];
/** Tests that measure the event loop or look for leaks. Each runs in a process without other tests, with the flags of a service. */
const alone = ['test/worst.test.ts', 'test/leaks.test.ts'];

/** Tests leave much garbage: a large young generation is collected less often. */
const forTests = [...nodeFlags, '--min-semi-space-size=64', '--max-semi-space-size=64'];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/*/*/src/**/*.test.ts', 'data-recipes/**/*.test.ts'],
          execArgv: forTests,
          // Loading packages again for every test file takes half of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        // Separate workers: journeys validate each response against the document, and smaller heaps are collected faster.
        test: {
          name: 'journeys',
          include: ['test/**/*.test.ts', 'corpora/*.test.ts'],
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
    // Node runs the source without a transform and caches compiled code. `--changed` uses the recorded imports.
    experimental: { viteModuleRunner: false, nodeLoader: false, recordDependencies: true },
    reporters: ['default', './test/support/skipped-reporter.ts'],
    sequence: { sequencer: SpreadWaiting },
    setupFiles: ['test/support/property-seed.ts'],
    // A third worker on two cores is 10 % faster, because many tests wait, but uses 14 % more processor time.
    maxWorkers: availableParallelism(),
    // Ends hanging tests only. A busy machine is slow, not wrong.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
