/** A directory of the doctor's own: where a socket can be made at all, somewhere else than the daemon that may be running. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errnoOf } from '../../base/errno.js';
import { isT4aError, T4aError } from '../../protocol/errors.js';
import { checkSocketPath } from '../../protocol/socket-path.js';
import type { Host } from '../host.js';

/** @throws T4aError `socket_path` that lists why each directory cannot be used */
export function makeTrialDirectory(host: Host): string {
  const reasons: string[] = [];
  for (const place of candidates(host)) {
    try {
      checkSocketPath(socketIn(join(place, 't4a-XXXXXX')), process.platform);
      return mkdtempSync(join(place, 't4a-'));
    } catch (error) {
      reasons.push(`${place} (${isT4aError(error) ? 'too long a path' : systemsWords(error)})`);
    }
  }
  throw new T4aError('socket_path', `No directory takes a socket: ${reasons.join(', ')}.`, {
    hint: 'Go to a directory that may be written, or make one: t4a needs a place for its socket.',
  });
}

export function socketIn(directory: string): string {
  return join(directory, 's');
}

/** The middle of "EROFS: read-only file system, mkdtemp '/tmp/t4a-XXXXXX'". */
function systemsWords(error: unknown): string {
  return /^Error: E\w+: ([^,]+)/.exec(String(error))?.[1] ?? String(error);
}

/** Places to try. If everything but the working directory is read-only, as sandboxes have it, that one is left. */
function candidates(host: Host): string[] {
  const runtime = host.env['XDG_RUNTIME_DIR'];
  const ofUser = runtime?.startsWith('/') === true ? [runtime] : [];
  return [...new Set([tmpdir(), '/tmp', ...ofUser, ...workingDirectory(host)])];
}

function workingDirectory(host: Host): string[] {
  try {
    return [host.cwd()];
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    return []; // It was removed.
  }
}
