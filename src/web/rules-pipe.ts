/**
 * Security: requests about rules need the reach `admin`, which a page does not have. They take a connection of their own, opened with the
 * first of them, where nothing else is sent.
 */
import type { Header } from '../client/reply-reader.js';
import { errorReply, T4aError } from '../protocol/errors.js';
import { DaemonPipe, type PipeOptions } from './daemon-pipe.js';
import type { Way } from './daemons.js';

type Reply = (header: Header, bytes: Uint8Array | undefined) => void;
type Req = string | number | undefined;

export class RulesPipe {
  readonly #reply: Reply;
  readonly #pipe: Promise<DaemonPipe>;
  /** Requests on their way, each with its number. */
  readonly #asked: Req[] = [];
  #isClosed = false;
  /** Whether it carries nothing more. */
  isOver = false;

  constructor(way: Way, options: PipeOptions, reply: Reply) {
    this.#reply = reply;
    this.#pipe = DaemonPipe.open(way, 'admin', options);
    this.#pipe.then(
      (pipe) => {
        pipe.deliver({
          reply: (header, bytes) => this.#answer(header, bytes),
          closed: (reason) => this.#fail(reason),
        });
        if (this.#isClosed) pipe.close();
      },
      (error: unknown) => this.#fail(error instanceof Error ? error.message : String(error)),
    );
  }

  /** Sends a line. The answer comes also if the daemon has gone. */
  send(line: string, req: Req): void {
    this.#asked.push(req);
    this.#pipe.then(
      (pipe) => {
        pipe.send(line);
      },
      (error: unknown) => this.#fail(error instanceof Error ? error.message : String(error)),
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#asked.length = 0;
    this.#pipe.then(
      (pipe) => pipe.close(),
      () => {
        // It was none.
      },
    );
  }

  #answer(header: Header, bytes: Uint8Array | undefined): void {
    const at = this.#asked.indexOf(header['req'] as Req);
    if (at !== -1) this.#asked.splice(at, 1);
    this.#reply(header, bytes);
  }

  #fail(reason: string): void {
    this.isOver = true;
    for (const req of this.#asked.splice(0)) {
      const error = errorReply(new T4aError('daemon_unreachable', reason));
      this.#reply((req === undefined ? error : { ...error, req }) as unknown as Header, undefined);
    }
  }
}
