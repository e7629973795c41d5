/**
 * Secrets do not travel over NATS: the operator of the server, and each user that may read a subject, can read them there. Such
 * requests are taken out on their way to the daemon, and answered between two of its replies.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { T4aError, errorReply } from '../protocol/errors.js';
import { LineSplitter } from '../protocol/framing.js';
import { MAX_LINE_BYTES } from '../protocol/limits.js';

/** Requests to the daemon. */
export class Requests extends Transform {
  readonly #lines: LineSplitter;
  #isTooLong = false;

  /** @param refuse has the reply to a request that is not passed on, as a line */
  constructor(refuse: (line: string) => void) {
    super();
    this.#lines = new LineSplitter(MAX_LINE_BYTES, {
      line: (bytes) => {
        const refusal = refusalOf(bytes);
        if (refusal === undefined) this.push(Buffer.concat([bytes, LINE_END]));
        else refuse(refusal);
      },
      tooLong: () => {
        this.#isTooLong = true;
      },
    });
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#lines.push(chunk);
    done(this.#isTooLong ? new Error(`a request has more than ${MAX_LINE_BYTES} bytes`) : null);
  }

  override _flush(done: TransformCallback): void {
    this.#lines.end();
    done();
  }
}

const LINE_END = Buffer.from('\n');

/** Undefined for what the daemon answers, also for what is no request. */
export function refusalOf(line: Uint8Array): string | undefined {
  // "\u0073ecret" is the same field: the parsed request counts, and what cannot have it is not parsed.
  const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString();
  if (!text.includes('secret') && !text.includes('\\u')) return undefined;
  let request: Readonly<Record<string, unknown>> | null;
  try {
    request = JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return undefined;
  }
  const { req, secret, kind } = request ?? {};
  const isSecret = (secret !== undefined && secret !== false) || kind === 'secret';
  if (!isSecret) return undefined;
  const error = new T4aError('not_allowed', 'Secrets are not sent over NATS, whose server could read them.', {
    hint: 'Use ssh://, or type it on the host.',
  });
  const isName = typeof req === 'string' || typeof req === 'number';
  return `${JSON.stringify({ ...errorReply(error), ...(isName ? { req } : {}) })}\n`;
}

/** Replies of the daemon, which pass as they come. Lines of our own are put between them. */
export class Replies extends Transform {
  readonly #waiting: string[] = [];
  #line: Buffer[] = [];
  #raw = 0;

  /** At once between two replies, else after the one that is under way. */
  insert(line: string): void {
    this.#waiting.push(line);
    this.#insertWaiting();
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    for (let at = 0; at < chunk.length;) at = this.#raw > 0 ? this.#passRaw(chunk, at) : this.#passLine(chunk, at);
    this.push(chunk);
    this.#insertWaiting();
    done();
  }

  #insertWaiting(): void {
    if (this.#raw > 0 || this.#line.length > 0) return;
    for (const line of this.#waiting.splice(0)) this.push(line);
  }

  #passRaw(chunk: Buffer, at: number): number {
    const taken = Math.min(this.#raw, chunk.length - at);
    this.#raw -= taken;
    return at + taken;
  }

  #passLine(chunk: Buffer, at: number): number {
    const newline = chunk.indexOf(NEWLINE, at);
    this.#line.push(chunk.subarray(at, newline === -1 ? chunk.length : newline));
    if (newline === -1) return chunk.length;
    this.#raw = rawBytesOf(Buffer.concat(this.#line));
    this.#line = [];
    return newline + 1;
  }
}

const NEWLINE = 0x0a;

function rawBytesOf(line: Buffer): number {
  if (!line.includes('"len":')) return 0;
  try {
    const { ok, len } = JSON.parse(line.toString()) as { ok?: unknown; len?: unknown };
    return ok === true && typeof len === 'number' ? len : 0;
  } catch {
    return 0;
  }
}
