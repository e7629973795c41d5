/** A program that is run from kept code, and the place where that is kept. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  type BigIntStats,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../src/boot/cached-program.js';
import { CodeCache } from '../../src/boot/code-cache.js';

const SOURCE = { hash: 'a1b2', size: 10n, mtimeNs: 20n, ctimeNs: 30n, ino: 40n };
const require = createRequire(import.meta.url);

const stateOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats) => ({ size, mtimeNs, ctimeNs, ino });

function newHome(): string {
  const home = mkdtempSync(path.join(tmpdir(), 't4a-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  return home;
}

/** A program that returns its arguments. */
function programIn(home: string): string {
  const file = path.join(home, 'program.cjs');
  if (existsSync(file)) return file;
  // A text of its own: V8 knows one that it has compiled before in this process, and looks at no kept code for it.
  const own = '{ file: __filename, dir: __dirname, isModule: module.exports === exports, require }';
  writeFileSync(
    file,
    `(function (exports, require, module, __filename, __dirname) { exports.own = ${own}; }) // ${home}`,
  );
  return file;
}

function run(home: string, env: Readonly<Record<string, string | undefined>> = { XDG_CACHE_HOME: home }) {
  return runProgram({ file: programIn(home), hash: 'a1b2', part: 'text', env, require });
}

const keptIn = (home: string): string[] =>
  existsSync(home) ? readdirSync(home).map((name) => path.join(home, name)) : [];

describe('a program', () => {
  test('is a CommonJS module of its file, from kept code or not', () => {
    const home = newHome();
    const own = { file: programIn(home), dir: home, isModule: true, require };
    const first = run(home);
    expect(first.exports).toEqual({ own });
    first.keepCode();
    expect(run(home).exports).toEqual({ own });
  });

  test('keeps its code once', () => {
    const home = newHome();
    run(home).keepCode();
    const [file = ''] = keptIn(path.join(home, 't4a'));
    const longAgo = new Date('2020-01-01T00:00:00Z');
    utimesSync(file, longAgo, longAgo);
    run(home).keepCode();
    expect(statSync(file).mtime).toEqual(longAgo);
  });

  test('keeps its code again if V8 rejects the kept code', () => {
    const home = newHome();
    const state = statSync(programIn(home), { bigint: true });
    const cache = new CodeCache(home, 'text', { hash: 'a1b2', ...stateOf(state) });
    const noCode = Buffer.alloc(64, 'x');
    cache.write(noCode);
    const running = run(home);
    expect(running.exports).toHaveProperty('own');
    expect(cache.read()).toEqual(noCode);
    running.keepCode();
    expect(cache.read()?.length).toBeGreaterThan(noCode.length);
  });

  test('discards its kept code on request', () => {
    const home = newHome();
    run(home).keepCode();
    run(home).discardCode();
    expect(keptIn(path.join(home, 't4a'))).toEqual([]);
    run(home).discardCode();
  });

  test.each([
    ['the cache directory', (home: string) => ({ XDG_CACHE_HOME: home, HOME: '/nonexistent' }), ['t4a']],
    ['that of the home', (home: string) => ({ HOME: home }), ['.cache', 't4a']],
    [
      'that of the home, where the other is relative',
      (home: string) => ({ XDG_CACHE_HOME: 'x', HOME: home }),
      ['.cache', 't4a'],
    ],
  ])('keeps its code in %s', (_, env, place) => {
    const home = newHome();
    run(home, env(home)).keepCode();
    expect(keptIn(path.join(home, ...place))).toHaveLength(1);
  });

  test.each([{}, { HOME: 'x' }, { XDG_CACHE_HOME: '', HOME: '' }])('keeps nothing with the environment %o', (env) => {
    const home = newHome();
    const running = run(home, env);
    running.keepCode();
    running.discardCode();
    expect(readdirSync(home)).toEqual(['program.cjs']);
  });
});

