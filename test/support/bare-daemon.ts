/** A daemon in the test's process, without a socket and with a clock that stands still. */
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { Daemon, type DaemonSetup } from '../../src/daemon/daemon.js';

/** Its terminals end with the test. */
export function bareDaemon(options: Partial<DaemonSetup> = {}): Daemon {
  const daemon = new Daemon({
    socketPath: '/no/such/socket',
    version: '1.2.3',
    clock: new FakeClock(),
    log: silentLog,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    cwd: '/',
    fontsDir: fileURLToPath(new URL('../../fonts/', import.meta.url)),
    configFile: '/no/such/config.json',
    shellDir: '/no/such/shell',
    stop: () => {},
    connectionCounts: () => ({ open: 0, refused: 0, requests: 0, in_flight: 0, waiting: 0, unread_bytes: 0 }),
    widthProblem: () => undefined,
    ...options,
  });
  // The memory of whoever runs the tests has no say in them.
  daemon.configure({ max_memory_bytes: 1e13 });
  onTestFinished(async () => void (await daemon.shutdown()));
  return daemon;
}
