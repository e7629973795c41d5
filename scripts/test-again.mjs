// `node scripts/test-again.mjs [--bound-seconds=1800] [FILE…] [--option=value…]`: runs the tests of the current directory's project
// as `vitest run` with these arguments, and files with failed tests once more, alone. Tests that fail and then pass are printed
// as unstable. Fails if a test fails twice, if more than eight files fail, and at any crash, hang or unhandled error.
import os from 'node:os';
import { load, root } from './generate/source.mjs';

const { testAgain, abortedBySignals } = await load(`
export { testAgain } from './test/support/runs/test-again.ts';
export { abortedBySignals } from './test/support/runs/run-vitest.ts';
`);
const BOUND = '--bound-seconds=';
const args = process.argv.slice(2);
const bound = args.find((each) => each.startsWith(BOUND));
const boundSeconds = bound === undefined ? 1800 : Number(bound.slice(BOUND.length));
if (!(boundSeconds > 0)) {
  console.error(`${bound} is no bound: expected a number of seconds above 0.`);
  process.exit(2);
}
const signal = abortedBySignals();
try {
  const passes = await testAgain({
    root,
    project: process.cwd(),
    args: args.filter((each) => each !== bound),
    boundMs: boundSeconds * 1000,
    signal,
  });
  process.exitCode = passes ? 0 : 1;
} catch (error) {
  if (!signal.aborted) throw error;
  process.exitCode = 128 + os.constants.signals[signal.reason];
}
