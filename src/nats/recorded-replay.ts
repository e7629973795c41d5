/** The replay of a request for events, out of a recording: for what the daemon counts as `lagged` in it. */
import type { Duplex } from 'node:stream';
import { readStream } from './jetstream.js';
import { numberIn, Range } from './records.js';
import type { LineReplay } from './replies.js';
import type { ServerConnection } from './server-connection.js';

export interface StreamRecording {
  readonly server: ServerConnection;
  readonly stream: string;
  /** Subjects of the host's events. */
  readonly events: string;
  /** Instance of the daemon whose numbers the request means. */
  readonly instance: string;
}

/** Undefined for other requests, and for those of which only the daemon can say which events they mean. */
export function replayOf(line: Uint8Array, recording: StreamRecording, reader: Duplex): LineReplay | undefined {
  const request = requestIn(line);
  if (request?.['cmd'] !== 'events') return undefined;
  const { since, where, terminal, types, req } = request;
  if (!Number.isSafeInteger(since) || Number(since) < 0 || where !== undefined) return undefined;
  if (terminal !== undefined && (typeof terminal !== 'string' || terminal === '@')) return undefined;
  if (types !== undefined && !Array.isArray(types)) return undefined;
  const wanted = { terminal, types };
  const from = Number(since);
  return {
    req,
    lines: (missed, after = from) => recorded(recording, new Range(wanted, after, after + missed), reader),
  };
}

async function* recorded(
  { server, stream, events, instance }: StreamRecording,
  range: Range,
  reader: Duplex,
): AsyncGenerator<object, void, void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  reader.once('close', leave);
  try {
    if (reader.destroyed) leave();
    for await (const message of readStream(server, stream, events, { deliver: 'all', signal: gone.signal })) {
      const seq = numberIn(message, instance);
      if (seq !== undefined) yield* range.take(seq, message);
      if (range.isFull) break;
    }
  } catch {
    // What could not be read is counted below.
  } finally {
    reader.off('close', leave);
  }
  yield* range.end();
}

function requestIn(line: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString();
  if (!text.includes('"since"')) return undefined;
  try {
    return (JSON.parse(text) as Record<string, unknown> | null) ?? undefined;
  } catch {
    return undefined;
  }
}
