/** GIFs for pages: `t4a export` makes them in processes of their own, two at a time of different links, within bounds. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type ShareOwner, Shares } from '../base/shares.js';
import { T4aError } from '../protocol/errors.js';
import type { Way } from './daemons.js';

/** Each takes a core for as long as it is made. */
const MOST_FILMS = 2;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_MS = 120_000;

export class Films {
  readonly #program: string | undefined;
  readonly #places = new Shares(MOST_FILMS);

  /** @param program the command line; undefined if films are not made */
  constructor(program: string | undefined) {
    this.#program = program;
  }

  /** @param id was checked to be that of a terminal @throws T4aError */
  async gif(way: Way, id: string, signal: AbortSignal, owner: ShareOwner): Promise<Uint8Array> {
    if (this.#program === undefined || !('socketPath' in way)) {
      throw failed('Films of other hosts are not made here: t4a export --on HOST');
    }
    if (this.#places.lack(owner) !== undefined) throw failed('Another film is being made: try again in a moment.');
    this.#places.take(owner);
    const args = ['--socket', way.socketPath, 'export', id, '--format', 'gif', '-o', '-'];
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [this.#program, ...args], {
        // No file of that name is meant.
        cwd: '/',
        encoding: 'buffer',
        maxBuffer: MOST_BYTES,
        timeout: MOST_MS,
        signal,
      });
      return stdout;
    } catch (error) {
      throw failed(sentence(error));
    } finally {
      this.#places.free(owner);
    }
  }
}

function sentence(error: unknown): string {
  const { code, killed, stderr } = error as { code?: unknown; killed?: boolean; stderr?: Buffer };
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return 'The film has more than 32 MiB: make a part of it, t4a export';
  if (killed === true) return 'The film took longer than two minutes: make a part of it, t4a export';
  return stderr?.toString().split('\n')[0]?.slice(0, 300) || 'The film could not be made.';
}

function failed(message: string): T4aError {
  return new T4aError('export_too_large', message);
}
