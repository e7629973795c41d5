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

/** Where the registry has no such package: what its package.json at a commit of github.com/nvms/tui-mcp depends on. */
const DEPENDENCIES = {
  'tui-mcp': {
    specs: [
      '@modelcontextprotocol/sdk@^1.27.1',
      '@xterm/headless@^5.5.0',
      'canvas@^3.1.0',
      'node-pty@^1.0.0',
      'zod@^3.25.0',
    ],
    note: 'dependencies only, of commit 320e531; its own code is 117 KB; canvas and node-pty lack what scripts fetch or build',
  },
};

const root = fileURLToPath(new URL('..', import.meta.url));
const staging = mkdtempSync(join(tmpdir(), 't4a-package-'));
try {
  run(process.execPath, ['scripts/prepack.mjs'], root);
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
  const { directory } = report('t4a', [tarball]);
  const socket = join(directory, 's');
  const t4a = join(directory, 'node_modules/.bin/t4a');
  const output = run(t4a, ['--socket', socket, 'run', '--screenshot', 'hello.png', '--', 'echo', 'hello'], directory);
  run(t4a, ['--socket', socket, 'shutdown'], directory);
  console.log(`t4a run: ${output.trim()}, hello.png: ${statSync(join(directory, 'hello.png')).size} bytes`);
  for (const peer of process.argv.slice(2)) {
    try {
      report(peer, [peer]);
    } catch (error) {
      const code = /code (E\w+)/.exec(String(error.stderr))?.[1] ?? error.message;
      const { specs, note } = (code === 'E404' ? DEPENDENCIES[peer] : undefined) ?? {};
      if (specs === undefined) console.log(`${peer}: cannot be installed (${code})`);
      else report(peer, specs, `${code}: ${note}`);
    }
  }
} finally {
  rmSync(staging, { recursive: true, force: true });
}

function report(name, specs, note) {
  const { directory, seconds } = install(name.replaceAll(/\W/g, '-'), specs);
  const packages = readdirSync(join(directory, 'node_modules')).filter((entry) => !entry.startsWith('.')).length;
  const size = sizeOf('node_modules', directory);
  console.log(
    `${name}: installs in ${seconds.toFixed(1)} s, ${megabytes(size)} with its dependencies, ${packages} entries` +
      (note === undefined ? '' : ` (${note})`),
  );
  return { directory };
}

function sizeOf(path, directory) {
  return Number(run('du', ['-sk', path], directory).split('\t')[0]) * 1024;
}

function install(name, specs) {
  const directory = join(staging, name);
  mkdirSync(directory, { recursive: true });
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
