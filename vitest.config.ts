import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Read by every worker and every process that a test starts: compiling the same modules anew is a third of their time.
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.cache/compiled');

const conditions = ['@leeward/source'];

/** Packages whose test files share workers and what those have loaded: to load it anew for every file is half of their time. */
const sharing = ['accounts', 'cli', 'engine', 'http', 'rows', 'terms'].map(
  (name) => `packages/${name}/src/**/*.test.ts`,
);

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      { extends: true, test: { name: 'together', include: sharing, isolate: false } },
      {
        extends: true,
        test: { name: 'alone', include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'], exclude: sharing },
      },
    ],
    reporters: ['default', './test/support/skipped-reporter.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    execArgv: ['--conditions=@leeward/source', '--disable-warning=ExperimentalWarning'],
    // Vitest leaves one core of two unused; many tests wait for other processes.
    maxWorkers: '100%',
    // Only what hangs is ended: a machine with ten times its work is slow, not wrong.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
