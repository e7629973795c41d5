/** One TypeScript file of the tests as a program that Node runs by itself. */
import { build } from 'esbuild';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @param source path relative to test/support/programs */
export async function bundleProgram(source: string, directory: string): Promise<string> {
  const outfile = join(directory, basename(source).replace(/\.ts$/, '.mjs'));
  const entry = fileURLToPath(new URL(`programs/${source}`, import.meta.url));
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  return outfile;
}
