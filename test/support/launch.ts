/** Terminals of the library, on a daemon of the test's own that the library itself starts; it ends with the test. */
import { onTestFinished } from 'vitest';
import { connect, type Client, launch, type LaunchOptions, type Terminal } from '../../src/client/index.js';
import { builtDaemonEntry } from './daemon.js';
import { tempDir } from './temp-dir.js';

export async function clientOfOwnDaemon(): Promise<Client> {
  const { socketPath } = tempDir();
  const client = await connect({ socketPath, daemonEntry: builtDaemonEntry });
  onTestFinished(async () => {
    if (client.isClosed) return;
    await client.call('shutdown');
    await client.close();
  });
  return client;
}

type Launch = Omit<LaunchOptions, 'client' | 'socketPath'>;

export async function launchOnOwnDaemon(options: Launch = {}): Promise<Terminal> {
  return launch({ ...options, client: await clientOfOwnDaemon() });
}
