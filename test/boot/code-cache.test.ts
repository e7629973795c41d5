import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../src/boot/cached-program.js';
import { CodeCache } from '../../src/boot/code-cache.js';
import { runsOf } from '../support/trial.js';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const CLI = path.join(DIST, 'cli.cjs');
const PROGRAM = { hash: 'a1b2', size: 10n, mtimeNs: 20n, ctimeNs: 30n, ino: 40n };
/** Both files of every build are as old as that, as in an image that is made to be the same each time. */
const BUILT_AT = new Date('2020-01-01T00:00:00Z');

function newHome(): string {
  const home = mkdtempSync(path.join(tmpdir(), 't4a-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  return home;
}

/** A command that no daemon is needed for. */
function run(args: readonly string[], cacheHome: string, more: Record<string, string> = {}, cli = CLI) {
  const env = { PATH: process.env['PATH'] ?? '', XDG_CACHE_HOME: cacheHome, ...more };
  const { stdout, stderr, status } = spawnSync(process.execPath, [cli, ...args], { env, encoding: 'utf8' });
  return { stdout, stderr, status };
}

const help = (cacheHome: string, more?: Record<string, string>) => run(['help', 'type'], cacheHome, more);

function filesIn(cacheHome: string): string[] {
  return readdirSync(path.join(cacheHome, 't4a'));
}

test.each([
  ['help', ['help', 'type']],
  // Loads another bundle.
  ['tools', ['tools', '--format', 'mcp']],
  ['other', ['--version']],
])('the next run gives the same answer from the code that the first one kept: %s', (name, args) => {
  const home = newHome();
  const first = run(args, home);
  expect(first).toMatchObject({ status: 0, stderr: '' });
  const [file = ''] = filesIn(home);
  expect(file).toMatch(new RegExp(`^${name}-v\\d+\\.\\d+\\.\\d+-[a-z0-9]+-[0-9a-f]{16}(-[0-9a-z]+){4}\\.v8$`));
  const code = readFileSync(path.join(home, 't4a', file));
  expect(run(args, home)).toEqual(first);
  expect(filesIn(home)).toEqual([file]);
  // It was taken as it is: nothing was compiled that had to be written again.
  expect(readFileSync(path.join(home, 't4a', file)).equals(code)).toBe(true);
});

test('a common command loads the whole command line only for what its own program lacks', () => {
  const home = newHome();
  const parts = (args: readonly string[]) => {
    const { stdout, status } = run(args, home);
    return { status, stdout, programs: filesIn(home).filter((file) => file.startsWith(`${args[0]}-`)).length };
  };
  const socket = path.join(home, 's');
  expect(parts(['list', '--help', '--long'])).toMatchObject({
    status: 0,
    programs: 2,
    // With its texts, which the table of its own program lacks.
    stdout: run(['help', 'list'], newHome()).stdout,
  });
  expect(run(['--socket', socket, 'text', '@', '--bogus'], home)).toMatchObject({ status: 2 });
  expect(filesIn(home).filter((file) => file.startsWith('text-'))).toHaveLength(1);
  // The name of an author, not a command.
  expect(run(['--as', 'list', 'help', 'help'], home)).toEqual(run(['help', 'help'], newHome()));
});

test.each(['--help', '-h'])('%s after a command keeps the code of help, and none as that of the command', (flag) => {
  const home = newHome();
  expect(run(['list', flag], home)).toEqual(run(['help', 'list'], newHome()));
  expect(filesIn(home)).toEqual([expect.stringMatching(/^help-/)]);
});

test('code that V8 rejects is compiled and written again', () => {
  const home = newHome();
  const right = help(home);
  const file = path.join(home, 't4a', filesIn(home)[0] ?? '');
  writeFileSync(file, 'no code at all');
  expect(help(home)).toEqual(right);
  expect(readFileSync(file).length).toBeGreaterThan(1000);
});

test.each([
  ['where there is no home', () => ({ XDG_CACHE_HOME: 'not/absolute' })],
  ['where nothing can be written', (home: string) => ({ XDG_CACHE_HOME: path.join(home, 'a-file', 'cache') })],
])('commands work without a cache: %s', (_, environment) => {
  const home = newHome();
  writeFileSync(path.join(home, 'a-file'), '');
  expect(help(home, environment(home))).toEqual(help(home));
});

test('code is not read from a directory or a file that others may write to, or through a link', () => {
  const home = newHome();
  const cache = new CodeCache(home, 'text', PROGRAM);
  cache.write(Buffer.from('code'));
  expect(cache.read()?.toString()).toBe('code');
  const directory = path.join(home, 't4a');
  const file = path.join(directory, filesIn(home)[0] ?? '');
  chmodSync(file, 0o622);
  expect(cache.read()).toBeUndefined();
  chmodSync(file, 0o600);
  chmodSync(directory, 0o777);
  expect(cache.read()).toBeUndefined();
  cache.write(Buffer.from('more'));
  chmodSync(directory, 0o700);
  expect(cache.read()?.toString()).toBe('code');
  rmSync(file);
  writeFileSync(path.join(home, 'elsewhere'), 'code');
  symlinkSync(path.join(home, 'elsewhere'), file);
  expect(cache.read()).toBeUndefined();
});

test.runIf(process.getuid?.() === 0)('code of another user, or in a directory of one, is not read', () => {
  const home = newHome();
  const cache = new CodeCache(home, 'text', PROGRAM);
  cache.write(Buffer.from('code'));
  const directory = path.join(home, 't4a');
  const file = path.join(directory, filesIn(home)[0] ?? '');
  for (const place of [file, directory]) {
    expect(cache.read()?.toString()).toBe('code');
    chownSync(place, 4242, 4242);
    expect(cache.read()).toBeUndefined();
    chownSync(place, 0, 0);
  }
});

test('code of another program, version or part is another file, and the oldest are removed', () => {
  const home = newHome();
  mkdirSync(path.join(home, 't4a'), { mode: 0o755 });
  writeFileSync(path.join(home, 't4a', 'not-ours'), '');
  for (let size = 0n; size < 40n; size++)
    new CodeCache(home, 'text', { ...PROGRAM, size }).write(Buffer.from(`${size}`));
  expect(filesIn(home)).toHaveLength(33);
  expect(filesIn(home)).toContain('not-ours');
  expect(new CodeCache(home, 'list', { ...PROGRAM, size: 39n }).read()).toBeUndefined();
  expect(new CodeCache(home, 'text', { ...PROGRAM, size: 39n, ino: 41n }).read()).toBeUndefined();
  expect(new CodeCache(home, 'text', { ...PROGRAM, size: 39n, hash: 'b2a1' }).read()).toBeUndefined();
  expect(new CodeCache(home, 'text', { ...PROGRAM, size: 39n }).read()?.toString()).toBe('39');
});

test('two builds with files of equal length and age run their own code from one cache', () => {
  const home = newHome();
  const says = ['Explain the command line', 'EXPLAIN the command line'];
  const clis = says.map((words) => buildWith('Explain the command line', words));
  const sizes = clis.map((cli) => statSync(path.join(path.dirname(cli), 'cli-program.cjs')).size);
  expect(new Set(sizes).size).toBe(1);
  // The first leaves its code, which is as good for the second as far as V8 can tell.
  const answers = () => clis.map((cli) => run(['help', 'help'], home, {}, cli).stdout);
  const compiled = answers();
  expect(compiled).toEqual(says.map((words) => expect.stringContaining(words)));
  expect(filesIn(home)).toHaveLength(2);
  expect(answers()).toEqual(compiled);
});

test.each([
  ['changed in its place', (file: string, content: string) => writeFileSync(file, content, 'latin1')],
  [
    'replaced by another',
    (file: string, content: string) => {
      writeFileSync(`${file}.new`, content, 'latin1');
      renameSync(`${file}.new`, file);
    },
  ],
])('a build that is %s, with the same length, time and hash of the build, runs its own code', (_, change) => {
  const home = newHome();
  const cli = buildWith('Explain the command line', 'Explain the command line');
  const program = path.join(path.dirname(cli), 'cli-program.cjs');
  const before = readFileSync(program, 'latin1');
  for (let i = 0; i < 2; i++) {
    expect(run(['help', 'help'], home, {}, cli).stdout).toContain('Explain the command line');
  }
  change(program, before.replaceAll('Explain the command line', 'EXPLAIN the command line'));
  utimesSync(program, BUILT_AT, BUILT_AT);
  for (let i = 0; i < 2; i++) {
    expect(run(['help', 'help'], home, {}, cli).stdout).toContain('EXPLAIN the command line');
  }
  expect(filesIn(home)).toHaveLength(2);
});

test('a limit on the size of files leaves no part of the code, and ends no command', () => {
  const home = newHome();
  const env = { PATH: process.env['PATH'] ?? '', XDG_CACHE_HOME: home };
  const limited = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, CLI, 'help', 'type'];
  const { status, stdout } = spawnSync('sh', limited, { env, encoding: 'utf8' });
  expect({ status, stdout, files: filesIn(home) }).toEqual({ status: 0, stdout: help(newHome()).stdout, files: [] });
});

test('code that was changed in its file is discarded', () => {
  const home = newHome();
  const right = help(home);
  const file = path.join(home, 't4a', filesIn(home)[0] ?? '');
  const good = readFileSync(file);
  for (let at = 100; at < good.length; at += Math.ceil(good.length / runsOf({ suite: 4, trial: 20 }))) {
    const rotten = Buffer.from(good);
    rotten[at] = (rotten[at] ?? 0) ^ 0xff;
    writeFileSync(file, rotten);
    expect(help(home)).toEqual(right);
    expect(readFileSync(file).equals(rotten)).toBe(false);
  }
});

test('a daemon that could not start leaves no kept code to the next one', () => {
  const home = newHome();
  const program = path.join(DIST, 'daemon-program.cjs');
  const { size, mtimeNs, ctimeNs, ino } = statSync(program, { bigint: true });
  const state = { size, mtimeNs, ctimeNs, ino };
  new CodeCache(home, 'daemon', { hash: hashOf(readFileSync(program)), ...state }).write(Buffer.from('code'));
  expect(filesIn(home)).toHaveLength(1);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_CACHE_HOME: home };
  const args = [path.join(DIST, 'daemon.cjs'), '--socket', path.join(home, 'no', 'such', 'place')];
  expect(spawnSync(process.execPath, args, { env, encoding: 'utf8' })).toMatchObject({ status: 1 });
  expect(filesIn(home)).toEqual([]);
});

