/** `t4a fleet`: one socket for the daemons of all hosts. */
import { join } from 'node:path';
import { T4aError } from '../../protocol/errors.js';
import { absolutePath } from '../prepare/spawn.js';
import { settingOf } from '../settings.js';
import type { LocalCommand } from './local-command.js';
import { ownFolder } from './own-folder.js';

export const serveFleet: LocalCommand = async ({ options }, host, bundles) => {
  const { socket } = options as { socket?: string };
  const socketPath = socket === undefined ? join(ownFolder(host), 'fleet.sock') : absolutePath(socket, host);
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
