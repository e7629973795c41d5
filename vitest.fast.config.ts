import { defineConfig } from 'vitest/config';
import { OWN_MODULES, SHARED_MODULES } from './test/support/shared-modules.js';
import { everyRun } from './vitest.config.js';

/**
 * For while one works: the tests that start no process and take no more than two seconds a file. Not merged with the other
 * configuration, since mergeConfig joins lists: all tests would be included. The files share their modules; loading them
 * anew for each file would double the time.
 */
export default defineConfig({
  test: {
    ...everyRun,
    isolate: false,
    // They wait for nothing.
    maxWorkers: 2,
    include: [...SHARED_MODULES, 'test/boot/**/*.test.ts', 'test/architecture.test.ts'],
    exclude: [
      ...OWN_MODULES,
      // They take seconds: large pictures, many random cases, waits for memory.
      'test/render/**/{combining-marks,deflate,kept-bytes,kept-pictures,palette-change,png}.test.ts',
      'test/vt/**/{chunking,hostile-output,row-ansi,snapshot-content}.test.ts',
      'test/{base/json-places,search/regex,protocol/requests}.test.ts',
      '**/slow-waits.test.ts',
    ],
  },
});
