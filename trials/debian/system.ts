/**
 * Another Debian in a directory: built by debootstrap, entered with mounts and process numbers of its own. One that is there
 * already is used again. Its apt, certificates and npm are set as this machine's are.
 */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface SystemOptions {
  readonly suite: string;
  /** As Debian calls it: amd64, arm64. */
  readonly arch: string;
  readonly mirror: string;
  readonly directory: string;
}

export interface Outcome {
  readonly status: number;
  /** Both streams, as they came. */
  readonly output: string;
}

/** The ordinary user, as whom the tests run. */
export const USER = 'dev';

const SCRIPTS = '/usr/share/debootstrap/scripts';
const BUNDLE = 'etc/ssl/certs/ca-certificates.crt';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const OF_THE_NETWORK = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/**
 * Runs as process 1 of a namespace, so that all ends with it. A shell that waits reaps what others leave behind, as init
 * does: what is never reaped looks alive.
 */
const ENTER = `set -e
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
chroot "$0" "$@" </dev/null & wait $!`;

/** What has been started and not ended. `unshare` takes no notice of SIGINT and SIGTERM, and would go on alone. */
const running = new Set<ReturnType<typeof spawn>>();

export class System {
  readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async prepare(options: SystemOptions): Promise<System> {
    const system = new System(path.resolve(options.directory));
    if (!isComplete(system.directory)) await build({ ...options, directory: system.directory });
    system.#takeOver();
    await system.run(`id ${USER} >/dev/null 2>&1 || useradd -m -s /bin/bash ${USER}`);
    return system;
  }

  /** Of a file in it, as this machine sees it. */
  path(name: string): string {
    return path.join(this.directory, name);
  }

  /** As root. @throws Error with the end of its output */
  async run(command: string): Promise<string> {
    return expectSuccess(command, await this.#enter(['/bin/sh', '-c', command]));
  }

  /** As the ordinary user after a login, whose environment says nothing of a locale. */
  async tryAsUser(command: string): Promise<Outcome> {
    return this.#enter(['su', '-', USER, '-c', command]);
  }

  async runAsUser(command: string): Promise<string> {
    return expectSuccess(command, await this.tryAsUser(command));
  }

  /** A process that stays until the returned function is called. `unshare` takes no notice of SIGTERM. */
  start(command: readonly string[]): () => Promise<void> {
    const { child, ended } = this.#spawn(command);
    return async () => {
      child.kill('SIGKILL');
      await ended;
    };
  }

  /** Those of the names that its suite has. */
  async available(packages: readonly string[]): Promise<string[]> {
    const policy = await this.run(`apt-cache policy ${packages.join(' ')}`);
    const found = new Set([...policy.matchAll(/^(\S+):\n.*\n {2}Candidate: (?!\(none\))/gm)].map(([, name]) => name));
    return packages.filter((name) => found.has(name));
  }

  async install(wanted: readonly string[]): Promise<void> {
    const missing = wanted.filter((name) => !(name in this.versions()));
    if (missing.length === 0) return;
    await this.run(
      `apt-get install -y -qq -o APT::Keep-Downloaded-Packages=false -o DPkg::Lock::Timeout=300 --no-install-recommends ${missing.join(' ')}`,
    );
    this.#takeOver();
  }

  /** Of what is installed, by package. */
  versions(): Record<string, string> {
    const paragraphs = readFileSync(this.path('var/lib/dpkg/status'), 'utf8').split('\n\n');
    const entries = paragraphs.flatMap((paragraph): [string, string][] => {
      if (!/^Status: install ok installed$/m.test(paragraph)) return [];
      return [[/^Package: (.*)$/m.exec(paragraph)?.[1] ?? '', /^Version: (.*)$/m.exec(paragraph)?.[1] ?? '']];
    });
    return Object.fromEntries(entries);
  }

  /** What lets it reach the network as this machine does. Packages that are installed may write over it. */
  #takeOver(): void {
    for (const file of ['etc/resolv.conf', 'etc/hosts', BUNDLE]) {
      if (!existsSync(`/${file}`)) continue;
      mkdirSync(path.dirname(this.path(file)), { recursive: true });
      rmSync(this.path(file), { force: true });
      copyFileSync(`/${file}`, this.path(file));
    }
    const { stdout } = spawnSync('apt-config', ['dump', 'Acquire'], { encoding: 'utf8' });
    const settings = stdout.split('\n').filter((line) => !line.startsWith('Acquire::IndexTargets'));
    writeFileSync(this.path('etc/apt/apt.conf.d/99-of-the-machine'), settings.join('\n'));
  }

  async #enter(command: readonly string[]): Promise<Outcome> {
    const { ended } = this.#spawn(command);
    return ended;
  }

  #spawn(command: readonly string[]): { child: ReturnType<typeof spawn>; ended: Promise<Outcome> } {
    const kept = OF_THE_NETWORK.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
    const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'];
    const child = spawn('unshare', [...namespaces, 'bash', '-c', ENTER, this.directory, ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...Object.fromEntries(kept), PATH, HOME: '/root', TERM: 'dumb', DEBIAN_FRONTEND: 'noninteractive' },
    });
    return { child, ended: outcomeOf(child) };
  }
}

async function build({ suite, arch, mirror, directory }: SystemOptions): Promise<void> {
  if (existsSync(directory)) throw new Error(`${directory} is there and no complete system: remove it first`);
  mkdirSync(path.dirname(directory), { recursive: true });
  // A suite that this machine's debootstrap has not heard of is younger than it.
  const script = existsSync(path.join(SCRIPTS, suite)) ? suite : 'sid';
  const args = ['--variant=minbase', '--include=ca-certificates', `--arch=${arch}`, suite, directory, mirror];
  const child = spawn('debootstrap', [...args, path.join(SCRIPTS, script)], { stdio: ['ignore', 'pipe', 'pipe'] });
  expectSuccess('debootstrap', await outcomeOf(child));
}

/** Debootstrap removes its own directory at the end. */
function isComplete(directory: string): boolean {
  return existsSync(path.join(directory, 'etc/debian_version')) && !existsSync(path.join(directory, 'debootstrap'));
}

function outcomeOf(child: ReturnType<typeof spawn>): Promise<Outcome> {
  if (running.size === 0) endWithProcess();
  running.add(child);
  return new Promise((resolve, reject) => {
    let output = '';
    const keep = (chunk: Buffer): void => void (output += chunk.toString('utf8'));
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', reject);
    child.once('close', (status) => {
      running.delete(child);
      resolve({ status: status ?? -1, output });
    });
  });
}

function endWithProcess(): void {
  if (process.listeners('exit').includes(endRunning)) return;
  process.on('exit', endRunning);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

function endRunning(): void {
  for (const child of running) child.kill('SIGKILL');
}

function expectSuccess(what: string, { status, output }: Outcome): string {
  if (status === 0) return output;
  throw new Error(`${what} ended with ${status}:\n${output.slice(-2000)}`);
}
