/** `t4a crew` in a terminal of another daemon. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BenchDaemon } from '../support/bench-daemon.js';

const TICKS_PER_SECOND = 100;
export const SHELL_SIZE = { cols: 149, rows: 47 } as const;

export interface ShellProcess {
  /** Its terminal. */
  readonly id: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ShellProcessOptions {
  readonly root: string;
  readonly daemon: BenchDaemon;
  readonly outer: BenchDaemon;
  /** The terminal that it is to show. */
  readonly shows?: string;
}

export async function startShell({ root, daemon, outer, shows }: ShellProcessOptions): Promise<ShellProcess> {
  const { client } = outer;
  const { dir } = daemon;
  const { id, pid } = await client.call('create', {
    cmd_args: [process.execPath, path.join(root, 'dist/cli.cjs'), '--socket', daemon.socketPath, 'crew'],
    cwd: dir,
    env: { XDG_CONFIG_HOME: dir, XDG_DATA_HOME: dir, XDG_STATE_HOME: dir, XDG_RUNTIME_DIR: dir },
    ...SHELL_SIZE,
    wait: { until: { text: 'agent-0' }, timeout_ms: 20_000 },
  });
  if (shows !== undefined) {
    await client.call('send', { id, input: '\x0b' });
    await client.call('wait', { id, until: { text: 'Esc: cancel' }, timeout_ms: 20_000 });
    await client.call('send', { id, input: `${shows}\r` });
    await client.call('wait', { id, until: { text: `▶ ${shows}` }, timeout_ms: 20_000 });
  }
  return {
    id,
    pid,
    async stop() {
      await client.call('kill', { id, force: true });
    },
  };
}

/** Of the process with its threads. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
