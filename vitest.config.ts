import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Read by every worker and every process that a test starts: compiling the same modules anew is a third of their time.
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.cache/compiled');

const conditions = ['@leeward/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', './test/support/skipped-reporter.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    execArgv: ['--conditions=@leeward/source', '--disable-warning=ExperimentalWarning'],
    // Vitest leaves one core of two unused; many tests wait for other processes.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
