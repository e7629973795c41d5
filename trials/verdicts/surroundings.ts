/** What some draws need around them: a server for ssh to this machine, an attach, a clock that jumps. Each may be missing. */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect, type Client } from '../../src/client/index.js';
import { startSshd } from '../../test/support/sshd.js';
import { TrialDaemon } from '../support/trial-daemon.js';

export interface Surroundings {
  /** File for `ssh -F`, of the host `t4a-self`. */
  readonly sshConfig?: string;
  /** Words of the command line that attaches to a terminal, whose id comes last. */
  readonly attach?: readonly string[];
  /** A refusal that takes longer is wrong, without the time in which the daemon and the shell waited for a processor; undefined: however long it takes. */
  readonly refusalMs?: number;
  readonly daemonPid?: number;
  /** Puts the clock of the daemon, and of all that it starts, an hour ahead, and back. */
  readonly jump?: () => Promise<void>;
}

const SSHD = '/usr/sbin/sshd';

/** A server that lets in whoever has its key, until `stop`. @param dir for its files */
export async function sshToItself(dir: string): Promise<{ sshConfig: string; stop: () => Promise<void> }> {
  const folder = path.join(dir, 'ssh');
  mkdirSync(folder);
  const { port, username, clientConfig, stop } = await startSshd(folder, SSHD, undefined);
  const host = [
    'Host t4a-self',
    'HostName 127.0.0.1',
    `Port ${port}`,
    `User ${username}`,
    `HostKeyAlias [127.0.0.1]:${port}`,
  ];
  appendFileSync(clientConfig, `${host.join('\n')}\n`);
  return { sshConfig: clientConfig, stop };
}

export function hasSshd(): boolean {
  return existsSync(SSHD);
}

const HOUR_MS = 3_600_000;

/** Each SIGUSR1 puts the daemon's time of day an hour ahead, or back again, and notes it. */
const JUMPING_CLOCK = `
  const fs = require('node:fs'); const now = Date.now; let offset = 0; let jumps = 0;
  if (process.argv[1]?.endsWith('daemon.cjs')) {
    Date.now = () => now() + offset;
    process.on('SIGUSR1', () => { offset = ${HOUR_MS} - offset; fs.writeFileSync(process.env.T4A_TRIAL_JUMPS, String(++jumps)); });
  }
`;

export interface JumpingDaemon {
  readonly clients: readonly [Client, Client];
  readonly jump: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A daemon of its own, by which the other draws are not touched. */
export async function jumpingDaemon(root: string): Promise<JumpingDaemon> {
  const dir = mkdtempSync('/tmp/t4a-trial-');
  const [script, jumps] = [path.join(dir, 'clock.cjs'), path.join(dir, 'jumps')];
  writeFileSync(script, JUMPING_CLOCK);
  writeFileSync(jumps, '0');
  const daemon = await TrialDaemon.start(root, dir, { NODE_OPTIONS: `--require=${script}`, T4A_TRIAL_JUMPS: jumps });
  const { socketPath } = daemon;
  const clients = [await connect({ socketPath }), await connect({ socketPath })] as const;
  return {
    clients,
    jump: async () => {
      const before = readFileSync(jumps, 'utf8');
      daemon.process.kill('SIGUSR1');
      while (readFileSync(jumps, 'utf8') === before) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    stop: async () => {
      for (const client of clients) await client.close();
      await daemon.stop();
      daemon.remove();
    },
  };
}
