/**
 * A daemon without terminals, for tests of its start. What is in `$SMALL_DAEMON` (JSON) makes it another:
 * `fail`: it complains and ends with status 3; `robbedAt`: another user takes the lock if that is its path;
 * `protocol`, `terminals`: what it answers to `ping`.
 */
import { appendFileSync, chownSync, writeFileSync } from 'node:fs';
import { Log } from '../../../src/base/log.js';
import { PROTOCOL_VERSION } from '../../../src/protocol/limits.js';
import { RpcServer } from '../../../src/rpc/server.js';
import { testHandlers } from '../test-handlers.js';

interface Behaviour {
  readonly fail?: string;
  readonly robbedAt?: string;
  readonly protocol?: number;
  readonly terminals?: number;
}

const behaviour = JSON.parse(process.env['SMALL_DAEMON'] ?? '{}') as Behaviour;
const socketPath = process.env['T4A_SOCKET'] ?? '';
appendFileSync(`${socketPath}.starts`, `${process.pid} ${process.argv.slice(2).join(' ')}\n`);
if (behaviour.fail !== undefined) {
  process.stderr.write(`first words\n${behaviour.fail}\n`);
  process.exit(3);
}
if (behaviour.robbedAt === socketPath) {
  writeFileSync(`${socketPath}.lock`, '');
  chownSync(`${socketPath}.lock`, 12_345, 12_345);
}
const server = new RpcServer({
  log: new Log((line) => process.stderr.write(line)),
  handlers: testHandlers({
    ping: () => ({
      version: '0.0.1',
      protocol: behaviour.protocol ?? PROTOCOL_VERSION,
      pid: process.pid,
      socket: socketPath,
      uptime_ms: 1,
      terminals: behaviour.terminals ?? 0,
    }),
    shutdown() {
      setImmediate(() => void server.close().then(() => process.exit(0)));
      return {};
    },
  }),
});
if ((await server.listen(socketPath)) === 'taken') process.exit(0);
