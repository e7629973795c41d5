/** Which lines a program leaves, said by what is not t4a: the same program in a pipe, and in tmux on a screen of the same size. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const call = promisify(execFile);

export const COLS = 80;
export const ROWS = 24;
const LIMIT_MS = 30_000;

// oxlint-disable-next-line no-control-regex
const SEQUENCES = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]|\u0007/g;

/** What it prints into a pipe, without its sequences. */
export async function linesInPipe(script: string): Promise<string[]> {
  const printed = await new Promise<string>((resolve) => {
    const child = execFile(
      'sh',
      ['-c', `exec 2>&1; . ${script}`],
      { timeout: LIMIT_MS, maxBuffer: 2 ** 26 },
      (_, stdout) => resolve(stdout),
    );
    child.stdin?.end();
  });
  const lines = printed.replaceAll(SEQUENCES, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.trimEnd());
}

/** A server of its own, which ends with `stop`. */
export class Tmux {
  readonly #socket: string;
  #last = 0;

  constructor(dir: string) {
    this.#socket = path.join(dir, 'tmux');
  }

  /** What is on its screen and above it when the program has ended, rows of one line joined. */
  async lines(script: string): Promise<string[]> {
    const name = `s${++this.#last}`;
    // What the shell itself says of a signal is not the program's.
    const command = `(exec 3>&2 2>/dev/null; sh -c '. ${script}' 2>&3); tmux -S ${this.#socket} wait-for -S ${name}; exec sleep 60`;
    const size = ['-x', String(COLS), '-y', String(ROWS)];
    const options = ['set', '-g', 'status', 'off', ';', 'set', '-g', 'scroll-on-clear', 'off', ';'];
    await this.#call('start-server', ';', ...options, 'new-session', '-d', '-s', name, ...size, command);
    await this.#call('wait-for', name);
    const { stdout } = await this.#call('capture-pane', '-p', '-J', '-S', '-', '-t', name);
    await this.#call('kill-session', '-t', name).catch(() => {});
    return stdout.split('\n').map((line) => line.trimEnd());
  }

  async stop(): Promise<void> {
    await this.#call('kill-server').catch(() => {}); // It ends with its last session.
  }

  #call(...args: string[]): Promise<{ stdout: string }> {
    return call('tmux', ['-S', this.#socket, '-f', '/dev/null', ...args], {
      timeout: LIMIT_MS,
      env: { ...process.env, TMUX: undefined, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' },
    });
  }
}

/** Without blank lines at both ends: tmux does not tell them from rows that were never written. */
export function withoutBlankEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}
