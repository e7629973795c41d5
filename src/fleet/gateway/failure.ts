/** Why a host does not answer, as lists and events have it. */
import { type ErrorCode, isT4aError } from '../../protocol/errors.js';

export function failureOf(error: unknown): { readonly code: ErrorCode; readonly error: string } {
  if (isT4aError(error)) return { code: error.code, error: error.message };
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  return { code: 'host_unreachable', error: isTimeout ? 'It did not answer in time.' : String(error) };
}
