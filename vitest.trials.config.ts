import { defineConfig } from 'vitest/config';
import { SUITE_OF_TRIAL } from './trials/of-suite.mjs';
import { everyRun } from './vitest.config.js';

const ofSuite = Object.values(SUITE_OF_TRIAL).flatMap((files) => files.map((file) => `test/${file}.test.ts`));

/** Trials that are test files, for `npm run trials -- NAME`. Not merged with the other configuration: mergeConfig joins lists. */
export default defineConfig({
  test: { ...everyRun, include: ['trials/*/*.test.ts', ...ofSuite], env: { T4A_TEST_TRIAL: '1' } },
});
