/** What is started as the daemon: the program beside this file. This one is CommonJS when it runs. */
import { runProgram } from '../boot/cached-program.js';

/** By then it listens, and whoever started it has had an answer: keeping the code takes some 10 ms, once. */
const KEEP_AFTER_MS = 1000;

const file = `${__dirname}/daemon-program.cjs`;
const { keepCode } = runProgram({ file, part: 'daemon', env: process.env, require });
setTimeout(keepCode, KEEP_AFTER_MS).unref();
