import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A bound for what hangs, not for what is slow: the machine may be busy with anything.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/each-file.ts'],
    reporters: ['default', './test/support/left-out-reporter.ts'],
    pool: 'forks',
    maxWorkers: 2,
  },
});
