/** A directory of the user's alone, for sockets beside that of the daemon. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { callersPlaces } from '../../client/paths.js';
import { makeOwnDirectory } from '../../client/socket-places.js';
import type { Host } from '../host.js';

/** `$XDG_RUNTIME_DIR/t4a`, or /tmp/t4a-UID. @throws T4aError if another user has it */
export function ownFolder({ env }: Host): string {
  const runtime = env['XDG_RUNTIME_DIR'];
  if (runtime?.startsWith('/') === true) {
    const folder = join(runtime, 't4a');
    mkdirSync(folder, { mode: 0o700, recursive: true });
    return folder;
  }
  const places = callersPlaces();
  makeOwnDirectory(places.own, places);
  return dirname(places.own);
}
