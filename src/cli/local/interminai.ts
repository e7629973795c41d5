/** `t4a interminai`: one terminal for clients of interminai. */
import { T4aError } from '../../protocol/errors.js';
import type { ParamsInput } from '../../protocol/registry.js';
import { askerOf } from '../asker.js';
import { withPlace } from '../prepare/spawn.js';
import { withSettings } from '../settings.js';
import type { LocalCommand } from './local-command.js';

/** So many kinds of sequences the daemon keeps. */
const MAX_DEBUG_BUFFER = 256;

export const runInterminai: LocalCommand = async (invocation, host, bundles) => {
  const { id, ...size } = invocation.params as { id?: string; cols?: number; rows?: number };
  const {
    socket: socketPath,
    debug_buffer: debugBuffer = 10,
    cmd_args: command,
  } = invocation.options as { socket?: string; debug_buffer?: number; cmd_args?: readonly string[] };
  const given = { ...size, ...(command === undefined ? {} : { cmd_args: command }) };
  if (id !== undefined && Object.keys(given).length > 0) {
    throw new T4aError('usage', '"--terminal" names a terminal that exists: it takes no program and no size.');
  }
  if (debugBuffer < 0 || debugBuffer > MAX_DEBUG_BUFFER) {
    throw new T4aError('usage', `"--debug-buffer" is ${debugBuffer}: expected 0 to ${MAX_DEBUG_BUFFER}.`);
  }
  const { params } = withSettings({ ...invocation, params: given }, host);
  const terminal = id ?? (withPlace(params, invocation.options, host) as ParamsInput<'create'>);
  const { serveInterminai: serve } = await bundles.interminai();
  await serve({
    daemon: { as: askerOf(invocation.options, host).as },
    terminal,
    socketPath,
    debugBuffer,
    // The lines of the original's `start`.
    onListening: (place) =>
      host.out(`Socket: ${place.socketPath}\nPID: ${process.pid}\nAuto-generated: ${place.isGenerated}\n`),
  });
  return 0;
};
