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

  /**
   * @param refuse has the reply to a request that is not passed on, as a line
   * @param onPassed called before a request is passed on
   */
  constructor(refuse: (line: string) => void, onPassed: (line: Uint8Array) => void = () => {}) {
    super();
    this.#lines = new LineSplitter(MAX_LINE_BYTES, {
      line: (bytes) => {
        const refusal = refusalOf(bytes);
        if (refusal !== undefined) return refuse(refusal);
        onPassed(bytes);
        this.push(Buffer.concat([bytes, LINE_END]));
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
