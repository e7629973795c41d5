/**
 * Secrets do not travel over NATS: the operator of the server, and each user that may read a subject, can read them there. Such
 * requests are taken out on their way to the daemon, and answered between two of its replies.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { T4aError, errorReply } from '../protocol/errors.js';
import { LineSplitter, NEWLINE } from '../protocol/framing.js';
import { MAX_LINE_BYTES } from '../protocol/limits.js';
import { requestFields, requestId, requestIdOf, type RequestId } from '../protocol/request-line.js';

export interface RequestsOptions {
  /** Has the reply to a request that is not passed on, as a line. */
  readonly refuse: (line: string) => void;
  /** Resolves once there is room for replies: no request is read before. */
  readonly room?: () => Promise<void> | undefined;
  /** Resolves when it is the turn of its asker: all links of one have one together. */
  readonly turn?: () => Promise<void>;
  /** Called before a request is passed on. */
  readonly onPassed?: (line: Uint8Array) => void;
}

/** Milliseconds of lines in one turn of the event loop: other links have theirs. */
const SLICE_MS = 4;

/** Requests to the daemon. */
export class Requests extends Transform {
  readonly #options: RequestsOptions;
  readonly #lines: LineSplitter;
  #isTooLong = false;

  constructor(options: RequestsOptions) {
    super();
    this.#options = options;
    const { refuse, onPassed = () => {} } = options;
    this.#lines = new LineSplitter(MAX_LINE_BYTES, {
      line: (bytes) => {
        // An empty line is no request.
        if (bytes.length === 0) return;
        const refusal = requestRefusal(bytes);
        if (refusal !== undefined) return refuse(refusal);
        onPassed(bytes);
        this.push(Buffer.concat([bytes, LINE_END]));
      },
      tooLong: () => {
        this.#isTooLong = true;
      },
    });
  }

  get heldBytes(): number {
    return this.#lines.pendingBytes + this.writableLength + this.readableLength;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    void this.#pass(chunk, done);
  }

  async #pass(chunk: Buffer, done: TransformCallback): Promise<void> {
    const { turn = nextTurn } = this.#options;
    // What comes with a message is done in the turn of that.
    let beganMs = performance.now();
    for (let at = 0; at < chunk.length && !this.destroyed;) {
      const newline = chunk.indexOf(NEWLINE, at);
      const end = newline === -1 ? chunk.length : newline + 1;
      this.#lines.push(chunk.subarray(at, end));
      at = end;
      await this.#options.room?.();
      if (at === chunk.length || performance.now() - beganMs < SLICE_MS) continue;
      await turn();
      beganMs = performance.now();
    }
    done(this.#isTooLong ? new Error(`a request has more than ${MAX_LINE_BYTES} bytes`) : null);
  }

  override _flush(done: TransformCallback): void {
    this.#lines.end();
    done();
  }
}

const LINE_END = Buffer.from('\n');

/** Undefined for what is passed on: what the filter cannot read it refuses, as the daemon would. */
export function requestRefusal(line: Uint8Array): string | undefined {
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
