/** Entry file of the daemon process: runs the program beside this file. This one is CommonJS at run time. */
import { runProgram } from '../boot/cached-program.js';
import { PROGRAM_HASHES } from '../boot/program-hashes.js';

/**
 * Milliseconds until the code is kept. By then the daemon listens, and the starting client has its answer: storing takes some 10
 * ms, once.
 */
const KEEP_AFTER_MS = 1000;

const { keepCode, discardCode } = runProgram({
  file: `${__dirname}/daemon-program.cjs`,
  hash: PROGRAM_HASHES.daemon,
  part: 'daemon',
  env: process.env,
  require,
});
setTimeout(keepCode, KEEP_AFTER_MS).unref();
// The program did not start: the next start compiles anew, so that a bad cache cannot stop every later start.
process.once('exit', (status) => {
  if (status === 1) discardCode();
});