describe('a program that cannot be loaded', () => {
  interface Loads {
    loads: number;
  }
  const loads: Loads = { loads: 0 };
  const require = createRequire(import.meta.url);
  const start = (file: string, home: string) =>
    runProgram({ file, hash: 'a1b2', part: 'text', env: { XDG_CACHE_HOME: home }, require });

  function program(home: string, name: string, says: string): string {
    const file = path.join(home, name);
    const source = `(function (exports) { globalThis.t4aTest.loads++; ${says} })`;
    writeFileSync(file, `${source}${' '.repeat(200 - source.length)}`);
    utimesSync(file, BUILT_AT, BUILT_AT);
    return file;
  }

  beforeEach(() => {
    loads.loads = 0;
    (globalThis as { t4aTest?: Loads }).t4aTest = loads;
    onTestFinished(() => void delete (globalThis as { t4aTest?: Loads }).t4aTest);
  });

  test('with the kept code is loaded without it, and that code is discarded', () => {
    const home = newHome();
    start(
      program(home, 'other.cjs', 'exports.answer = 41; if (globalThis.t4aTest.loads > 1) throw Error();'),
      home,
    ).keepCode();
    const right = program(home, 'right.cjs', 'exports.answer = 42;');
    // As if the file had not changed.
    const [kept = ''] = filesIn(home);
    renameSync(path.join(home, 't4a', kept), path.join(home, 't4a', keptNameOf(kept, right)));
    const running = start(right, home);
    expect(running.exports).toEqual({ answer: 42 });
    expect(filesIn(home)).toEqual([]);
    running.keepCode();
    expect(start(path.join(home, 'right.cjs'), home).exports).toEqual({ answer: 42 });
  });

  /** The name of kept code, for another file. */
  function keptNameOf(name: string, file: string): string {
    const { size, mtimeNs, ctimeNs, ino } = statSync(file, { bigint: true });
    const state = [size, mtimeNs, ctimeNs, ino].map((one) => one.toString(36)).join('-');
    return `${name.split('-').slice(0, -4).join('-')}-${state}.v8`;
  }

  test('for a reason of its own throws that, with and without kept code', () => {
    const home = newHome();
    const file = program(home, 'p.cjs', 'if (globalThis.t4aTest.loads > 1) throw new Error("no such library");');
    start(file, home).keepCode();
    expect(() => start(file, home)).toThrow('no such library');
    expect(filesIn(home)).toEqual([]);
    expect(loads.loads).toBe(3);
    expect(() => start(file, home)).toThrow('no such library');
    expect(loads.loads).toBe(4);
  });
});

/** The built command line with other words in it, and with what the build says of its content. */
function buildWith(from: string, to: string): string {
  const dir = newHome();
  cpSync(DIST, dir, { recursive: true });
  const program = path.join(dir, 'cli-program.cjs');
  const before = readFileSync(program, 'latin1');
  expect(before).toContain(from);
  writeFileSync(program, before.replaceAll(from, to), 'latin1');
  const cli = path.join(dir, 'cli.cjs');
  writeFileSync(cli, readFileSync(cli, 'utf8').replaceAll(hashOf(before), hashOf(readFileSync(program))));
  for (const file of [program, cli]) utimesSync(file, BUILT_AT, BUILT_AT);
  return cli;
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
