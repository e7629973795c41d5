/**
 * Secrets do not travel over NATS: the operator of the server, and each user that may read a subject, can read them there. Such
 * requests are taken out on their way to the daemon, and answered between two of its replies.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { T4aError, errorReply } from '../protocol/errors.js';
import { LineSplitter } from '../protocol/framing.js';
import { MAX_LINE_BYTES } from '../protocol/limits.js';
import { requestFields, requestId, requestIdOf, type RequestId } from '../protocol/request-line.js';

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

/** Undefined for what is passed on: what the filter cannot read it refuses, as the daemon would. */
export function refusalOf(line: Uint8Array): string | undefined {
  const request = requestFields(line);
  if (request instanceof T4aError) return refused(request, requestIdOf(line));
  const { req, secret, kind } = request;
  const isSecret = (secret !== undefined && secret !== false) || kind === 'secret';
  if (!isSecret) return undefined;
  const error = new T4aError('not_allowed', 'Secrets are not sent over NATS, whose server could read them.', {
    hint: 'Use ssh://, or type it on the host.',
  });
  return refused(error, requestId(req));
}

function refused(error: T4aError, req: RequestId | undefined): string {
  return `${JSON.stringify({ ...errorReply(error), ...(req === undefined ? {} : { req }) })}\n`;
}
