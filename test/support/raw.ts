/** The socket as a client without any library sees it. */
import { createConnection, type Socket } from 'node:net';

export interface RawReply {
  readonly header: Record<string, unknown>;
  /** The header line as received, with padding and newline. */
  readonly line: Buffer;
  readonly bytes: Buffer;
}

export class RawConnection {
  readonly socket: Socket;
  #buffered = Buffer.alloc(0);
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(socketPath: string) {
    this.socket = createConnection({ path: socketPath, allowHalfOpen: true });
    this.socket.on('data', (chunk: Buffer) => {
      this.#buffered = Buffer.concat([this.#buffered, chunk]);
      this.#wake?.();
    });
    const end = (): void => {
      this.#ended = true;
      this.#wake?.();
    };
    this.socket.on('end', end).on('error', end).on('close', end);
  }

  write(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  request(fields: object): Promise<RawReply> {
    this.write(`${JSON.stringify(fields)}\n`);
    return this.reply();
  }

  async line(): Promise<Buffer> {
    for (;;) {
      const newline = this.#buffered.indexOf(0x0a);
      if (newline !== -1) return this.#take(newline + 1);
      if (this.#ended) throw new Error(`the connection ended with ${JSON.stringify(this.#buffered.toString())} unread`);
      await this.#more();
    }
  }

  async reply(): Promise<RawReply> {
    const line = await this.line();
    const header = JSON.parse(line.toString('utf8')) as Record<string, unknown>;
    const length = typeof header['len'] === 'number' ? header['len'] : 0;
    while (this.#buffered.length < length) {
      if (this.#ended) throw new Error(`the connection ended ${length - this.#buffered.length} bytes too early`);
      await this.#more();
    }
    return { header, line, bytes: this.#take(length) };
  }

  /** Everything until the other side closes. */
  async rest(): Promise<Buffer> {
    while (!this.#ended) await this.#more();
    return this.#take(this.#buffered.length);
  }

  close(): void {
    this.socket.destroy();
  }

  #take(length: number): Buffer {
    const taken = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(length);
    return taken;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

/** One request on a connection of its own. */
export async function rawRequest(socketPath: string, fields: object): Promise<RawReply> {
  const connection = new RawConnection(socketPath);
  try {
    return await connection.request(fields);
  } finally {
    connection.close();
  }
}
