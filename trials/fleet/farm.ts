/** nats-server, daemons that have joined it, and readers of their events: processes of the trial's own, in its own folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../src/client/index.js';
import { TrialDaemon } from '../support/trial-daemon.js';

export interface Host {
  readonly name: string;
  readonly daemon: TrialDaemon;
  readonly agent: ChildProcess;
}

export type Line = Readonly<Record<string, unknown>>;

/** Daemons that start at the same time. */
const AT_ONCE = 4;
const STARTS_MS = 20_000;
export const FLEET = 'trial';

/** Of the PATH, or where Debian has it; undefined: there is none. */
export function serverProgram(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin'];
  return folders.map((folder) => path.join(folder, 'nats-server')).find((file) => existsSync(file));
}

export class Farm {
  readonly hosts: Host[] = [];
  readonly dir = mkdtempSync('/tmp/t4a-trial-');
  readonly #root: string;
  /** What the first process compiles, the others need not. */
  readonly #cache = process.env['T4A_TEST_CACHE_HOME'] ?? path.join(this.dir, 'cache');
  readonly #processes: ChildProcess[] = [];
  #server: ChildProcess | undefined;
  #port = -1;

  constructor(root: string) {
    this.#root = root;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}/${FLEET}`;
  }

  /** Again on the same port. */
  async startServer(): Promise<void> {
    const ports = path.join(this.dir, 'ports');
    rmSync(ports, { recursive: true, force: true, maxRetries: 5 });
    mkdirSync(ports);
    const args = ['-a', '127.0.0.1', '-p', String(this.#port), '--ports_file_dir', ports];
    this.#server = this.#started(serverProgram() ?? 'nats-server', args);
    for (const until = performance.now() + STARTS_MS; performance.now() < until; await delay(10)) {
      const [name] = readdirSync(ports);
      const text = name === undefined ? '' : readFileSync(path.join(ports, name), 'utf8');
      if (!text.endsWith('}')) continue;
      this.#port = Number(new URL((JSON.parse(text) as { nats: [string] }).nats[0]).port);
      return;
    }
    throw new Error('nats-server does not listen');
  }

  async killServer(): Promise<void> {
    if (this.#server === undefined) return;
    const gone = once(this.#server, 'exit');
    this.#server.kill('SIGKILL');
    await gone;
  }

  async addHosts(count: number): Promise<void> {
    const names = Array.from({ length: count }, (_, i) => `h${i + 1}`).values();
    const add = async (): Promise<void> => {
      for (const name of names) {
        const daemon = await TrialDaemon.start(this.#root, undefined, { XDG_CACHE_HOME: this.#cache });
        this.hosts.push({ name, daemon, agent: await this.#join(name, daemon) });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, add));
  }

  /** Standard output of a command of t4a. */
  async ask(...args: string[]): Promise<string> {
    const child = this.#t4a(args);
    let out = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    const [status] = (await once(child, 'close')) as [number | null];
    if (status !== 0) throw new Error(`t4a ${args.join(' ')} ended with ${status}`);
    return out;
  }

  /** A reader of the events of all hosts. */
  events(): Reader {
    return new Reader(this.#t4a(['events', '--on', this.url]));
  }

  async publish({ daemon }: Host, count: number): Promise<void> {
    const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
    for (let i = 0; i < count; i++) await client.call('publish', { name: 'work' });
    await client.close();
  }

  /** Resident bytes of all processes of the trial's, and of those that they have started. */
  resident(): number {
    const own = new Set(
      [...this.#processes, ...this.hosts.map(({ daemon }) => daemon.process)].map(({ pid }) => pid ?? 0),
    );
    const all = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
    return all
      .map(Number)
      .reduce((sum, pid) => sum + (own.has(pid) || own.has(parentOf(pid)) ? residentBytes(pid) : 0), 0);
  }

  async remove(): Promise<void> {
    // A suspended one ends by nothing else.
    for (const child of this.#processes) child.kill('SIGKILL');
    await Promise.all(
      this.hosts.map(async ({ daemon }) => {
        await daemon.stop();
        daemon.remove();
      }),
    );
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }

  async #join(name: string, daemon: TrialDaemon): Promise<ChildProcess> {
    const args = ['join', this.url, '--name', name, '--allow', 'create'];
    const agent = this.#t4a(args, { T4A_SOCKET: daemon.socketPath });
    const lines = createInterface({ input: agent.stdout ?? process.stdin })[Symbol.asyncIterator]();
    for (let i = 0; i < 3; i++) if ((await lines.next()).done === true) throw new Error(`${name} has not joined`);
    return agent;
  }

  #t4a(args: readonly string[], more: Readonly<Record<string, string>> = {}): ChildProcess {
    const place = { HOME: this.dir, XDG_CONFIG_HOME: this.dir, XDG_CACHE_HOME: this.#cache };
    const env = { ...place, T4A_SOCKET: path.join(this.dir, 'none'), ...more };
    return this.#started(process.execPath, [path.join(this.#root, 'dist/cli.cjs'), ...args], env);
  }

  #started(program: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): ChildProcess {
    const env = { ...process.env, ...more };
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    this.#processes.push(child);
    return child;
  }
}

/** What came of each host: numbers of events in the order of their arrival, how many were counted as missed, and its states. */
export class Reader {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #hosts = new Map<string, { seqs: number[]; missed: number; states: string[] }>();

  constructor(child: ChildProcess) {
    this.#process = child;
    this.#lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  }

  of(host: string): { readonly seqs: readonly number[]; readonly missed: number; readonly states: readonly string[] } {
    return this.#hosts.get(host) ?? { seqs: [], missed: 0, states: [] };
  }

  /** Events that came or were counted. */
  totalOf(host: string): number {
    const { seqs, missed } = this.of(host);
    return seqs.length + missed;
  }

  /** @returns false if it does not become true in time, or the stream ends */
  async until(isTrue: () => boolean, timeoutMs: number): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    while (!isTrue()) {
      const late = new AbortController();
      const left = delay(Math.max(0, end - performance.now()), undefined, { signal: late.signal }).catch(() => {});
      const next = this.#next();
      const line = await Promise.race([next, left]);
      late.abort();
      if (line === undefined) return false;
      this.#take(JSON.parse(line) as Line);
    }
    return true;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  #pending: Promise<string | undefined> | undefined;

  /** One that was given up is the next one of the next wait. */
  #next(): Promise<string | undefined> {
    this.#pending ??= this.#lines.next().then(({ value, done }) => {
      this.#pending = undefined;
      return done === true ? undefined : value;
    });
    return this.#pending;
  }

  #take({ host, event, seq, missed, state }: Line): void {
    const name = String(host);
    const known = this.#hosts.get(name) ?? { seqs: [], missed: 0, states: [] };
    this.#hosts.set(name, known);
    if (event === 'host') known.states.push(String(state));
    else if (event === 'lagged') known.missed += Number(missed);
    else if (typeof seq === 'number') known.seqs.push(seq);
  }
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0; // ENOENT, ESRCH: it has ended.
  }
}

function residentBytes(pid: number): number {
  try {
    const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib) * 1024;
  } catch {
    return 0; // ENOENT: it has ended.
  }
}
