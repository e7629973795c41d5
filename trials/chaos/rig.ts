/**
 * One round's place: a directory, clients in processes of their own that ask for everything, and the means to look whether
 * anything is left afterwards.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { connect, type Client } from '../../src/client/index.js';
import { eventually, processesOf, zombiesOf } from '../support/trial-daemon.js';

/** What may stay: the log tells what happened. */
const MAY_STAY = ['s.log'];

const SHUTDOWN_MS = 20_000;

export class Rig {
  readonly root: string;
  readonly dir = mkdtempSync('/tmp/t4a-chaos-');
  readonly socketPath = path.join(this.dir, 's');
  readonly #processes: ChildProcess[] = [];

  constructor(root: string) {
    this.root = root;
  }

  /** A shell that is killed in the middle of somebody's start-up files may leave their locks behind, and their history cut. */
  get shellEnvironment(): Record<string, string> {
    return { HOME: this.dir, HISTFILE: '' };
  }

  connect(): Promise<Client> {
    const daemonEntry = path.join(this.root, 'dist/daemon.cjs');
    return connect({ socketPath: this.socketPath, daemonEntry, timeoutMs: 30_000 });
  }

  /** `t4a …` as a process; its output is read by nobody. */
  cli(args: readonly string[], stdio: 'ignore' | 'pipe' = 'ignore'): ChildProcess {
    return this.run(
      [process.execPath, path.join(this.root, 'dist/cli.cjs'), '--socket', this.socketPath, ...args],
      stdio,
    );
  }

  run([file = '', ...args]: readonly string[], stdio: 'ignore' | 'pipe' = 'ignore'): ChildProcess {
    // Without the socket in its environment a client is not mistaken for something that the daemon started.
    const child = spawn(file, args, { stdio, cwd: this.dir });
    this.#processes.push(child);
    return child;
  }

  /** Pid of the daemon that holds the lock. */
  get daemonPid(): number | undefined {
    try {
      return (JSON.parse(readFileSync(`${this.socketPath}.lock`, 'utf8')) as { pid: number }).pid;
    } catch {
      // ENOENT: none does.
      return undefined;
    }
  }

  daemons(): number[] {
    return processesOf(this.socketPath)
      .filter(({ command }) => command.includes('daemon.cjs'))
      .map(({ pid }) => pid);
  }

  /** Ends the round: what is wrong with what is left, in words. */
  async check(): Promise<string[]> {
    const wrong: string[] = [];
    await Promise.all(this.#processes.map((child) => ended(child)));
    if (!(await eventually(() => this.daemons().length <= 1, 5000))) {
      wrong.push(`${this.daemons().length} daemons at the end`);
    }
    // Whatever state it is in, a daemon must come up, answer, and leave cleanly.
    const client = await this.connect();
    await client.call('create', { cmd_args: ['cat'] });
    const { pid } = await client.call('ping', {});
    // What has just ended is waited for in the next turn of the daemon's loop.
    if (!(await eventually(() => zombiesOf(pid).length === 0, 5000))) {
      wrong.push(`not waited for by the daemon: ${zombiesOf(pid).join(', ')}`);
    }
    await client.call('shutdown', {});
    await client.close();
    if (!(await this.#isDeserted())) {
      wrong.push(`left in the process table: ${JSON.stringify(processesOf(this.socketPath))}`);
      for (const { pid } of processesOf(this.socketPath)) process.kill(pid, 'SIGKILL');
    }
    const left = readdirSync(this.dir).filter((name) => !MAY_STAY.includes(name) && !isFreshPassingName(name));
    if (left.length > 0) wrong.push(`left in the directory: ${left.join(', ')}`);
    return wrong;
  }

  /** A daemon that a killed client had started may come up only now: it is told to leave, too. */
  async #isDeserted(): Promise<boolean> {
    for (const end = performance.now() + SHUTDOWN_MS; performance.now() < end;) {
      if (await eventually(() => processesOf(this.socketPath).length === 0, 1000)) return true;
      try {
        const client = await connect({ socketPath: this.socketPath, autoStart: false, timeoutMs: 2000 });
        await client.call('shutdown', {});
        await client.close();
      } catch {
        // It is not there yet, or not any more.
      }
    }
    return false;
  }

  get log(): string {
    return existsSync(`${this.socketPath}.log`) ? readFileSync(`${this.socketPath}.log`, 'utf8') : '';
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A socket's passing name is removed by the next daemon only after a second. */
function isFreshPassingName(name: string): boolean {
  return name.startsWith('.t4a');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