describe('a program that is written while it runs', () => {
  test('keeps no code under the name of its next text', () => {
    const home = newHome();
    const running = run(home);
    writeFileSync(programIn(home), '(function (exports) { exports.own = 2; })');
    running.keepCode();
    expect(keptIn(path.join(home, 't4a'))).toEqual([]);
    expect(run(home).exports).toEqual({ own: 2 });
  });
});

describe('kept code', () => {
  test('is in a directory and a file of the user alone, without drafts', () => {
    const home = newHome();
    const cache = new CodeCache(home, 'text', SOURCE);
    expect(cache.read()).toBeUndefined();
    cache.write(Buffer.from('code'));
    cache.write(Buffer.from('newer'));
    expect(cache.read()?.toString()).toBe('newer');
    const directory = path.join(home, 't4a');
    const name = `text-${process.version}-${process.arch}-a1b2-a-k-u-14.v8`;
    expect(readdirSync(directory)).toEqual([name]);
    expect([directory, path.join(directory, name)].map((file) => statSync(file).mode & 0o777)).toEqual([0o700, 0o600]);
  });

  test.each([
    ['the halves differ', 'codecodE'],
    ['the second half is longer', 'codecode!'],
    ['there is only half of it', 'code'],
  ])('is not read if %s', (_, content) => {
    const home = newHome();
    const cache = new CodeCache(home, 'text', SOURCE);
    cache.write(Buffer.from('code'));
    writeFileSync(keptIn(path.join(home, 't4a'))[0] ?? '', content);
    expect(cache.read()).toBeUndefined();
  });

  test('is neither read from nor written to a directory that others may write to', () => {
    const home = newHome();
    const directory = path.join(home, 't4a');
    for (const mode of [0o720, 0o702]) {
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
      mkdirSync(directory);
      chmodSync(directory, mode);
      const cache = new CodeCache(home, 'text', SOURCE);
      cache.write(Buffer.from('code'));
      expect(readdirSync(directory)).toEqual([]);
      chmodSync(directory, 0o700);
      cache.write(Buffer.from('code'));
      chmodSync(directory, mode);
      expect(cache.read()).toBeUndefined();
    }
  });

  test('can be read by others', () => {
    const home = newHome();
    const cache = new CodeCache(home, 'text', SOURCE);
    cache.write(Buffer.from('code'));
    chmodSync(path.join(home, 't4a'), 0o755);
    chmodSync(keptIn(path.join(home, 't4a'))[0] ?? '', 0o644);
    expect(cache.read()?.toString()).toBe('code');
  });

  test('is removed when it is the oldest of too many, and other files stay', () => {
    const home = newHome();
    const directory = path.join(home, 't4a');
    const write = (part: string): void => new CodeCache(home, part, SOURCE).write(Buffer.from('code'));
    for (let i = 0; i < 32; i++) {
      write(`part${i}`);
      const [file = ''] = keptIn(directory).filter((name) => name.includes(`part${i}-`));
      const writtenAt = new Date(Date.UTC(2020, 0, 1 + ((i + 7) % 32)));
      utimesSync(file, writtenAt, writtenAt);
    }
    writeFileSync(path.join(directory, 'notes'), '');
    expect(readdirSync(directory)).toHaveLength(33);
    write('one-more');
    const parts = readdirSync(directory).map((name) => name.split('-v')[0]);
    expect(parts).toHaveLength(33);
    expect(parts).toEqual(expect.arrayContaining(['notes', 'one-more', 'part0', 'part24', 'part26']));
    expect(parts).not.toContain('part25');
  });

  test('cannot be written if a file is in its place, without an error', () => {
    const home = newHome();
    writeFileSync(path.join(home, 't4a'), '');
    const cache = new CodeCache(home, 'text', SOURCE);
    cache.write(Buffer.from('code'));
    expect(cache.read()).toBeUndefined();
    cache.discard();
  });
});
