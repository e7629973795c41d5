import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('the client needs no package at run time, so that a call costs little more than bare Node', async () => {
  const entry = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url));
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'warning',
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs).toContain('src/client/open-connection.ts');
  expect(inputs.filter((input) => input.includes('node_modules'))).toEqual([]);
});
