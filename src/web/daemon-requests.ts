/** Requests of `t4a web` itself to the daemon of a page, over a connection of their own that begins with the first of them. */
import type { Header } from '../client/reply-reader.js';
import { T4aError } from '../protocol/errors.js';
import { DaemonPipe, type PipeOptions } from './daemon-pipe.js';
import type { Way } from './daemons.js';

interface Pending {
  readonly resolve: (header: Header) => void;
  readonly reject: (error: Error) => void;
}

export class DaemonRequests {
  readonly #way: Way;
  readonly #options: PipeOptions;
  readonly #pending = new Map<number, Pending>();
  #pipe: Promise<DaemonPipe> | undefined;
  #last = 0;
  #isClosed = false;

  constructor(way: Way, options: PipeOptions) {
    this.#way = way;
    this.#options = options;
  }

  /** @returns the reply, which may be an error @throws T4aError if the daemon cannot be reached */
  async ask(cmd: string, fields: object): Promise<Header> {
    if (this.#isClosed) throw lost('The page has gone.');
    this.#pipe ??= this.#opened();
    const pipe = await this.#pipe;
    const req = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#pending.set(req, { resolve, reject });
      pipe.send(JSON.stringify({ cmd, req, ...fields }));
    });
  }

  /** Once what was asked is answered. */
  close(): void {
    this.#isClosed = true;
    void this.#pipe?.then((pipe) => pipe.close()).catch(() => {});
  }

  async #opened(): Promise<DaemonPipe> {
    try {
      const pipe = await DaemonPipe.open(this.#way, 'create', this.#options);
      pipe.deliver({
        reply: (header) => {
          const { req } = header;
          if (typeof req !== 'number') return;
          this.#pending.get(req)?.resolve(header);
          this.#pending.delete(req);
        },
        closed: (reason) => this.#lost(reason),
      });
      return pipe;
    } catch (error) {
      this.#pipe = undefined;
      throw error;
    }
  }

  #lost(reason: string): void {
    this.#pipe = undefined;
    for (const { reject } of this.#pending.values()) reject(lost(reason));
    this.#pending.clear();
  }
}

function lost(reason: string): T4aError {
  return new T4aError('daemon_unreachable', reason);
}
