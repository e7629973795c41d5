/** A client that asks for much and takes it a little at a time; each reply must still come whole. */
import { createConnection, type Socket } from 'node:net';
import { ReplyReader, type Header } from '../../src/client/reply-reader.js';
import type { Failures } from './report.js';

const SIP_BYTES = 4096;
const SIP_MS = 10;

export class SlowReader {
  readonly #socket: Socket;
  readonly #requests: () => object;
  readonly #isExpected: (code: string) => boolean;
  readonly #timer: NodeJS.Timeout;
  /** What was wrong with replies. */
  readonly problems: string[] = [];
  replies = 0;
  hasLostConnection = false;
  #stopped = false;

  /**
   * @param requests makes the next one
   * @param isExpected codes that a request may fail with: what it is about comes and goes
   */
  constructor(socketPath: string, requests: () => object, isExpected: (code: string) => boolean) {
    this.#requests = requests;
    this.#isExpected = isExpected;
    this.#socket = createConnection({ path: socketPath });
    const reader = new ReplyReader({
      reply: (header, bytes) => this.#replied(header, bytes),
      garbage: (start) => this.problems.push(`garbage instead of a reply: ${start}`),
    });
    this.#socket.on('readable', () => {}); // Without `data`, the socket hands out what `read` asks for.
    const over = (): void => void (this.hasLostConnection ||= !this.#stopped);
    this.#socket.on('error', over).on('close', over);
    this.#timer = setInterval(() => {
      const sip: unknown = this.#socket.read(Math.min(SIP_BYTES, this.#socket.readableLength));
      if (sip instanceof Uint8Array) reader.push(sip);
    }, SIP_MS);
    this.#ask();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#socket.destroy();
  }

  #ask(): void {
    this.#socket.write(`${JSON.stringify(this.#requests())}\n`);
  }

  #replied(header: Header, bytes: Uint8Array | undefined): void {
    this.replies++;
    if (header['ok'] !== true && !this.#isExpected(String(header['code']))) this.problems.push(JSON.stringify(header));
    if ((bytes?.length ?? 0) !== (header['len'] ?? 0)) {
      this.problems.push(`${bytes?.length ?? 0} bytes of ${String(header['len'])}`);
    }
    if (!this.#stopped) this.#ask();
  }
}

/** Where the daemon stays, a slow reader loses neither its connection nor a reply. */
export function addProblems({ problems, hasLostConnection }: SlowReader, failures: Failures): void {
  for (const problem of problems) failures.add(`a slow reader: ${problem}`);
  if (hasLostConnection) failures.add('a slow reader lost its connection');
}
