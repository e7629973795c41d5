/** A connection that sends lines of any kind and takes replies in their order; nothing of it is checked. */
import { createConnection, type Socket } from 'node:net';
import { ReplyReader, type Header } from '../../src/client/reply-reader.js';

export class Asker {
  readonly socket: Socket;
  readonly #replies: Header[] = [];
  #garbage: string | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(socketPath: string) {
    this.socket = createConnection({ path: socketPath, allowHalfOpen: true });
    const reader = new ReplyReader({
      reply: (header) => {
        this.#replies.push(header);
        this.#wake?.();
      },
      garbage: (start) => {
        this.#garbage = start;
        this.#wake?.();
      },
    });
    this.socket.on('data', (chunk: Buffer) => reader.push(chunk));
    const end = (): void => {
      this.#ended = true;
      this.#wake?.();
    };
    this.socket.on('end', end).on('error', end).on('close', end);
  }

  /** Replies that nobody has taken yet. */
  get waiting(): readonly Header[] {
    return this.#replies;
  }

  /** @throws Error when the connection ends, garbage comes, or `timeoutMs` pass */
  async replies(count: number, timeoutMs: number): Promise<Header[]> {
    const deadline = performance.now() + timeoutMs;
    while (this.#replies.length < count) {
      if (this.#garbage !== undefined) throw new Error(`garbage instead of a reply: ${this.#garbage}`);
      if (this.#ended) throw new Error(`the connection ended after ${this.#replies.length} of ${count} replies`);
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) throw new Error(`${this.#replies.length} of ${count} replies within ${timeoutMs} ms`);
      await this.#more(leftMs);
    }
    return this.#replies.splice(0, count);
  }

  async request(fields: object, timeoutMs = 30_000): Promise<Header> {
    this.socket.write(`${JSON.stringify(fields)}\n`);
    const [reply] = await this.replies(1, timeoutMs);
    return reply ?? {};
  }

  close(): void {
    this.socket.destroy();
  }

  #more(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
