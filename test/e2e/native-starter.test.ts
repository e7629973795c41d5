/** What a shell runs as `t4a`: it finds the client, else Node, wherever and by whatever link it is called. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../support/consumer.js';
import { DIST } from '../support/daemon.js';
import { findProgram } from '../support/find-program.js';
import { tempDir } from '../support/temp-dir.js';

const STARTER = path.join(DIST, 't4a');

interface Installation {
  /** Of all that is installed. */
  readonly dir: string;
  readonly starter: string;
  readonly client: string;
}

/** Programs that print their names and arguments, and one variable of the caller's. */
function installation(): Installation {
  const dir = tempDir().join("it's a place");
  const dist = path.join(dir, 'lib/t4a/dist');
  const bin = path.join(dir, 'programs');
  const client = path.join(dist, 'native', process.arch, 't4a');
  for (const folder of [path.dirname(client), bin, path.join(dir, 'bin')]) mkdirSync(folder, { recursive: true });
  const starter = path.join(dist, 't4a');
  copyFileSync(STARTER, starter);
  const prints = (name: string): string => `#!/bin/sh\nprintf '[%s]' ${name} "$@" "$arch$here"\n`;
  writeFileSync(client, prints('client'), { mode: 0o755 });
  writeFileSync(path.join(bin, 'node'), prints('node'), { mode: 0o755 });
  return { dir, starter, client };
}

interface Start {
  readonly dir: string;
  readonly cwd?: string;
  readonly PATH?: string;
  readonly shell?: readonly string[];
}

function start(
  program: string,
  { dir, cwd = dir, PATH = '/usr/bin:/bin', shell = [] }: Start,
): { readonly status: number | null; readonly said: string } {
  const [first, ...rest] = [...shell, program, 'a b', '*', ''];
  const { status, stdout, stderr } = spawnSync(first, rest, {
    cwd,
    env: { PATH: `${path.join(dir, 'programs')}:${PATH}`, arch: 'mine' },
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

const byClient = { status: 0, said: '[client][a b][*][][mine]' };
const byNode = (at: string): typeof byClient => ({ status: 0, said: `[node][${at}/cli.cjs][a b][*][][mine]` });

const SHELLS = ['dash', 'bash', 'mksh', 'ksh', 'busybox'].flatMap((name) => {
  const file = findProgram(name);
  return file === undefined ? [] : [[name, name === 'busybox' ? [file, 'sh'] : [file]] as const];
});

describe.skipIf(process.platform !== 'linux')('the client is found', () => {
  test.each([['by its own line', []] as const, ...SHELLS])('%s', (_name, shell) => {
    const { dir, starter } = installation();
    expect(start(starter, { dir, shell })).toEqual(byClient);
  });

  test('by links, absolute, relative and of links, as npm, yarn and bun make them', () => {
    const { dir, starter } = installation();
    symlinkSync('../lib/t4a/dist/t4a', path.join(dir, 'bin/relative'));
    symlinkSync(starter, path.join(dir, 'bin/absolute'));
    symlinkSync('relative', path.join(dir, 'bin/again'));
    symlinkSync('lib/t4a', path.join(dir, 'folder'));
    for (const name of ['bin/relative', './bin/absolute', 'bin/again', 'folder/dist/t4a', path.join(dir, 'bin/again')])
      expect([name, start(name, { dir })]).toEqual([name, byClient]);
  });

  test('by a name alone, in the directory of the caller', () => {
    const { dir, starter } = installation();
    symlinkSync('../lib/t4a/dist/t4a', path.join(dir, 'bin/t4a'));
    for (const cwd of [path.dirname(starter), path.join(dir, 'bin')])
      expect(start('t4a', { dir, cwd, shell: ['/bin/sh'] })).toEqual(byClient);
  });

  test('by a script that names the shell, as pnpm makes it', () => {
    const { dir } = installation();
    const shim = `#!/bin/sh\nbasedir=$(dirname "$0")\nexec /bin/sh "$basedir/../lib/t4a/dist/t4a" "$@"\n`;
    writeFileSync(path.join(dir, 'bin/t4a'), shim, { mode: 0o755 });
    expect(start(path.join(dir, 'bin/t4a'), { dir })).toEqual(byClient);
  });
});

describe('Node runs it', () => {
  test('without a client, or with one that may not run', () => {
    const { dir, starter, client } = installation();
    chmodSync(client, 0o644);
    expect(start(starter, { dir })).toEqual(byNode(path.dirname(starter)));
    rmSync(client);
    expect(start(starter, { dir })).toEqual(byNode(path.dirname(starter)));
  });

  test('and without Node one sentence says so', () => {
    const { dir, starter, client } = installation();
    rmSync(client);
    rmSync(path.join(dir, 'programs/node'));
    const shell = existsSync('/bin/dash') ? ['/bin/dash'] : ['/bin/sh'];
    expect(start(starter, { dir, PATH: '/nonexistent', shell })).toEqual({
      status: 127,
      said: 't4a: This needs Node, and no "node" is on the PATH.\n',
    });
  });
});

test('it is what the package installs, in a dozen lines', () => {
  const { bin } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { bin: unknown };
  expect(bin).toEqual({ t4a: 'dist/t4a' });
  expect(readFileSync(STARTER, 'utf8').split('\n').length).toBeLessThan(17);
});
