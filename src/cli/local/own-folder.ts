/** A directory of the user's alone, for sockets beside that of the daemon. */
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/make-folder.js';
import { callersPlaces } from '../../client/paths.js';
import { makeOwnDirectory } from '../../client/socket-places.js';
import { errnoOf } from '../../base/errno.js';
import { quote, T4aError } from '../../protocol/errors.js';
import type { Host } from '../host.js';

/** `$XDG_RUNTIME_DIR/t4a`, or /tmp/t4a-UID. @throws T4aError if another user has it */
export function ownFolder({ env }: Host): string {
  const runtime = env['XDG_RUNTIME_DIR'];
  if (runtime?.startsWith('/') === true) {
    const folder = join(runtime, 't4a');
    made(folder);
    return folder;
  }
  const places = callersPlaces();
  makeOwnDirectory(places.own, places);
  return dirname(places.own);
}

/** @throws T4aError `usage` with the system's reason */
function made(folder: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (error) {
    throw new T4aError('usage', `The folder ${quote(folder)} cannot be made (${errnoOf(error) ?? String(error)}).`, {
      hint: 'XDG_RUNTIME_DIR is to name a folder of your own, or nothing.',
    });
  }
}
