/** Terminals of the library, on a daemon of the test's own that the library itself starts, or on one of the test's file. */
import { onTestFinished } from 'vitest';
import { connect, type Client, launch, type LaunchOptions, type Terminal } from '../../src/client/index.js';
import { builtDaemonEntry, request, startDaemon, type TestDaemon } from './daemon.js';
import { endDaemonAt } from './end-daemon.js';
import { tempDir } from './temp-dir.js';

export async function clientOfOwnDaemon(): Promise<Client> {
  const { socketPath } = tempDir();
  const client = await connect({ socketPath, daemonEntry: builtDaemonEntry });
  onTestFinished(() => endDaemonAt(socketPath));
  onTestFinished(() => client.close());
  return client;
}

let ofFile: TestDaemon | undefined;

/** Of a daemon that the tests of one file share, one after another: each leaves it without terminals. */
export async function clientOfFilesDaemon(): Promise<Client> {
  ofFile ??= await startDaemon();
  const daemon = ofFile;
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
  onTestFinished(async () => {
    await client.close();
    const { terminals } = (await request(daemon, { cmd: 'list' })) as { terminals: { id: string }[] };
    await Promise.all(terminals.map(({ id }) => request(daemon, { cmd: 'kill', id, grace_ms: 100, force: true })));
  });
  return client;
}

export async function endFilesDaemon(): Promise<void> {
  const daemon = ofFile;
  ofFile = undefined;
  await daemon?.stop();
}

type Launch = Omit<LaunchOptions, 'client' | 'socketPath'>;

/** On the daemon of the file. */
export async function launchInFile(options: Launch = {}): Promise<Terminal> {
  return launch({ ...options, client: await clientOfFilesDaemon() });
}

export async function launchOnOwnDaemon(options: Launch = {}): Promise<Terminal> {
  return launch({ ...options, client: await clientOfOwnDaemon() });
}
