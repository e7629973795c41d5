/** One request in one message, at the lowest level: for clients of NATS that know nothing of links, such as `nats req`. */
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { ReplyReader, type Header } from '../client/reply-reader.js';
import { Shares } from '../base/shares.js';
import { ReplyBudget } from '../client/reply-budget.js';
import { errorReply, T4aError, isT4aError } from '../protocol/errors.js';
import { concatBytes, encodeLine } from '../protocol/framing.js';
import { requestFields } from '../protocol/request-line.js';
import { loweredConnection } from './asked-daemon.js';
import { requestRefusal } from './refused-requests.js';
import { InboxTurns } from './inbox-turns.js';
import { inboxIn, isReplySubject } from './subjects.js';

/** All parts of a reply but the last one have this header. */
export const MORE = 'T4a-More';

const PART_BYTES = 256 * 1024;
const MOST_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** Half of them of one inbox. */
const MAX_SINGLE = 64;
/** Bound of all requests together. */
const MOST_HELD_BYTES = 2 * MOST_BYTES;

/** Requests of a host that are under way. */
export class SingleRequests {
  readonly #nats: NatsConnection;
  readonly #socketPath: string;
  readonly #turns: InboxTurns;
  readonly #budget = new ReplyBudget({ mostBytes: MOST_HELD_BYTES, mostOfOne: MOST_BYTES, alsoHeld: () => 0 });
  readonly #places = new Shares(MAX_SINGLE);

  constructor(nats: NatsConnection, socketPath: string, turns = new InboxTurns()) {
    this.#turns = turns;
    this.#nats = nats;
    this.#socketPath = socketPath;
  }

  /** Resolves once it is published. */
  async answer(reply: string | undefined, data: Uint8Array): Promise<void> {
    if (!isReplySubject(reply)) return;
    const inbox = inboxIn(reply);
    const lack = this.#places.lack(inbox);
    if (lack !== undefined) {
      const most = lack === 'all' ? `${MAX_SINGLE} single requests` : `${MAX_SINGLE / 2} single requests of this inbox`;
      this.#nats.publish(reply, encodeLine(errorReply(tooMany(most))));
      return;
    }
    this.#places.take(inbox);
    try {
      const turns = this.#turns.nameOf(inbox);
      await answerOnce(this.#nats, reply, answerTo(data, { socketPath: this.#socketPath, turns }, this.#budget));
    } finally {
      this.#places.free(inbox);
    }
  }
}

function tooMany(most: string): T4aError {
  return new T4aError('too_many_requests', `The host answers ${most} at once, and that many are under way.`, {
    hint: 'Ask again, or over a link: t4a hosts add nats://SERVER/FLEET/HOST',
  });
}

async function answerOnce(nats: NatsConnection, reply: string, answered: Promise<Uint8Array>): Promise<void> {
  const answer = await answered.catch((error: unknown) =>
    encodeLine(errorReply(isT4aError(error) ? error : new T4aError('internal', 'The request failed.'))),
  );
  const most = Math.min(PART_BYTES, (nats.info?.max_payload ?? PART_BYTES) - 1024);
  for (let at = 0; at < answer.length; at += most) {
    if (nats.isClosed()) return;
    const isLast = at + most >= answer.length;
    const given = headers();
    if (!isLast) given.set(MORE, '1');
    nats.publish(reply, answer.subarray(at, at + most), isLast ? {} : { headers: given });
    // So that at most one part waits here.
    if (!isLast) await nats.flush();
  }
}

interface AskedDaemon {
  readonly socketPath: string;
  /** See `InboxTurns.nameOf`. */
  readonly turns: string;
}

async function answerTo(data: Uint8Array, to: AskedDaemon, budget: ReplyBudget): Promise<Uint8Array> {
  const line = Buffer.from(data).toString().trim();
  const refusal = line.includes('\n') ? oneLine() : requestRefusal(Buffer.from(line));
  if (refusal !== undefined) return Buffer.from(refusal);
  if (isStream(line))
    throw new T4aError('not_allowed', 'A stream is no single answer.', {
      hint: 't4a hosts add nats://SERVER/FLEET/HOST',
    });
  const socket = await loweredConnection(to.socketPath, 'read', to.turns);
  const timer = setTimeout(() => socket.destroy(), TIMEOUT_MS);
  let reader: ReplyReader | undefined;
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      const tooLong = (): void => reject(new T4aError('internal', `The reply has more than ${MOST_BYTES} bytes.`));
      const lost = (): void => reject(new T4aError('connection_lost', 'The daemon gave no answer.'));
      const own = new ReplyReader(
        {
          reply: (header: Header, bytes) =>
            resolve(bytes === undefined ? encodeLine(header) : concatBytes([encodeLine(header), bytes])),
          garbage: lost,
          noRoom: tooLong,
        },
        budget,
      );
      reader = own;
      socket.on('data', (chunk: Buffer) => own.push(chunk)).once('close', lost);
      socket.write(`${line}\n`);
      socket.resume();
    });
  } finally {
    clearTimeout(timer);
    socket.destroy();
    // What has come of a reply without an end is held no longer.
    reader?.dispose();
  }
}

function oneLine(): string {
  return `${JSON.stringify(errorReply(new T4aError('bad_json', 'A message is one request.')))}\n`;
}

/** Lines without an end. */
const STREAMS: readonly unknown[] = ['events', 'watch'];

function isStream(line: string): boolean {
  const fields = requestFields(line);
  return !(fields instanceof T4aError) && STREAMS.includes(fields['cmd']);
}
