/** `t4a grpc`: the daemon for clients of vtr. */
import { homeDirectory } from '../../base/home-directory.js';
import { T4aError } from '../../protocol/errors.js';
import { MAX_SCROLLBACK_LINES } from '../../protocol/limits.js';
import { askerOf } from '../asker.js';
import { absolutePath } from '../prepare/spawn.js';
import { withSettings } from '../settings.js';
import type { LocalCommand } from './local-command.js';

/** vtr's own. */
const DEFAULT_SOCKET = '/var/run/vtr.sock';
const DEFAULT_KILL_TIMEOUT_MS = 5000;

interface Sizes {
  readonly cols?: number;
  readonly rows?: number;
  readonly scrollback?: number;
}

export const runGrpc: LocalCommand = async (invocation, host, bundles) => {
  const {
    socket = DEFAULT_SOCKET,
    shell,
    kill_timeout_ms: killTimeoutMs = DEFAULT_KILL_TIMEOUT_MS,
    record,
  } = invocation.options as { socket?: string; shell?: string; kill_timeout_ms?: number; record?: boolean };
  if (killTimeoutMs < 0) throw new T4aError('usage', '"--kill-timeout" is negative.');
  const { params } = withSettings(invocation, host);
  const { cols, rows, scrollback, cmd_args: preferred } = params as Sizes & { cmd_args?: readonly string[] };
  if (scrollback !== undefined && (scrollback < 0 || scrollback > MAX_SCROLLBACK_LINES)) {
    // Every Spawn would be refused.
    throw new T4aError('usage', `"--scrollback" is ${scrollback}: expected 0 to ${MAX_SCROLLBACK_LINES}.`);
  }
  const socketPath = absolutePath(socket, host);
  const { serveGrpc: serve } = await bundles.grpc();
  await serve({
    daemon: { as: askerOf(invocation.options, host).as },
    socketPath,
    home: homeDirectory(host.env),
    shell: shell ?? preferred?.[0],
    cols,
    rows,
    scrollback,
    killTimeoutMs,
    records: record,
    async exportCast(path) {
      const { exportRecording } = await bundles.exporting();
      return (await exportRecording({ path, format: 'asciicast-v2' })).chunks;
    },
    onListening: () => host.out(`Socket: ${socketPath}\nPID: ${process.pid}\n`),
  });
  return 0;
};
