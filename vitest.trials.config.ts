import { defineConfig } from 'vitest/config';
import { everyRun } from './vitest.config.js';

/** Trials that are test files, for `npm run trials -- NAME`. Not merged with the other configuration: mergeConfig joins lists. */
export default defineConfig({
  test: { ...everyRun, include: ['trials/*/*.test.ts'], env: { T4A_TEST_TRIAL: '1' } },
});
