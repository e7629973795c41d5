/** The pipes of a command as one stream, and the reason why it ended. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Duplex } from 'node:stream';
import { callersEnvironment } from '../client/paths.js';
import { T4aError, quote } from '../protocol/errors.js';
import { quoted } from './quoted.js';

const MAX_SAID = 4096;

export interface CommandStream {
  readonly stream: Duplex;
  /** Resolves once the command has ended, with a sentence. */
  readonly ended: Promise<string>;
}

const NOT_INSTALLED = 127;

export function commandStream(argv: readonly string[], host: string): CommandStream {
  const [program = '', ...args] = argv;
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env: callersEnvironment() });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-MAX_SAID);
  });
  const failed = new Promise<boolean>((resolve) => child.once('exit', (code) => resolve(code !== 0)));
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      stream.destroy();
      resolve(error.code === 'ENOENT' ? `${program} is not installed here` : error.message);
    });
    // Not 'close': a master of ssh keeps standard error open.
    child.once('exit', (code, signal) => setImmediate(() => resolve(reasonOf(code, signal, said, host))));
  });
  const lost = async (): Promise<T4aError | undefined> =>
    (await failed) ? connectionLost(host, await ended) : undefined;
  const stream = new Pipes(child, lost);
  stream.once('close', () => child.kill('SIGTERM'));
  return { stream, ended };
}

function connectionLost(host: string, reason: string): T4aError {
  return new T4aError('connection_lost', `The connection to the host ${quote(host)} was lost: ${reason}.`, {
    hint: `t4a hosts resolve ${host}`,
  });
}

/** A command that has closed its output ends at once, or keeps its reason. */
const REASON_MS = 1000;

/** What the command has printed is read to its end, also if it takes no input any more. */
class Pipes extends Duplex {
  readonly #child: Pick<ChildProcessWithoutNullStreams, 'stdin' | 'stdout'>;

  /** @param lost why it has ended, if it has failed */
  constructor(child: ChildProcessWithoutNullStreams, lost: () => Promise<T4aError | undefined>) {
    super();
    this.#child = child;
    for (const one of [child.stdin, child.stdout]) {
      one.on('error', () => {
        // EPIPE: the command has ended, which its end reports.
      });
    }
    child.stdout.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) child.stdout.pause();
    });
    child.stdout.once('end', () => this.push(null));
    this.once('error', () => {
      // Readers learn of it by 'close'; without a listener the process would end.
    });
    this.once('end', () => {
      const timer = setTimeout(() => this.destroy(), REASON_MS);
      void lost().then((error) => {
        clearTimeout(timer);
        this.destroy(error);
      });
    });
  }

  override _read(): void {
    this.#child.stdout.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#child.stdin.write(chunk, () => done());
  }

  override _final(done: () => void): void {
    this.#child.stdin.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#child.stdout.destroy();
    this.#child.stdin.destroy();
    done(error);
  }
}

function reasonOf(code: number | null, signal: string | null, said: string, host: string): string {
  if (code === NOT_INSTALLED) return `t4a is not installed on ${host}`;
  const lines = said.trim().split('\n');
  const last = (lines.findLast((line) => line.startsWith('t4a: ')) ?? lines.at(-1) ?? '').trim();
  const end = signal ?? `exit status ${code}`;
  return last === '' ? `the command of its route ended with ${end}` : `${quoted(last)} (${end})`;
}
