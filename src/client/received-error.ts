/** Converts an error reply to an error. An unknown code, from a newer daemon, is kept. */
import { T4aError, quote, type ErrorCode, type ResumeRequest } from '../protocol/errors.js';
import type { Header } from './reply-reader.js';

export function receivedError(header: Header): T4aError {
  const { error, code, hint, closest, field, first, acted, resume } = header;
  const details = Object.entries({ hint, closest, field }).filter(([, value]) => typeof value === 'string');
  return new T4aError(
    typeof code === 'string' ? (code as ErrorCode) : 'internal',
    typeof error === 'string' ? error : `The daemon refused: ${quote(header)}`,
    {
      ...Object.fromEntries(details),
      ...(typeof first === 'number' ? { first } : {}),
      ...(typeof acted === 'boolean' ? { acted } : {}),
      ...(isRequest(resume) ? { resume } : {}),
    },
  );
}

function isRequest(value: unknown): value is ResumeRequest {
  return typeof value === 'object' && value !== null && 'cmd' in value && typeof value.cmd === 'string';
}
