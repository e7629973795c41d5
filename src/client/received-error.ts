/** An error reply, as the error that the daemon had. A code that is unknown here, from a newer daemon, is kept as it is. */
import { T4aError, quote, type ErrorCode } from '../protocol/errors.js';
import type { Header } from './reply-reader.js';

export function receivedError(header: Header): T4aError {
  const { error, code, hint, closest, field } = header;
  const details = Object.entries({ hint, closest, field }).filter(([, value]) => typeof value === 'string');
  return new T4aError(
    typeof code === 'string' ? (code as ErrorCode) : 'internal',
    typeof error === 'string' ? error : `The daemon refused: ${quote(header)}`,
    Object.fromEntries(details),
  );
}
