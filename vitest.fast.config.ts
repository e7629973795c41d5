import { defineConfig } from 'vitest/config';
import whole from './vitest.config.js';

/**
 * For while one works: the tests that start no process and take no more than two seconds a file. Not merged with the other
 * configuration, since mergeConfig joins lists: all tests would be included. The files share their modules; loading them
 * anew for each file would double the time.
 */
export default defineConfig({
  test: {
    ...whole.test,
    isolate: false,
    // They wait for nothing.
    maxWorkers: 2,
    include: [
      'test/{base,boot,protocol,tools,vt,events}/**/*.test.ts',
      'test/cli/{argv,prepare,present}/**/*.test.ts',
      'test/cli/{exit-status,prepare*,present*,setting}.test.ts',
      'test/daemon/{input,reading,turns}/**/*.test.ts',
      'test/render/{fonts,sprites,png,raster,vector}/**/*.test.ts',
      'test/architecture.test.ts',
    ],
    exclude: [
      // It needs a library without patches, and shared modules have patched it.
      'test/vt/xterm/patches.test.ts',
      // They start processes.
      '**/{code-cache,cached-program,help,replies,texts}.test.ts',
      // They take seconds: large pictures, many random cases, waits for memory.
      'test/render/**/{combining-marks,deflate,kept-bytes,kept-pictures,palette-change,png}.test.ts',
      'test/vt/**/{chunking,control-strings,hostile-output,hyperlinks,row-ansi,snapshot-content}.test.ts',
      'test/{base/json-places,events/osc-memory,events/search/regex,protocol/requests}.test.ts',
      '**/slow-waits.test.ts',
    ],
  },
});
