/** The process of the CLI: its arguments, environment and streams in, its exit status out. */
import { existsSync, fstatSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { callersConfigFile, defaultDaemonEntry } from '../client/paths.js';
import { ownFiles } from './own-files.js';
import { callersProcess, callersScope } from './prepare/callers-scope.js';
import { OUTER } from '../mirror/outer-sequences.js';
import { sanitize } from './output/sanitize.js';
import type { LazyBundles } from './lazy-bundles.js';
import { runCommandLine } from './run-command-line.js';
import type { Host } from './host.js';
import { T4aError } from '../protocol/errors.js';
import { leaveHost } from './warm/leave-host.js';
import { writeOut } from './output/write-out.js';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;

const host: Host = {
  env: process.env,
  scope: () => callersScope(),
  parent: () => callersProcess(),
  cwd: wholeDirectory,
  hasWholeArguments,
  files: ownFiles(),
  configFile: callersConfigFile,
  get stdinIsTerminal() {
    return isTerminal(STDIN);
  },
  get stdoutIsTerminal() {
    return isTerminal(STDOUT);
  },
  columns: () => (isTerminal(STDOUT) ? process.stdout.columns || undefined : undefined),
  rows: () => (isTerminal(STDOUT) ? process.stdout.rows || undefined : undefined),
  stdin: () => process.stdin,
  hasUnreadStdin,
  keys: watchKeys,
  interrupted: watchInterrupt,
  out: (data) => writeOut(STDOUT, typeof data === 'string' && isTerminal(STDOUT) ? sanitize(data) : data),
  note: (text) => noteOnStderr(text),
  progress: (text) => progressOnStderr(text),
};

/** Loading `node:tty` takes 2 ms, a twentieth of a command: it is loaded only for a character device, as every terminal is. */
function isTerminal(descriptor: number): boolean {
  try {
    const device = fstatSync(descriptor);
    if (!device.isCharacterDevice() || device.rdev === statSync('/dev/null').rdev) return false;
  } catch {
    // A closed descriptor, or a system that hides its devices: Node answers.
  }
  return process.getBuiltinModule('node:tty').isatty(descriptor);
}

/** Character that stands for bytes that are no UTF-8, where Node reads a name. */
const REPLACED = '\uFFFD';

function wholeDirectory(): string {
  const cwd = process.cwd();
  if (!cwd.includes(REPLACED) || existsSync(cwd)) return cwd;
  throw new T4aError('usage', 'The name of the current directory is no UTF-8, and cannot be passed on.', {
    hint: 'Go to another directory, or name one with an absolute path.',
  });
}

function hasWholeArguments(): boolean {
  if (!process.argv.some((word) => word.includes(REPLACED))) return true;
  try {
    return process.getBuiltinModule('node:buffer').isUtf8(readFileSync('/proc/self/cmdline'));
  } catch {
    return true;
  }
}

/** FIONREAD of the systems, https://man7.org/linux/man-pages/man2/FIONREAD.2const.html */
const FIONREAD = process.platform === 'linux' ? 0x541b : 0x4004667f;

/** Node cannot look into a pipe without reading from it; Perl can. Where there is no Perl, the answer is no. */
async function hasUnreadStdin(): Promise<boolean> {
  const stdin = fstatSync(STDIN);
  if (stdin.isFile()) return stdin.size > 0;
  if (!stdin.isFIFO() && !stdin.isSocket()) return false;
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const script = `$n = pack("i", 0); ioctl(STDIN, ${FIONREAD}, $n) and unpack("i", $n) > 0 and exit 7`;
  return spawnSync('perl', ['-e', script], { stdio: ['inherit', 'ignore', 'ignore'] }).status === 7;
}

function noteOnStderr(text: string): void {
  noteOnStderrAsIs(isTerminal(STDERR) ? sanitize(text) : text);
}

function noteOnStderrAsIs(text: string): void {
  try {
    writeOut(STDERR, text);
  } catch {
    // Notes without a reader, or without room for them, are no reason to stop.
  }
}

/** One line that is written over by the next. */
function progressOnStderr(text: string): void {
  if (isTerminal(STDERR)) noteOnStderrAsIs(`\r${OUTER.eraseRow.on}${sanitize(text)}`);
}

function watchKeys(onKeys: (keys: string) => void): () => void {
  const { stdin } = process;
  const listener = (chunk: Buffer): void => onKeys(chunk.toString('latin1'));
  const onInterrupt = (): void => onKeys('\x03');
  if (stdin.isTTY) stdin.setRawMode(true);
  stdin.on('data', listener);
  process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt);
  return () => {
    stdin.off('data', listener).pause();
    if (stdin.isTTY) stdin.setRawMode(false);
  };
}

