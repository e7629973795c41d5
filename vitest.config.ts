import { configDefaults, defineConfig } from 'vitest/config';
import { OWN_MODULES, SHARED_BESIDE_PROCESSES, SHARED_MODULES } from './test/support/shared-modules.js';
import SlowFirst from './test/support/slow-first.js';

/** What every run of tests has, whichever files it takes. */
export const everyRun = {
  // A bound for what hangs, not for what is slow: the machine may be busy with anything.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/each-file.ts'],
  reporters: ['./test/support/progress-reporter.ts', './test/support/left-out-reporter.ts'],
  sequence: { sequencer: SlowFirst },
  pool: 'forks' as const,
  // For two cores: most of the end-to-end tests' time is waits, and with three workers a fifth of the cores' is idle.
  maxWorkers: 5,
};

const { exclude } = configDefaults;

const SHARED = [...SHARED_MODULES, ...SHARED_BESIDE_PROCESSES];

export default defineConfig({
  test: {
    ...everyRun,
    projects: [
      project('shared-modules', SHARED, OWN_MODULES, false),
      project('own-modules', OWN_MODULES, [], true),
      project('processes', ['test/**/*.test.ts'], [...SHARED, ...OWN_MODULES], true),
    ],
  },
});

function project(name: string, include: string[], others: string[], isolate: boolean) {
  return { extends: true as const, test: { name, include, exclude: [...exclude, ...others], isolate } };
}
