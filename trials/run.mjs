// `npm run fuzz|chaos|soak|memory|pictures [-- --flag value…]` and `npm run trials -- NAME [ARGUMENT…] [--flag value…]`: bundles the
// trial NAME.ts and runs it, or runs vitest on the tests in NAME/ and those of the suite that of-suite.mjs has for it, with the arguments
// of vitest; exits non-zero on any loss.
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { SUITE_OF_TRIAL } from './of-suite.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const [name, ...rest] = process.argv.slice(2);
const ofTests = readdirSync(here, { withFileTypes: true })
  // Directories with a dot are other trials that run, and may go.
  .filter((each) => each.isDirectory() && !each.name.startsWith('.'))
  .map((each) => each.name)
  .filter((each) => readdirSync(path.join(here, each)).some((file) => file.endsWith('.test.ts')))
  .concat(Object.keys(SUITE_OF_TRIAL));
if (name === 'by-client') {
  const vitest = path.join(here, '../node_modules/vitest/vitest.mjs');
  const args = ['run', ...(rest.some((each) => each.startsWith('test/')) ? [] : ['test/cli/']), ...rest];
  const env = { ...process.env, T4A_TEST_WAY: 'client' };
  process.exit(
    spawnSync(process.execPath, [vitest, ...args], { cwd: path.dirname(here), stdio: 'inherit', env }).status ?? 1,
  );
}
if (ofTests.includes(name)) {
  const vitest = path.join(here, '../node_modules/vitest/vitest.mjs');
  const files = (SUITE_OF_TRIAL[name] ?? []).map((file) => `test/${file}.test.ts`);
  const args = ['run', '--config', 'vitest.trials.config.ts', `trials/${name}/`, ...files, ...rest];
  const { status } = spawnSync(process.execPath, [vitest, ...args], { cwd: path.dirname(here), stdio: 'inherit' });
  process.exit(status ?? 1);
}
const entry = path.join(here, `${name}.ts`);
if (name === undefined || !existsSync(entry)) {
  const names = readdirSync(here).flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : []));
  console.error(`which trial? One of ${[...new Set([...names, ...ofTests])].join(', ')}: npm run trials -- NAME`);
  process.exit(2);
}

// Beside the sources, so that packages outside of the bundles are found.
const out = mkdtempSync(path.join(here, '.run-'));
const clean = () => rmSync(out, { recursive: true, force: true, maxRetries: 5 });
process.once('exit', clean);
const outfile = path.join(out, `${name}.mjs`);
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external: ['node-pty', '@napi-rs/canvas', 'sharp'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
// A flag takes a number or a text, as its default is; arguments are flags that need no name.
const { FLAGS, ARGUMENTS = [], trial } = await import(pathToFileURL(outfile).href);
const options = Object.fromEntries(Object.keys(FLAGS).map((flag) => [flag, { type: 'string' }]));
const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: ARGUMENTS.length > 0 });
if (positionals.length > ARGUMENTS.length) throw new Error(`${name} takes ${ARGUMENTS.length} arguments at most`);
for (const [at, value] of positionals.entries()) values[ARGUMENTS[at]] = value;
const settings = Object.fromEntries(
  Object.entries(FLAGS).map(([flag, standard]) => {
    const given = values[flag];
    return [flag, given === undefined ? standard : typeof standard === 'number' ? Number(given) : given];
  }),
);
if ('seed' in settings) settings.seed ||= Math.floor(Math.random() * 2 ** 31);
console.log(
  `${name}: ${Object.entries(settings)
    .filter(([, value]) => value !== '')
    .map(([flag, value]) => `--${flag} ${value}`)
    .join(' ')}`,
);
const start = performance.now();
const { figures, failures } = await trial({ ...settings, root: path.dirname(here) });
for (const [what, value] of figures) console.log(`  ${what.padEnd(48)}${value}`);
for (const failure of failures) console.log(`LOST  ${failure}`);
console.log(
  `${failures.length === 0 ? 'nothing was lost' : `${failures.length} losses`} in ${((performance.now() - start) / 1000).toFixed(0)} s`,
);
process.exit(failures.length === 0 ? 0 : 1);
