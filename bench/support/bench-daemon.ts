/** A daemon of the bench's own, and a client of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type Client } from '../../src/client/index.js';

export interface BenchDaemon {
  readonly dir: string;
  readonly socketPath: string;
  readonly client: Client;
  stop(): Promise<void>;
}

export async function startBenchDaemon(root: string): Promise<BenchDaemon> {
  const dir = mkdtempSync(path.join(tmpdir(), 't4a-'));
  const socketPath = path.join(dir, 's');
  const client = await connect({ socketPath, daemonEntry: path.join(root, 'dist/daemon.cjs') });
  return {
    dir,
    socketPath,
    client,
    async stop() {
      await client.call('shutdown', {});
      await client.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
