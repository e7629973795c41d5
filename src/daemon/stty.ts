/**
 * `stty`, asked by a small process that lives as long as the daemon: to start a program takes as long as copying the page
 * tables of its parent, which for a daemon with many screens is tens of milliseconds in which nothing else happens.
 *
 * One question at a time; the same question asked twice is asked once; and under many it rests three times as long as it
 * worked, since whoever watches fifty terminals must not use up a processor for it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

export type SttyFormat = '-a' | '-g';

/** Each line of its input is arguments; the answer ends with a NUL, the exit status and a newline. */
const SCRIPT = `while IFS= read -r arguments; do stty $arguments </dev/null; printf '\\000%d\\n' "$?"; done`;
const ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/local/bin', LC_ALL: 'C' };
const END = /\0(\d+)\n/;

/** One that hangs is ended, and the next question starts another. */
const TIMEOUT_MS = 2000;
const REST_FACTOR = 3;
const MAX_REST_MS = 50;

type Helper = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };

let helper: Helper | undefined;
const pending = new Map<string, Promise<string | undefined>>();
let turn: Promise<unknown> = Promise.resolve();

/** @param device path of the slave side; undefined when it is gone or there is no stty */
export function askStty(format: SttyFormat, device: string): Promise<string | undefined> {
  const question = `${process.platform === 'linux' ? '-F' : '-f'} ${device} ${format}`;
  const asked = pending.get(question);
  if (asked !== undefined) return asked;
  const answer = turn.then(() => {
    // From here on the answer may be older than a question like it.
    pending.delete(question);
    return ask(question);
  });
  pending.set(question, answer);
  const startMs = performance.now();
  turn = answer.then(() => (pending.size > 0 ? rest(performance.now() - startMs) : undefined));
  return answer;
}

async function ask(question: string): Promise<string | undefined> {
  const asked = (helper ??= start());
  const timer = setTimeout(() => asked.kill('SIGKILL'), TIMEOUT_MS);
  try {
    asked.stdin.write(`${question}\n`);
    let said = '';
    for (;;) {
      const [chunk] = (await once(asked.stdout, 'data')) as [Buffer];
      said += chunk.toString('latin1');
      const end = END.exec(said);
      if (end !== null) return end[1] === '0' ? said.slice(0, end.index) : undefined;
    }
  } catch {
    // It has ended: killed, or there is no shell.
    if (helper === asked) helper = undefined;
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

function start(): Helper {
  const child = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'pipe', 'ignore'], env: ENVIRONMENT });
  const end = (error?: Error): void => {
    if (helper === child) helper = undefined;
    // Who waits for its answer learns so.
    child.stdout.destroy(error ?? new Error('stty has ended'));
  };
  child.once('error', end);
  child.once('exit', () => end());
  child.stdin.on('error', () => {});
  child.stdout.on('error', () => {});
  // Neither it nor its pipes keep the daemon; it ends with them.
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) (pipe as { unref?: () => void }).unref?.();
  return child;
}

function rest(workedMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.min(workedMs * REST_FACTOR, MAX_REST_MS)).unref();
  });
}
