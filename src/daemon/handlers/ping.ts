import { FEATURES } from '../../protocol/features.js';
import { PROTOCOL_VERSION } from '../../protocol/limits.js';
import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const ping =
  (daemon: Daemon): Handler<'ping'> =>
  () => ({
    version: daemon.options.version,
    protocol: PROTOCOL_VERSION,
    pid: process.pid,
    socket: daemon.options.socketPath,
    uptime_ms: Math.round(daemon.options.clock.now() - daemon.startedAtMs),
    terminals: daemon.terminals.size,
    instance: daemon.options.instance?.(),
    features: [...FEATURES],
  });
