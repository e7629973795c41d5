/**
 * ECHO and ICANON of terminals. There is no call for them in Node, so `stty` is asked, by way of one shell that lives as
 * long as the daemon: a shell forks in a millisecond beside the event loop, the daemon itself in several within it.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type TerminalFlags, parseSttyFlags } from '../../events/awaiting-input.js';

/** An stty that hangs is ended with its shell; the next question starts another. */
const ANSWER_TIMEOUT_MS = 2000;

/** A path a line in, what stty says and a line with a dot out. It ends when its input does, which is with the daemon. */
const LOOP = 'while read -r device; do stty -a -F "$device" 2>/dev/null; echo .; done';

type Helper = ChildProcessByStdio<Writable, Readable, null>;

export class TerminalFlagsReader {
  #helper: Helper | undefined;
  #output = '';
  /** In the order of their questions. */
  #waiting: ((answer: string | undefined) => void)[] = [];

  /** Undefined when the terminal is gone, or there is no stty. */
  read(device: string): Promise<TerminalFlags | undefined> {
    const helper = (this.#helper ??= this.#start());
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#stop(helper), ANSWER_TIMEOUT_MS);
      timer.unref();
      this.#waiting.push((answer) => {
        clearTimeout(timer);
        resolve(answer === undefined ? undefined : parseSttyFlags(answer));
      });
      helper.stdin.write(`${device}\n`);
    });
  }

  #start(): Helper {
    const env = { PATH: '/usr/bin:/bin:/usr/local/bin', LC_ALL: 'C' };
    const helper = spawn('/bin/sh', ['-c', LOOP], { env, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
    // It keeps nobody from leaving.
    helper.unref();
    unrefPipe(helper.stdin);
    unrefPipe(helper.stdout);
    helper.stdout.setEncoding('latin1');
    helper.stdout.on('data', (chunk: string) => this.#received(chunk));
    // A pipe whose other end is gone; `close` follows.
    helper.stdin.on('error', () => {});
    helper.on('error', () => this.#stop(helper));
    helper.on('close', () => this.#stop(helper));
    return helper;
  }

  #received(chunk: string): void {
    this.#output += chunk;
    for (let end = this.#output.indexOf('.\n'); end !== -1; end = this.#output.indexOf('.\n')) {
      const answer = this.#output.slice(0, end);
      this.#output = this.#output.slice(end + 2);
      this.#waiting.shift()?.(answer);
    }
  }

  #stop(helper: Helper): void {
    if (this.#helper !== helper) return;
    this.#helper = undefined;
    this.#output = '';
    helper.kill('SIGKILL');
    for (const tell of this.#waiting.splice(0)) tell(undefined);
  }
}

/** Pipes to children are sockets, which have it; the types do not say so. */
function unrefPipe(pipe: object): void {
  if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
}
