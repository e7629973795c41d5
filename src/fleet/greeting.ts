/** The first exchange on a new stream: finds the daemon's reply behind whatever a shell or a motd prints before it. */
import type { Duplex } from 'node:stream';
import type { Pong } from '../client/handshake.js';
import { receivedError } from '../client/received-error.js';
import { isT4aError } from '../protocol/errors.js';

/** Bytes before the reply that are skipped at most, and of the reply. */
const MAX_BYTES = 64 * 1024;

export interface NoReply {
  /** Bytes that came in place of a greeting. */
  readonly garbage: string;
}

export type FirstReply = { readonly reply: Readonly<Record<string, unknown>> } | NoReply;

/** @throws the signal's reason @throws T4aError `replaced`: to be opened anew ({@link pastReplacements}) */
export async function greet(
  stream: Duplex,
  signal: AbortSignal | undefined,
): Promise<{ readonly daemon: Pong } | NoReply> {
  const answer = await firstReply(stream, { cmd: 'ping' }, signal);
  if ('garbage' in answer) return answer;
  const { ok, req: _req, ...daemon } = answer.reply;
  if (ok === false && daemon['code'] === 'replaced') throw receivedError(answer.reply);
  const isPong = ok === true && Number.isInteger(daemon['protocol']) && Number.isInteger(daemon['pid']);
  return isPong ? { daemon: plainPong(daemon) as Pong } : { garbage: JSON.stringify(answer.reply) };
}

/** Most replacements during one opening: what is replaced more often only says so. */
const MOST_REPLACEMENTS = 3;

/** @param open greets what it opens, and is called again if the daemon has just been replaced @throws as it does */
export async function pastReplacements<Opened>(open: () => Promise<Opened>): Promise<Opened> {
  for (let left = MOST_REPLACEMENTS; ; left--) {
    try {
      return await open();
    } catch (error) {
      if (left === 0 || !isT4aError(error) || error.code !== 'replaced') throw error;
    }
  }
}

/** Fields of a greeting that get into sentences or are compared: short, and without blanks. */
export function plainPong(pong: Readonly<Record<string, unknown>>): object {
  const { version, instance, terminals } = pong;
  return {
    ...pong,
    version: isPlain(version) ? version : 'unknown',
    instance: isPlain(instance) ? instance : undefined,
    terminals: typeof terminals === 'number' ? terminals : 0,
  };
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' && /^[\w.:+-]{1,128}$/.test(value);
}

/** Leaves the stream paused, with everything after the reply unread. @throws the signal's reason */
export function firstReply(stream: Duplex, request: object, signal?: AbortSignal): Promise<FirstReply> {
  // Loaded only here: it takes three milliseconds, and the command line has this file for one of its commands.
  const token = process.getBuiltinModule('node:crypto').randomBytes(8).toString('hex');
  const begins = [true, false].map((ok) => Buffer.from(`{"ok":${ok},"req":"${token}"`));
  let bytes = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      stream.off('data', onData).off('close', onEnd).off('end', onEnd);
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const onEnd = (): void => finish(() => resolve({ garbage: bytes.toString() }));
    const onAbort = (): void => finish(() => reject(signal?.reason as Error));
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const start = Math.max(...begins.map((begin) => bytes.indexOf(begin)));
      const end = start === -1 ? -1 : bytes.indexOf(NEWLINE, start);
      if (end === -1) {
        if (bytes.length > MAX_BYTES) onEnd();
        return;
      }
      stream.pause();
      stream.off('error', ignore);
      finish(() => {
        if (end + 1 < bytes.length) stream.unshift(bytes.subarray(end + 1));
        resolve(parsed(bytes.toString('utf8', start, end)));
      });
    };
    if (signal?.aborted === true) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    stream.on('data', onData).on('close', onEnd).on('end', onEnd).on('error', ignore).resume();
    stream.write(`${JSON.stringify({ ...request, req: token })}\n`);
  });
}

/** EPIPE, ECONNRESET of a peer that has gone: "close" comes, too. Such an error may come after "end", so it stays. */
function ignore(): void {}

const NEWLINE = 0x0a;

function parsed(line: string): FirstReply {
  try {
    return { reply: JSON.parse(line) as Record<string, unknown> };
  } catch {
    return { garbage: line };
  }
}
