/** `t4a fleet` as a process of the test's, over this machine and two hosts. */
import { mkdirSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { streamCli } from '../support/cli.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { ofFile, type AtEnd } from '../support/of-file.js';
import { RawConnection } from '../support/raw.js';

export interface Gateway extends TestFleet {
  readonly socketPath: string;
  readonly raw: () => RawConnection;
  readonly server: ReturnType<typeof streamCli>;
}

/** Hosts `x` and `y` by a glob, and this machine. */
export async function gateway(atEnd: AtEnd = onTestFinished): Promise<Gateway> {
  const fleet = testFleet(atEnd);
  for (const name of ['x', 'y']) {
    mkdirSync(fleet.dir.join(name));
    await fleet.daemon(`${name}/t4a.sock`);
  }
  await fleet.output('hosts', 'add', '*', `unix:${fleet.dir.path}/*/t4a.sock`);
  const socketPath = fleet.dir.join('fleet.sock');
  const server = streamCli(['fleet', '--socket', socketPath], { env: fleet.env, cwd: fleet.dir.path, atEnd });
  atEnd(() => void server.process.kill('SIGTERM'));
  expect(await server.line()).toBe(`Socket: ${socketPath}`);
  return {
    ...fleet,
    socketPath,
    server,
    raw: () => {
      const connection = new RawConnection(socketPath);
      onTestFinished(() => connection.close());
      return connection;
    },
  };
}

/** To be called once in a file, for tests that leave its hosts as they were. Terminals end with each. */
export function gatewayOfFile(): () => Promise<Gateway> {
  const ofThisFile = ofFile(gateway);
  return async () => {
    const shared = await ofThisFile();
    onTestFinished(async () => {
      const socket = new RawConnection(shared.socketPath);
      const { terminals } = (await socket.request({ cmd: 'list' })).header as { terminals: { id: string }[] };
      for (const { id } of terminals) await socket.request({ cmd: 'kill', id, force: true });
      socket.close();
    });
    return shared;
  };
}
