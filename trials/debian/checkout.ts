/** This checkout, its build and its packages, and Node with npm, put into another system. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type System, USER } from './system.js';

/** As the user sees it. */
export const CHECKOUT = `/home/${USER}/t4a`;

export interface CheckoutOptions {
  readonly root: string;
  /** As Node calls it. */
  readonly arch: string;
  /** The binary to use; empty for this process's own, or the package of its version for another processor. */
  readonly node: string;
}

export function putNode(system: System, { arch, node }: CheckoutOptions): void {
  const bin = system.path('usr/local/bin');
  const target = path.join(bin, 'node');
  rmSync(target, { force: true });
  if (node !== '' || arch === process.arch) cpSync(node || process.execPath, target);
  else fetchNode(arch, target);
  chmodSync(target, 0o755);
  const npm = npmDirectory();
  const there = system.path('usr/local/lib/node_modules/npm');
  rmSync(there, { recursive: true, force: true, maxRetries: 5 });
  mkdirSync(path.dirname(there), { recursive: true });
  cpSync(npm, there, { recursive: true, dereference: true });
  for (const name of ['npm', 'npx']) {
    rmSync(path.join(bin, name), { force: true });
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(bin, name));
  }
}

export function putCheckout(system: System, { root, arch }: CheckoutOptions): void {
  const there = system.path(CHECKOUT);
  rmSync(there, { recursive: true, force: true, maxRetries: 5 });
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of tracked) {
    const from = path.join(root, file);
    if (existsSync(from)) cpSync(from, path.join(there, file), { preserveTimestamps: true });
  }
  if (arch === process.arch) {
    execFileSync('cp', ['-a', `${path.join(root, 'node_modules')}/.`, path.join(there, 'node_modules')]);
  } else {
    const processor = [`--cpu=${arch}`, '--os=linux', '--libc=glibc'];
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...processor], {
      cwd: there,
      stdio: 'pipe',
    });
  }
  // Last, and with the time of now: what is older than its sources is built again.
  cpSync(path.join(root, 'dist'), path.join(there, 'dist'), { recursive: true });
  const owner = new RegExp(`^${USER}:[^:]*:(\\d+:\\d+):`, 'm').exec(
    readFileSync(system.path('etc/passwd'), 'utf8'),
  )?.[1];
  execFileSync('chown', ['-R', owner ?? '', there]);
}

/** The registry has Node itself as packages. */
function fetchNode(arch: string, target: string): void {
  const staging = mkdtempSync(path.join(tmpdir(), 't4a-node-'));
  try {
    const name = `node-linux-${arch}`;
    const spec = `${name}@${process.versions.node.split('.')[0]}`;
    execFileSync('npm', ['install', '--force', '--no-save', '--no-audit', '--no-fund', '--prefix', staging, spec], {
      stdio: 'pipe',
    });
    cpSync(path.join(staging, 'node_modules', name, 'bin/node'), target);
  } finally {
    rmSync(staging, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Of the npm that runs this, else of the one beside Node. */
function npmDirectory(): string {
  const program = process.env['npm_execpath'];
  if (program?.endsWith('npm-cli.js') === true) return path.dirname(path.dirname(program));
  return path.resolve(path.dirname(process.execPath), '../lib/node_modules/npm');
}
