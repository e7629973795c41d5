/** The native client of one command line, as the host sees it: what it is told, and what it answers. */
import type { Socket } from 'node:net';
import { type WarmFrame, warmFrameOf, FrameReader, MOST_CONTENT } from './frames.js';

/** An argument list and an environment, which the system itself bounds to some six megabytes. */
const MOST_OF_CLIENT = 16 * 1024 * 1024;

/** Its process has ended: nothing is left to do. */
export class ClientGone extends Error {}

type Answer = (frame: WarmFrame | undefined) => void;

export class WarmClient {
  /** What it tells by itself, by the letter. */
  readonly told = new Map<string, (content: Buffer) => void>();
  readonly #socket: Socket;
  readonly #reader = new FrameReader(MOST_OF_CLIENT);
  /** Answers come in the order of the questions with that letter. */
  readonly #asked = new Map<string, Answer[]>();
  #untold: Buffer[] = [];
  #isGone = false;
  /** Of the call. */
  onGone: (() => void) | undefined;

  /** @param onGone it has ended, or said something strange */
  constructor(socket: Socket, onGone: () => void) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.once('close', () => {
      this.#isGone = true;
      for (const answers of this.#asked.values()) for (const answer of answers) answer(undefined);
      this.#asked.clear();
      this.onGone?.();
      onGone();
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** What is told in one turn goes out in one piece. */
  tell(letter: string, content?: Uint8Array): void {
    if (this.#untold.length === 0) process.nextTick(() => this.#tellAtOnce());
    this.#untold.push(warmFrameOf(letter, content));
  }

  #tellAtOnce(): void {
    const [first, ...more] = this.#untold;
    this.#untold = [];
    if (first !== undefined) this.#socket.write(more.length === 0 ? first : Buffer.concat([first, ...more]));
  }

  /** In frames that the client has room for. */
  tellAll(letter: string, content: Uint8Array): void {
    for (let at = 0; at < content.length; at += MOST_CONTENT) {
      this.tell(letter, content.subarray(at, at + MOST_CONTENT));
    }
  }

  /** @param answered letters of the answer @throws ClientGone */
  ask(letter: string, content?: Uint8Array, answered = letter): Promise<WarmFrame> {
    return new Promise((resolve, reject) => {
      if (this.#isGone) return reject(new ClientGone());
      const asked = this.#asked.get(answered) ?? [];
      this.#asked.set(answered, asked);
      asked.push((frame) => (frame === undefined ? reject(new ClientGone()) : resolve(frame)));
      this.tell(letter, content);
    });
  }

  end(letter: string, content?: Uint8Array): void {
    this.tell(letter, content);
    this.#tellAtOnce();
    this.#socket.end();
  }

  #take(bytes: Buffer): void {
    try {
      for (const frame of this.#reader.read(bytes)) {
        const answer = [...this.#asked].find(([letters]) => letters.includes(frame.letter))?.[1].shift();
        if (answer === undefined) this.told.get(frame.letter)?.(frame.content);
        else answer(frame);
      }
    } catch {
      this.#socket.destroy();
    }
  }
}
