/**
 * The socket of one served terminal: a connection carries one request and its reply. Requests are answered one after
 * another, in the order in which their lines were complete; a WAIT holds up all later ones, as in interminai.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { isT4aError } from '../protocol/errors.js';
import { MAX_LINE_BYTES } from '../protocol/limits.js';
import { OwnSocket } from '../client/own-socket.js';
import { errorLine, okLine, InterminaiError } from './replies.js';

/** Each may hold a line of up to 10 MiB. */
const MAX_CONNECTIONS = 64;

/** Interval of looks at whether a client that has closed its writing side, and waits, is still there. */
const LOOK_MS = 1000;

const NEWLINE = 0x0a;

/** @returns the `data` of the reply @throws RequestError */
export type Answerer = (line: string, signal: AbortSignal) => Promise<object | undefined>;

export class InterminaiServer {
  readonly #answer: Answerer;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #file: OwnSocket | undefined;
  #queue: Promise<void> = Promise.resolve();
  #afterReply: (() => void) | undefined;

  constructor(answer: Answerer) {
    this.#answer = answer;
    // A client may close its writing side and still gets its reply.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** @throws T4aError `socket_path`, `socket_owner` */
  async listen(path: string): Promise<void> {
    this.#file = await OwnSocket.listen(this.#server, path);
  }

  /** No further request is answered. @param then called once the reply to this one is written, or its client has gone */
  stop(then: () => void): void {
    this.#afterReply = then;
    this.remove();
  }

  /** Removes the socket from the file system; connections stay. */
  remove(): void {
    this.#file?.remove();
    this.#file = undefined;
  }

  close(): void {
    this.remove();
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    const gone = new AbortController();
    let looking: NodeJS.Timeout | undefined;
    let line: LineReader | undefined = new LineReader();
    const complete = (text: string | undefined): void => {
      line = undefined;
      if (text === undefined) socket.end(errorLine(TOO_LONG));
      else this.#enqueue(text, socket, gone.signal);
    };
    socket.on('data', (chunk: Buffer) => {
      const state = line?.push(chunk);
      if (state !== undefined) complete(state.text);
    });
    socket.on('end', () => {
      const rest = line?.rest();
      // A write fails if the client has gone altogether, also one of no bytes.
      looking = setInterval(() => socket.writable && socket.write(''), LOOK_MS);
      if (rest === undefined) socket.write('');
      else if (rest === '') socket.end();
      else complete(rest);
    });
    socket.on('error', () => {
      // EPIPE, ECONNRESET: the client has gone; 'close' follows.
    });
    socket.once('close', () => {
      clearInterval(looking);
      this.#sockets.delete(socket);
      gone.abort(new InterminaiError('Client disconnected'));
    });
  }

  #enqueue(text: string, socket: Socket, signal: AbortSignal): void {
    this.#queue = this.#queue.then(async () => {
      if (this.#afterReply !== undefined) {
        socket.destroy();
        return;
      }
      const reply = await this.#reply(text, signal);
      const then = (): void => this.#afterReply?.();
      if (socket.writable) socket.end(reply, then);
      else then();
    });
  }

  async #reply(text: string, signal: AbortSignal): Promise<string> {
    try {
      return okLine(await this.#answer(text, signal));
    } catch (error) {
      // No request may end the server.
      return errorLine(
        error instanceof InterminaiError || isT4aError(error) ? error.message : `Internal error: ${String(error)}`,
      );
    }
  }
}

const TOO_LONG = `Invalid request: more than ${MAX_LINE_BYTES} bytes`;

/** The first line of a connection. */
class LineReader {
  #chunks: Buffer[] = [];
  #length = 0;

  /** Undefined while the line is not complete; its text is undefined if it is too long. */
  push(chunk: Buffer): { readonly text: string | undefined } | undefined {
    const end = chunk.indexOf(NEWLINE);
    const part = end === -1 ? chunk : chunk.subarray(0, end);
    this.#chunks.push(part);
    this.#length += part.length;
    if (this.#length > MAX_LINE_BYTES) return { text: undefined };
    return end === -1 ? undefined : { text: this.rest() };
  }

  rest(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
