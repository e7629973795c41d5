import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { CodeCache } from '../../src/boot/code-cache.js';

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
const PROGRAM = { size: 10, mtimeMs: 20 };

function newHome(): string {
  const home = mkdtempSync(path.join(tmpdir(), 't4a-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** A command that no daemon is needed for. */
function run(args: readonly string[], cacheHome: string, more: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'] ?? '', XDG_CACHE_HOME: cacheHome, ...more };
  const { stdout, stderr, status } = spawnSync(process.execPath, [CLI, ...args], { env, encoding: 'utf8' });
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
])('the next run answers the same from the code that the one before has left: %s', (name, args) => {
  const home = newHome();
  const first = run(args, home);
  expect(first).toMatchObject({ status: 0, stderr: '' });
  const [file = ''] = filesIn(home);
  expect(file).toMatch(new RegExp(`^${name}-v\\d+\\.\\d+\\.\\d+-\\w+-\\d+-\\d+\\.v8$`));
  const code = readFileSync(path.join(home, 't4a', file));
  expect(run(args, home)).toEqual(first);
  expect(filesIn(home)).toEqual([file]);
  // It was taken as it is: nothing was compiled that had to be written again.
  expect(readFileSync(path.join(home, 't4a', file)).equals(code)).toBe(true);
});

test('code that V8 does not take is compiled and written anew', () => {
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

test('code is not read from a directory or a file that others may write to, nor through a link', () => {
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

test('code of another program, version or part is another file, and the oldest go', () => {
  const home = newHome();
  mkdirSync(path.join(home, 't4a'));
  writeFileSync(path.join(home, 't4a', 'not-ours'), '');
  for (let size = 0; size < 40; size++) new CodeCache(home, 'text', { ...PROGRAM, size }).write(Buffer.from(`${size}`));
  expect(filesIn(home)).toHaveLength(33);
  expect(filesIn(home)).toContain('not-ours');
  expect(new CodeCache(home, 'list', { ...PROGRAM, size: 39 }).read()).toBeUndefined();
  expect(new CodeCache(home, 'text', { ...PROGRAM, size: 39, mtimeMs: 21 }).read()).toBeUndefined();
  expect(new CodeCache(home, 'text', { ...PROGRAM, size: 39 }).read()?.toString()).toBe('39');
});
