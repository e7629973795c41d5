import { defineConfig, mergeConfig } from 'vitest/config';
import whole from './vitest.config.js';

/** For while one works: the tests that start no process and draw no large pictures. */
export default mergeConfig(
  whole,
  defineConfig({
    test: {
      include: [
        'test/{base,boot,protocol,tools,vt,events}/**/*.test.ts',
        'test/cli/{argv,prepare,present}/**/*.test.ts',
        'test/cli/{exit-status,prepare*,present*,settings,setting}.test.ts',
        'test/daemon/{input,reading,turns}/**/*.test.ts',
        'test/render/{fonts,sprites,png,raster,vector}/**/*.test.ts',
        'test/architecture.test.ts',
      ],
      exclude: [
        '**/{code-cache,cached-program}.test.ts',
        '**/{png,palette-change,kept-pictures,kept-bytes,hostile-output,slow-waits}.test.ts',
      ],
    },
  }),
);
