/** One request in one message, at the lowest level: for clients of NATS that know nothing of links, such as `nats req`. */
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { ReplyReader, type Header } from '../client/reply-reader.js';
import { ReplyBudget } from '../client/reply-budget.js';
import { errorReply, T4aError, isT4aError } from '../protocol/errors.js';
import { concatBytes, encodeLine } from '../protocol/framing.js';
import { requestFields } from '../protocol/request-line.js';
import { loweredConnection } from './asked-daemon.js';
import { refusalOf } from './refused-requests.js';

/** All parts of a reply but the last one have this header. */
export const MORE = 'T4a-More';

const PART_BYTES = 256 * 1024;
const MOST_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

export async function answerOnce(
  nats: NatsConnection,
  reply: string,
  data: Uint8Array,
  socketPath: string,
): Promise<void> {
  const answer = await answerTo(data, socketPath).catch((error: unknown) =>
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

async function answerTo(data: Uint8Array, socketPath: string): Promise<Uint8Array> {
  const line = Buffer.from(data).toString().trim();
  const refusal = line.includes('\n') ? oneLine() : refusalOf(Buffer.from(line));
  if (refusal !== undefined) return Buffer.from(refusal);
  if (isStream(line))
    throw new T4aError('not_allowed', 'A stream is no single answer.', {
      hint: 't4a hosts add nats://SERVER/FLEET/HOST',
    });
  const socket = await loweredConnection(socketPath, 'read');
  const timer = setTimeout(() => socket.destroy(), TIMEOUT_MS);
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      const budget = new ReplyBudget({ mostBytes: MOST_BYTES, mostOfOne: MOST_BYTES, alsoHeld: () => 0 });
      const tooLong = (): void => reject(new T4aError('internal', `The reply has more than ${MOST_BYTES} bytes.`));
      const lost = (): void => reject(new T4aError('connection_lost', 'The daemon gave no answer.'));
      const reader = new ReplyReader(
        {
          reply: (header: Header, bytes) =>
            resolve(bytes === undefined ? encodeLine(header) : concatBytes([encodeLine(header), bytes])),
          garbage: lost,
          noRoom: tooLong,
        },
        budget,
      );
      socket.on('data', (chunk: Buffer) => reader.push(chunk)).once('close', lost);
      socket.write(`${line}\n`);
      socket.resume();
    });
  } finally {
    clearTimeout(timer);
    socket.destroy();
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
