/** `t4a fleet`: one socket for the daemons of all hosts. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { callersPlaces } from '../../client/paths.js';
import { makeOwnDirectory } from '../../client/socket-places.js';
import { T4aError } from '../../protocol/errors.js';
import type { Host } from '../host.js';
import { absolutePath } from '../prepare/spawn.js';
import { settingOf } from '../settings.js';
import type { LocalCommand } from './local-command.js';

export const serveFleet: LocalCommand = async ({ options }, host, bundles) => {
  const { socket } = options as { socket?: string };
  const socketPath = socket === undefined ? defaultPath(host) : absolutePath(socket, host);
  const local = settingOf('socket', undefined, host).value as string | undefined;
  if (local === socketPath) {
    throw new T4aError('usage', `${JSON.stringify(socketPath)} is the socket of the daemon of this machine.`, {
      hint: 'Name another with --socket.',
    });
  }
  const { serveGateway } = await bundles.gateway();
  await serveGateway({
    socketPath,
    local: { socketPath: local },
    log: (line) => host.note(`${line}\n`),
    onListening: () => host.out(`Socket: ${socketPath}\nPID: ${process.pid}\n`),
  });
  return 0;
};

/** In a directory of the user's alone. */
function defaultPath({ env }: Host): string {
  const runtime = env['XDG_RUNTIME_DIR'];
  if (runtime?.startsWith('/') === true) {
    const folder = join(runtime, 't4a');
    mkdirSync(folder, { mode: 0o700, recursive: true });
    return join(folder, 'fleet.sock');
  }
  const places = callersPlaces();
  makeOwnDirectory(places.own, places);
  return join(dirname(places.own), 'fleet.sock');
}
