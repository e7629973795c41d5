/**
 * What a page may ask for: the first of two doors. The daemon checks the reach of each request, by `restrict`; this one
 * refuses what names a file, and what a connection of one page has no use for. Pure.
 */
import { T4aError } from '../protocol/errors.js';

export interface PageRequest {
  readonly cmd: string;
  readonly req?: string | number | undefined;
}

/** Their reach admits them, and each takes a path. */
const WITH_PATHS: readonly string[] = ['open', 'record', 'trigger'];

/** Of the machine that the daemon runs on. */
const PATH_FIELDS: readonly string[] = ['path', 'file', 'cwd', 'env', 'stdin'];

/** @returns the request, or the error that answers it; undefined for what is no request */
export function admit(message: string): { readonly request: PageRequest; readonly refusal?: T4aError } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('cmd' in value) || typeof value.cmd !== 'string')
    return undefined;
  const fields = value as Record<string, unknown> & { readonly cmd: string };
  const { cmd, req } = fields;
  const request: PageRequest = { cmd, req: typeof req === 'string' || typeof req === 'number' ? req : undefined };
  if (WITH_PATHS.includes(cmd)) return { request, refusal: notAllowed(`"${cmd}" names files, and pages name none.`) };
  const field = PATH_FIELDS.find((name) => Object.hasOwn(fields, name));
  if (field !== undefined) {
    return { request, refusal: notAllowed(`"${field}" of "${cmd}" is not taken from a page.`, field) };
  }
  if (cmd === 'events' && fields['shared'] !== true) {
    return { request, refusal: notAllowed('A page shares its connection: "events" needs "shared".', 'shared') };
  }
  return { request };
}

function notAllowed(message: string, field?: string): T4aError {
  return new T4aError('not_allowed', message, {
    ...(field === undefined ? {} : { field }),
    hint: 'Use the command line: t4a --help',
  });
}
