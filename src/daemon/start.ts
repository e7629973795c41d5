/** What is started as the daemon: the program beside this file. This one is CommonJS when it runs. */
import { runProgram } from '../boot/cached-program.js';
import { PROGRAM_HASHES } from '../boot/program-hashes.js';

/** By then it listens, and whoever started it has had an answer: keeping the code takes some 10 ms, once. */
const KEEP_AFTER_MS = 1000;

const { keepCode, discardCode } = runProgram({
  file: `${__dirname}/daemon-program.cjs`,
  hash: PROGRAM_HASHES.daemon,
  part: 'daemon',
  env: process.env,
  require,
});
setTimeout(keepCode, KEEP_AFTER_MS).unref();
// It could not start, for whatever reason: the next one compiles, so that kept code cannot stop every one to come.
process.once('exit', (status) => {
  if (status === 1) discardCode();
});
