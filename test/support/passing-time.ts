/** A daemon whose time goes on when a test says so, for what it does after many seconds. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DIST } from './daemon.js';
import { tempDir } from './temp-dir.js';

export interface PassingTime {
  /** Of the daemon, to be given to `replace`. Those that take its place after it are the same. */
  readonly entry: string;
  /** So many milliseconds pass at once: what becomes due in them is run, in its order. */
  readonly pass: (pid: number, ms: number) => void;
}

/** Timers that are not due by then keep their places: they are late. */
const TIME = `
const { readFileSync } = require('node:fs');
const { setTimeout: start, clearTimeout: stop } = globalThis;
const now = performance.now.bind(performance);
const wallNow = Date.now;
const timers = new Map();
let passedMs = 0;
performance.now = () => now() + passedMs;
Date.now = () => wallNow() + passedMs;
globalThis.setTimeout = (callback, ms = 1, ...args) => {
  const run = () => { timers.delete(timer); callback(...args); };
  const timer = start(run, ms);
  timers.set(timer, { run, dueMs: performance.now() + ms });
  return timer;
};
globalThis.clearTimeout = (timer) => { timers.delete(timer); stop(timer); };
process.on('SIGUSR2', () => {
  passedMs += Number(readFileSync(process.argv[1] + '.ms', 'utf8'));
  const due = [...timers].filter(([, { dueMs }]) => dueMs <= performance.now());
  for (const [timer, { run }] of due.sort(([, a], [, b]) => a.dueMs - b.dueMs)) {
    if (!timers.has(timer)) continue;
    stop(timer);
    run();
  }
});
`;

export function passingTime(): PassingTime {
  const entry = path.join(tempDir().path, 'daemon.cjs');
  writeFileSync(entry, `${TIME} require(${JSON.stringify(path.join(DIST, 'daemon.cjs'))});`, { mode: 0o600 });
  const pass = (pid: number, ms: number): void => {
    writeFileSync(`${entry}.ms`, String(ms));
    process.kill(pid, 'SIGUSR2');
  };
  return { entry, pass };
}
