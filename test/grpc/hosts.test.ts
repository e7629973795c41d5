/** A coordinator of vtr where a daemon of t4a is expected: in the list of hosts, and as the socket itself. */
import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { testFleet } from '../support/fleet.js';
import { vtr } from '../support/grpc.js';

const cli = useCliDaemon();

const SPEAKS = "speaks gRPC, not t4a's wire, as a coordinator of vtr does";

test('a coordinator in the list of hosts is named as one', async () => {
  const { t4a, output } = testFleet();
  const { socketPath } = await vtr(cli.daemon.socketPath);
  await output('config', 'add', socketPath);
  const said = `The host "vtr" cannot be reached: its socket ${SPEAKS}.`;
  for (const line of [['list', '--all'], ['ls'], ['list', '--on', 'vtr'], ['screen', 'vtr:codex']]) {
    const { status, stderr } = await t4a(line);
    expect({ line, status, said: stderr.includes(said) }).toEqual({ line, status: 1, said: true });
    expect(stderr).not.toContain('says ""');
  }
  expect((await t4a(['screen', 'vtr:codex'])).stderr).toContain('hint: t4a hosts resolve vtr\n');
});

test('a coordinator in place of the daemon is named as one, without waiting for its answer', async () => {
  const { socketPath } = await vtr(cli.daemon.socketPath);
  for (const line of [['list'], ['spawn', 'x'], ['events']]) {
    const { status, stderr } = await cli.t4a(line, { socketPath });
    expect(status).toBe(1);
    expect(stderr).toContain(
      `No daemon could be reached on ${JSON.stringify(socketPath)}: what listens there ${SPEAKS}.`,
    );
  }
});

/** @param first what the server sends to each client */
function serverAt(path: string, first: Buffer): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('data', () => socket.end());
    socket.write(first);
  });
  onTestFinished(() => void server.close());
  return new Promise((resolve) => server.listen(path, () => resolve(server)));
}

test.each([
  // Of grpc-go, C-core and Node: no setting, one and several.
  ['000000040000000000', true],
  ['000006040000000000000500004000', true],
  ['00001e0400000000000002000000000003000000000004003fffff0005003fffff000600002000fe0300000001', true],
  // PING, SETTINGS of another stream, and no frame at all.
  ['000008060000000000', false],
  ['000000040000000001', false],
  ['0000', false],
])('what begins with %s is gRPC: %s', async (hex, isGrpc) => {
  const { dir, t4a, output } = testFleet();
  const path = dir.join('other.sock');
  await serverAt(path, Buffer.from(hex, 'hex'));
  await output('hosts', 'add', path);
  const { stderr } = await t4a(['list', '--on', 'other']);
  expect(stderr.includes(SPEAKS), stderr).toBe(isGrpc);
  expect(stderr).toContain('The host "other" cannot be reached');
});
