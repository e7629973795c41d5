import { defineConfig } from 'vitest/config';
import SlowFirst from './test/support/slow-first.js';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A bound for what hangs, not for what is slow: the machine may be busy with anything.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/each-file.ts'],
    reporters: ['default', './test/support/left-out-reporter.ts'],
    sequence: { sequencer: SlowFirst },
    pool: 'forks',
    // For two cores: half of the end-to-end tests' time is waits.
    maxWorkers: 3,
  },
});
