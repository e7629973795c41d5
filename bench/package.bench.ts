/**
 * The package from an empty folder to the first picture: its sizes, and the seconds with a warm cache of npm and no network. The first
 * installation fills the cache, from the registry if need be, and is not timed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median, type BenchContext, type Figure } from './support/figure.js';
import { pack, PACKAGE_LIMITS, sizeOf } from './support/package.js';

const ROUNDS = 3;
const MB = 1e6;

export function bench({ root }: BenchContext): Figure[] {
  const place = mkdtempSync(path.join(tmpdir(), 't4a-'));
  try {
    const packed = pack(root, ['--pack-destination', place]);
    const tarball = path.join(place, packed.filename);
    const whole = install(path.join(place, 'whole'), tarball, ['--prefer-offline']);
    const bare = install(path.join(place, 'bare'), tarball, ['--prefer-offline', '--omit=optional']);
    const rounds = Array.from({ length: ROUNDS }, (_, i) => toFirstPicture(path.join(place, `timed-${i}`), tarball));
    const of = (value: number): { value: number; unit: string } => ({ value: value / MB, unit: ' MB' });
    return [
      { name: 'tarball', ...of(packed.size), limit: PACKAGE_LIMITS.tarballBytes / MB },
      { name: 'files in it', value: packed.files.length, limit: PACKAGE_LIMITS.files },
      { name: 'installed', ...of(whole.bytes), limit: PACKAGE_LIMITS.installedBytes / MB },
      {
        name: 'installed without optional packages',
        ...of(bare.bytes),
        limit: PACKAGE_LIMITS.installedWithoutOptionalBytes / MB,
        note: 'which draws no pictures',
      },
      {
        name: 'packages',
        value: whole.packages,
        note: `${bare.packages} without optional ones; t4a is one, and has two in itself`,
      },
      {
        name: 'from an empty folder to the first picture',
        value: median(rounds.map(({ seconds }) => seconds)),
        unit: ' s',
        note: `npm install --offline is ${median(rounds.map(({ installed }) => installed)).toFixed(1)} s of it; warm cache, median of ${ROUNDS}`,
      },
    ];
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

function toFirstPicture(directory: string, tarball: string): { installed: number; seconds: number } {
  const start = performance.now();
  const since = (): number => (performance.now() - start) / 1000;
  install(directory, tarball, ['--offline']);
  const installed = since();
  // A cache of compiled code would be that of another installation.
  const env = { ...process.env, T4A_SOCKET: path.join(directory, 's'), XDG_CACHE_HOME: path.join(directory, 'cache') };
  const t4a = (...args: string[]): void => {
    execFileSync('node_modules/.bin/t4a', args, { cwd: directory, env, stdio: 'pipe' });
  };
  t4a('run', '--screenshot', 'hello.png', '--', 'echo', 'hello');
  const seconds = since();
  t4a('shutdown');
  if (readFileSync(path.join(directory, 'hello.png')).toString('latin1', 1, 4) !== 'PNG')
    throw new Error('hello.png is no picture');
  return { installed, seconds };
}

function install(directory: string, tarball: string, options: readonly string[]): { bytes: number; packages: number } {
  mkdirSync(directory);
  writeFileSync(path.join(directory, 'package.json'), '{"private":true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...options, tarball];
  execFileSync('npm', args, { cwd: directory, stdio: 'pipe' });
  const modules = path.join(directory, 'node_modules');
  return { bytes: sizeOf(modules), packages: packagesIn(modules) };
}

/** Those in scopes each; without those within others. */
function packagesIn(modules: string): number {
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
  return names.reduce((sum, name) => {
    const folder = path.join(modules, name);
    return sum + (existsSync(path.join(folder, 'package.json')) ? 1 : packagesIn(folder));
  }, 0);
}
