/**
 * A byte stream over two subjects. Each side has a window of bytes that the other has not read yet, so that nothing grows
 * between them: neither here, nor in the server, which cuts off slow readers. Messages are numbered: one that is missing ends
 * the link, and nothing is repeated. A silent side is noticed by its silence, and one that has gone by "no responders".
 */
import { Duplex } from 'node:stream';
import { headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';

export interface LinkOptions {
  readonly nats: NatsConnection;
  /** Subject of the other side. */
  readonly to: string;
  /** Subject of this side, which the owner of the link is subscribed to. */
  readonly from: string;
  /** Interval of signs of life. */
  readonly everyMs?: number | undefined;
}

/** Size of messages; below max_payload of a server by default, 1 MB. */
const PART_BYTES = 128 * 1024;
/** Bytes that were sent and not read. */
const WINDOW_BYTES = 1024 * 1024;
const ACKNOWLEDGED_BYTES = WINDOW_BYTES / 4;

const EVERY_MS = 5000;
/** Intervals without a message from the other side. */
const MAX_SILENT = 3;

const SEQ = 'T4a-Seq';
const READ = 'T4a-Read';
const END = 'T4a-End';
const MAX_REASON = 200;

/** The sender has no more bytes, and reads on. Any other end is a reason. */
const NO_MORE = 'no-more';

/** Whether a message begins a link. */
export function isFirst({ headers: given }: Msg): boolean {
  return given?.get(SEQ) === '0';
}

/** Whether a message carries bytes of a link, or their end. */
export function isPart({ headers: given }: Msg): boolean {
  return (given?.get(SEQ) ?? '') !== '';
}

/** Whether a message says that its sender has gone. */
export function isEnd({ headers: given }: Msg): boolean {
  const end = given?.get(END) ?? '';
  return end !== '' && end !== NO_MORE;
}

/** Headers of a message that says nothing but that this side is there. */
export function signOfLife(): MsgHdrs {
  const given = headers();
  given.set(READ, '0');
  return given;
}

/** Answers a message of a link that is not, or not any more. */
export function refuse(nats: NatsConnection, to: string, reason: string): void {
  const given = headers();
  given.set(END, reason);
  nats.publish(to, undefined, { headers: given });
}

export class NatsLink extends Duplex {
  readonly #options: LinkOptions;
  readonly #timer: NodeJS.Timeout;
  #seq = 0;
  #sentBytes = 0;
  #readByOther = 0;
  #nextSeq = 0;
  #receivedBytes = 0;
  #readBytes = 0;
  #acknowledged = 0;
  #silent = 0;
  #isGone = false;
  #goOn: (() => void) | undefined;

  constructor(options: LinkOptions) {
    super();
    this.#options = options;
    this.#timer = setInterval(() => this.#beat(), options.everyMs ?? EVERY_MS);
    this.once('error', () => {
      // Readers of the stream learn of it by 'close'; without a listener the process would end.
    });
  }

  /** A message to `from`. */
  receive(message: Msg): void {
    if (this.destroyed) return;
    if (message.headers?.hasError === true) return this.#gone('the other side has gone');
    this.#silent = 0;
    const end = message.headers?.get(END) ?? '';
    if (isEnd(message)) return this.#gone(end);
    const read = Number(message.headers?.get(READ) ?? 0);
    if (read > this.#readByOther && read <= this.#sentBytes) {
      this.#readByOther = read;
      this.#goOn?.();
    }
    const seq = message.headers?.get(SEQ) ?? '';
    if (seq === '') return;
    if (Number(seq) !== this.#nextSeq) return this.#gone(`message ${this.#nextSeq} was lost on the way`, true);
    this.#nextSeq++;
    const { data } = message;
    this.#receivedBytes += data.length;
    if (this.#receivedBytes - this.#readBytes > 2 * WINDOW_BYTES) return this.#gone('it sends more than is read', true);
    if (data.length > 0 && this.push(data)) this.#haveRead();
    if (end === NO_MORE) this.push(null);
  }

  get from(): string {
    return this.#options.from;
  }

  /** Whether any byte has come. */
  get hasReceived(): boolean {
    return this.#receivedBytes > 0;
  }

  /** A sign of life: a link of an asker that nobody hears for ends by it. */
  greet(): void {
    if (!this.destroyed) this.#publish(undefined, {});
  }

  /** Ends it, and says so to the other side. */
  leave(reason: string): void {
    if (!this.destroyed) this.#gone(reason, true);
  }

  /** Ends it here alone: nothing can be sent. */
  abandon(reason: string): void {
    this.#gone(reason);
  }

  override _read(): void {
    this.#haveRead();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    let at = 0;
    const goOn = (): void => {
      while (at < chunk.length && !this.destroyed) {
        const room = WINDOW_BYTES - (this.#sentBytes - this.#readByOther);
        if (room <= 0) {
          this.#goOn = goOn;
          return;
        }
        const part = chunk.subarray(at, at + Math.min(room, this.#partBytes));
        at += part.length;
        this.#sentBytes += part.length;
        this.#send(part);
      }
      this.#goOn = undefined;
      done();
    };
    goOn();
  }

  override _final(done: () => void): void {
    this.#send(new Uint8Array(), NO_MORE);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearInterval(this.#timer);
    if (!this.#isGone) this.#say(error?.message ?? 'closed');
    this.#goOn?.();
    done(error);
  }

  get #partBytes(): number {
    const most = this.#options.nats.info?.max_payload ?? PART_BYTES;
    // Headers count, too.
    return Math.max(1, Math.min(PART_BYTES, most - 1024));
  }

  #haveRead(): void {
    this.#readBytes = this.#receivedBytes;
    if (this.#readBytes - this.#acknowledged >= ACKNOWLEDGED_BYTES) this.#publish(undefined, {});
  }

  #beat(): void {
    if (++this.#silent > MAX_SILENT) return this.#gone('the other side is silent', true);
    this.#publish(undefined, {});
  }

  #send(part: Uint8Array, end?: string): void {
    this.#publish(part, { [SEQ]: String(this.#seq++), ...(end === undefined ? {} : { [END]: end }) });
  }

  #gone(reason: string, says = false): void {
    this.#isGone = true;
    if (says) this.#say(reason);
    this.destroy(new Error(reason));
  }

  #say(reason: string): void {
    this.#publish(undefined, { [END]: reason });
  }

  #publish(payload: Uint8Array | undefined, fields: Readonly<Record<string, string>>): void {
    const { nats, to, from } = this.#options;
    if (nats.isClosed()) return;
    this.#acknowledged = this.#readBytes;
    const given = headers();
    for (const [name, value] of Object.entries({ ...fields, [READ]: String(this.#readBytes) }))
      given.set(name, value.replace(/[^\x20-\x7e]+/g, ' ').slice(0, MAX_REASON));
    try {
      nats.publish(to, payload, { headers: given, reply: from });
    } catch (error) {
      this.#isGone = true;
      if (!this.destroyed) this.destroy(error as Error);
    }
  }
}
