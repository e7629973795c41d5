/**
 * The process that runs `stty`, one question at a time. Each question gets an answer in time, even if the process
 * fails.
 */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { Disposable } from '../../base/lifetime.js';
import { withoutInherited } from './inherited-descriptors.js';

/** Each line of its input holds arguments; the answer ends with a NUL, the exit status and a newline. */
const SCRIPT = `while IFS= read -r arguments; do stty $arguments </dev/null; printf '\\000%d\\n' "$?"; done`;
const ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/local/bin', LC_ALL: 'C' };
const END = /\0(\d+)\n/;

const TIMEOUT_MS = 2000;

type Child = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };

export class SttyProcess implements Disposable {
  readonly #child: Child;
  #output = '';
  #answer: ((output: string | undefined) => void) | undefined;
  #ended = false;

  /** @param script for a shell; tests pass other scripts */
  constructor(script = SCRIPT) {
    this.#child = start(script);
    const { stdin, stdout } = this.#child;
    stdout.on('data', (chunk: Buffer) => this.#received(chunk));
    stdin.on('error', () => {});
    stdout.on('error', () => {});
    // Any of these may come first, and some never come.
    for (const source of [this.#child, stdout]) source.once('close', () => this.#end());
    this.#child.once('error', () => this.#end()).once('exit', () => this.#end());
    // Neither the process nor its pipes keep the daemon alive; it ends with them.
    this.#child.unref();
    for (const pipe of [stdin, stdout]) (pipe as { unref?: () => void }).unref?.();
  }

  /** Use another process from then on. */
  get ended(): boolean {
    return this.#ended;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * One at a time. @returns the output; undefined if stty fails, the process has ended, or it takes too long, which
   * ends it
   */
  ask(question: string, timeoutMs = TIMEOUT_MS): Promise<string | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.dispose();
      }, timeoutMs);
      this.#output = '';
      this.#answer = (output) => {
        clearTimeout(timer);
        this.#answer = undefined;
        resolve(output);
      };
      this.#child.stdin.write(`${question}\n`);
    });
  }

  dispose(): void {
    this.#child.kill('SIGKILL');
    this.#end();
  }

  #received(chunk: Buffer): void {
    this.#output += chunk.toString('latin1');
    const end = END.exec(this.#output);
    if (end !== null) this.#answer?.(end[1] === '0' ? this.#output.slice(0, end.index) : undefined);
  }

  #end(): void {
    this.#ended = true;
    this.#answer?.(undefined);
  }
}

function start(script: string): Child {
  const devNull = openSync('/dev/null', 'r+');
  try {
    const stdio: StdioOptions = ['pipe', 'pipe', 'ignore', ...withoutInherited(devNull)];
    return spawn('/bin/sh', ['-c', script], { stdio, env: ENVIRONMENT }) as Child;
  } finally {
    closeSync(devNull);
  }
}
