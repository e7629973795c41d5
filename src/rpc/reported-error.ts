/** Error of a handler, as it is shown to the caller and to the log. Neither gets a secret, nor the log anything of a request. */
import type { Log } from '../base/log.js';
import { T4aError } from '../protocol/errors.js';
import type { CheckedRequest } from '../protocol/request.js';
import type { Asker, Call } from './service.js';

export const LOG_HINT = "The daemon's log has the details.";

export function reportedError(
  error: unknown,
  { cmd, params }: CheckedRequest,
  { signal, traceparent }: Call,
  log: Log,
): T4aError {
  if (error instanceof T4aError) return 'secret' in params && params.secret ? withoutId(error) : error;
  // What Node's own waits throw for an aborted signal; the reason says more.
  const isAbort = error instanceof Error && error.name === 'AbortError';
  if (signal.aborted && isAbort && signal.reason instanceof T4aError) return signal.reason;
  const defect = asError(error);
  const shown = quotesRequest(defect.message, params) ? withoutMessage(defect) : defect;
  log.error(`"${cmd}" failed${ofTrace({ traceparent })}`, shown);
  return new T4aError('internal', `"${cmd}" failed: ${shown.message}`, { hint: LOG_HINT });
}

/** End of an entry of the log. */
export function ofTrace({ traceparent }: Pick<Asker, 'traceparent'>): string {
  return traceparent === undefined ? '' : `, traceparent ${traceparent}`;
}

/** Place at which it was thrown, and no more: its message may quote a request. */
export function withoutMessage(error: unknown): Error {
  const { name, stack = '' } = asError(error);
  const shown = new Error('the message is not shown, since it may quote the request');
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  shown.stack = [`${name}: ${shown.message}`, ...frames].join('\n');
  return shown;
}

/** The arguments of `type` and its like are easily swapped, and then the id is the secret. */
function withoutId(error: T4aError): T4aError {
  if (error.code !== 'terminal_not_found') return error;
  return new T4aError(error.code, 'There is no terminal of that name.', error.details);
}

/** Shorter words stand in messages by chance. */
const LEAST_WORD_LENGTH = 4;
/** Node cuts what it quotes, at 128 characters. */
const MAX_WORD_LENGTH = 64;

function quotesRequest(message: string, params: object): boolean {
  const texts: string[] = [];
  for (let level: unknown[] = [params]; level.length > 0;) {
    texts.push(...level.filter((value) => typeof value === 'string'));
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return texts
    .flatMap((text) => [text, ...text.split(/\W+/u)])
    .some((word) => word.length >= LEAST_WORD_LENGTH && message.includes(word.slice(0, MAX_WORD_LENGTH)));
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
