/** The wire between a stream and the pipes of this process, until the daemon closes, or nothing is read any more. */
import type { Duplex } from 'node:stream';
import { noRoom, ReplyBudget } from '../../client/reply-budget.js';
import { ReplyReader, type Received } from '../../client/reply-reader.js';
import { T4aError } from '../../protocol/errors.js';

/** After the end of input what was asked is still answered. */
export function carry(stream: Duplex): Promise<void> {
  const { stdin, stdout } = process;
  return new Promise((resolve) => {
    const end = (): void => {
      stream.destroy();
      resolve();
    };
    stdout.on('error', end);
    stream.on('error', end);
    stream.once('end', () => stdout.write('', end));
    stream.once('close', end);
    stream.pipe(stdout, { end: false });
    stdin.pipe(stream);
  });
}

/** Bound of a reply of another host; the same that clients of this process's kind take. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * From another host: whatever asks at these pipes gets its replies as the command line takes them.
 * @throws T4aError `connection_lost`, `host_unreachable` for what is no reply
 */
export function carryFar(stream: Duplex, received: Received): Promise<void> {
  const { stdin, stdout } = process;
  const asked = new Asked();
  return new Promise((resolve, reject) => {
    const end = (error?: T4aError): void => {
      stream.destroy();
      if (error === undefined) resolve();
      else reject(error);
    };
    const write = (data: string | Uint8Array): void => {
      if (!stdout.write(data)) stream.pause();
    };
    const leaveOut = (): void => write(`${JSON.stringify(received(NO_EVENT))}\n`);
    let isSubscribed = false;
    const budget = new ReplyBudget({ mostBytes: MOST_BYTES, mostOfOne: MOST_BYTES, alsoHeld: () => 0 });
    const reader = new ReplyReader(
      {
        reply(header, bytes, lineBytes) {
          const isEvent = 'event' in header && !('ok' in header);
          if (!isEvent && asked.isStream && isSubscribed) return leaveOut();
          isSubscribed ||= !isEvent && asked.isStream;
          const cmd = isEvent ? undefined : asked.commandOf(header['req']);
          write(`${JSON.stringify(received(header, cmd, lineBytes))}\n`);
          if (bytes !== undefined) write(bytes);
        },
        malformed: () => (asked.hasEvents ? leaveOut() : end(notOurs())),
        garbage: () => end(notOurs()),
        noRoom: (bytes) => end(noRoom(bytes)),
      },
      budget,
    );
    stdout.on('error', () => end());
    stdout.on('drain', () => stream.resume());
    stream.on('error', () => end());
    stream.once('end', () => stdout.write('', () => end()));
    stream.once('close', () => end());
    stream.on('data', (chunk: Buffer) => reader.push(chunk));
    stdin.on('data', (chunk: Buffer) => asked.push(chunk));
    stdin.pipe(stream);
    stream.resume();
  });
}

/** A line of a stream without a type. */
const NO_EVENT = { event: null };

function notOurs(): T4aError {
  return new T4aError('host_unreachable', 'What the host answers is not of t4a.');
}

/** Longer lines ask for neither. */
const MAX_LINE_LENGTH = 4096;
/** Unanswered ones; what is beyond them is taken as any other reply. */
const MAX_ASKED = 1024;

/**
 * Which replies are lists, whose terminals are looked at, and whether there are streams: a line of one is left out alone,
 * and a malformed reply is the end.
 */
class Asked {
  hasEvents = false;
  /** No reply follows that of the subscription. */
  isStream = false;
  readonly #reqs = new Set<unknown>();
  #line = '';

  push(chunk: Buffer): void {
    const [first = '', ...lines] = chunk.toString('latin1').split('\n');
    this.#add(first);
    for (const line of lines) {
      this.#finish();
      this.#add(line);
    }
  }

  commandOf(req: unknown): string | undefined {
    return this.#reqs.delete(req) ? 'list' : undefined;
  }

  #add(text: string): void {
    if (this.#line.length <= MAX_LINE_LENGTH) this.#line += text;
  }

  #finish(): void {
    const line = this.#line;
    this.#line = '';
    if (line.length > MAX_LINE_LENGTH || !/"(?:list|events)"/.test(line)) return;
    try {
      const { cmd, req, shared } = JSON.parse(line) as Readonly<Record<string, unknown>>;
      if (cmd === 'events') {
        this.hasEvents = true;
        this.isStream ||= shared !== true;
      }
      const isNamed = ['string', 'number'].includes(typeof req);
      if (cmd === 'list' && isNamed && this.#reqs.size < MAX_ASKED) this.#reqs.add(req);
    } catch {
      // The daemon refuses it.
    }
  }
}
