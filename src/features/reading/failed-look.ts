/** An act and the look after it are two verdicts: what was done is not undone by a picture that cannot be drawn. */
import { isT4aError } from '../../protocol/errors.js';

export interface FailedLook {
  readonly error: string;
  readonly code: string;
  readonly hint?: string;
}

/** What stands in `observed`. @throws the error itself, if the caller has gone or it is none of a request */
export function failedLook(error: unknown, signal: AbortSignal): FailedLook {
  if (!isT4aError(error) || error.code === 'internal') throw error;
  // Of a replacement the caller is to learn what was done.
  if (signal.aborted && error.code !== 'replaced') throw error;
  const { hint } = error.details;
  return { error: error.message, code: error.code, ...(hint === undefined ? {} : { hint }) };
}
