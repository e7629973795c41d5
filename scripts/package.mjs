// `node scripts/package.mjs [peer…]`: packs what would be published, checks its entries, installs it into an empty directory
// without scripts, and does the same with the packages named, for comparison. Needs the registry.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHECKERS = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'];
/** Node 10's resolution knows no exports; the test runner's entry is for modules only, as the runner is. */
const ATTW = ['--profile', 'node16', '--exclude-entrypoints', 'vitest'];

const root = fileURLToPath(new URL('..', import.meta.url));
const staging = mkdtempSync(join(tmpdir(), 't4a-package-'));
try {
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', staging], root);
  const [tarball] = readdirSync(staging).map((name) => join(staging, name));
  const checkers = install('checkers', CHECKERS).directory;
  for (const [checker, args] of [
    ['publint', []],
    ['attw', ATTW],
  ]) {
    console.log(run(join(checkers, 'node_modules/.bin', checker), [tarball].concat(args), staging).trim());
  }
  const fonts = sizeOf('fonts', root);
  console.log(`\npacked: ${megabytes(statSync(tarball).size)}, of which the fonts are ${megabytes(fonts)} unpacked`);
  const { directory } = report('t4a', tarball);
  const socket = join(directory, 's');
  const t4a = join(directory, 'node_modules/.bin/t4a');
  const output = run(t4a, ['--socket', socket, 'run', '--screenshot', 'hello.png', '--', 'echo', 'hello'], directory);
  run(t4a, ['--socket', socket, 'shutdown'], directory);
  console.log(`t4a run: ${output.trim()}, hello.png: ${statSync(join(directory, 'hello.png')).size} bytes`);
  for (const peer of process.argv.slice(2)) {
    try {
      report(peer, peer);
    } catch (error) {
      console.log(`${peer}: cannot be installed (${/code (E\w+)/.exec(String(error.stderr))?.[1] ?? error.message})`);
    }
  }
} finally {
  rmSync(staging, { recursive: true, force: true });
}

function report(name, spec) {
  const { directory, seconds } = install(name.replaceAll(/\W/g, '-'), [spec]);
  const packages = readdirSync(join(directory, 'node_modules')).filter((entry) => !entry.startsWith('.')).length;
  const size = sizeOf('node_modules', directory);
  console.log(
    `${name}: installs in ${seconds.toFixed(1)} s, ${megabytes(size)} with its dependencies, ${packages} entries`,
  );
  return { directory };
}

function sizeOf(path, directory) {
  return Number(run('du', ['-sk', path], directory).split('\t')[0]) * 1024;
}

function install(name, specs) {
  const directory = join(staging, name);
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{"private":true}');
  const start = performance.now();
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...specs], directory);
  return { directory, seconds: (performance.now() - start) / 1000 };
}

function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
