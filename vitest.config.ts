import { defineConfig } from 'vitest/config';

const conditions = ['@leeward/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    execArgv: ['--conditions=@leeward/source', '--disable-warning=ExperimentalWarning'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