function endAtOnce(): void {
  process.kill(process.pid, 'SIGINT');
}

function watchInterrupt(onInterrupt: () => Promise<boolean>): () => void {
  const listener = (): void => {
    onInterrupt().then((isTaken) => {
      if (!isTaken) endAtOnce();
    }, endAtOnce);
  };
  // The next one ends the process, as it does without a listener.
  process.once('SIGINT', listener);
  return () => process.off('SIGINT', listener);
}

/** `import` of the process that runs the program: code from a cache cannot load modules by itself. */
export type ImportModule = (url: string) => Promise<unknown>;

function bundles(): string {
  return path.dirname(defaultDaemonEntry());
}

export function lazyBundles(importModule: ImportModule): LazyBundles {
  const load = (file: string): Promise<unknown> => importModule(pathToFileURL(path.join(bundles(), file)).href);
  return {
    /** The daemon's program reads its own argv, and its end is the process's. */
    async daemon(args) {
      process.argv.splice(1, Number.POSITIVE_INFINITY, defaultDaemonEntry(), ...args);
      await load('daemon.cjs');
      return new Promise(() => {});
    },
    attach: () => load('attach.js') as ReturnType<LazyBundles['attach']>,
    board: () => load('board.js') as ReturnType<LazyBundles['board']>,
    crew: () => load('crew.js') as ReturnType<LazyBundles['crew']>,
    fleet: () => load('fleet.js') as ReturnType<LazyBundles['fleet']>,
    gateway: () => load('gateway.js') as ReturnType<LazyBundles['gateway']>,
    grpc: () => load('grpc.js') as ReturnType<LazyBundles['grpc']>,
    interminai: () => load('interminai.js') as ReturnType<LazyBundles['interminai']>,
    lines: () => load('lines.js') as ReturnType<LazyBundles['lines']>,
    mcp: () => load('mcp.js') as ReturnType<LazyBundles['mcp']>,
    nats: () => load('nats.js') as ReturnType<LazyBundles['nats']>,
    exporting: () => load('export.js') as ReturnType<LazyBundles['exporting']>,
    play: () => load('play.js') as ReturnType<LazyBundles['play']>,
    tmux: () => load('tmux.js') as ReturnType<LazyBundles['tmux']>,
    tools: () => load('tools.js') as ReturnType<LazyBundles['tools']>,
    web: () => load('web.js') as ReturnType<LazyBundles['web']>,
    file: (name) => readFileSync(path.join(bundles(), '..', name), 'utf8'),
    root: () => path.join(bundles(), '..'),
  };
}

/** @param toHost a descriptor: the native client has found no host */
export function main(importModule: ImportModule, toHost?: number): void {
  const argv = process.argv.slice(2);
  runCommandLine(argv, host, lazyBundles(importModule)).then(
    // Everything is written by now, so there is nothing to wait for: neither an open connection nor its timers.
    (status) => {
      if (toHost !== undefined) leaveHost(argv, host, toHost);
      process.exit(status);
    },
    (error: unknown) => {
      noteOnStderr(`t4a: Internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exit(1);
    },
  );
}
