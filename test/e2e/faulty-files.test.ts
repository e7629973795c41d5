/**
 * A disk without room, a process without descriptors: at each call of the system by which a command changes a file of keys or rights, the
 * file is as before or as it shall be, nothing lies beside it, and the command says which.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { RememberedBrowsers } from '../../src/web/browsers.js';
import { CLI } from '../support/cli.js';
import { testCrew, type TestCrew } from '../support/crew.js';
import { itNeeds, requireProgram } from '../support/programs.js';
import { casesOf, runsOf } from '../support/trial.js';

type Tree = Readonly<Record<string, string>>;

interface Row {
  readonly words: readonly string[];
  /** Commands, and what else was there before. */
  readonly before: readonly (readonly string[])[];
  /** What ends a right needs no room. */
  readonly endsRights?: boolean;
  /** Of its faults; the trial has all of them, of all rows. */
  readonly inSuite?: (fault: Fault) => boolean;
}

const KEY = ['join', 'nats://127.0.0.1/farm?creds=KEY', '--new-key'];
const HOSTS = ['one', 'two'].map((name) => ['hosts', 'add', name, `ssh://${name}`]);
const TRUST = ['dev', 'other'].map((name) => ['crew', 'trust', name]);

const ROWS: Readonly<Record<string, Row>> = {
  'a host more': { before: HOSTS, words: ['hosts', 'add', 'more', 'ssh://more'] },
  'a host less': { before: HOSTS, words: ['hosts', 'rm', 'one'], endsRights: true },
  'a trust more': { before: TRUST, words: ['crew', 'trust', 'more'], inSuite: ({ error }) => error === 'EMFILE' },
  'a trust less': { before: TRUST, words: ['crew', 'trust', '--revoke', 'dev'], endsRights: true },
  'a browser less': {
    before: [],
    words: ['web', '--forget', 'one'],
    endsRights: true,
    inSuite: ({ call, error }) => ['write', 'rename'].includes(call) && error === 'EDQUOT',
  },
  'no browser more': { before: [], words: ['web', '--revoke'], endsRights: true },
  'a key of NATS': { before: [], words: KEY, inSuite: ({ call, error }) => call === 'close' && error === 'ENOSPC' },
  'a setting more': { before: [], words: ['hosts', 'add', '--from', 'VTR'] },
};

/** What the system may answer to each call: `opens` reads, `makes` is to write, `ends` closes what was written. */
const ERRORS: Readonly<Record<string, readonly string[]>> = {
  opens: ['EMFILE', 'ENFILE', 'EIO'],
  makes: ['EMFILE', 'ENOSPC', 'EDQUOT'],
  read: ['EIO'],
  write: ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'],
  fsync: ['ENOSPC', 'EDQUOT', 'EIO'],
  ends: ['ENOSPC', 'EDQUOT', 'EIO'],
  rename: ['ENOSPC', 'EDQUOT', 'EIO'],
};
const CALLS = ['openat', 'read', 'write', 'fsync', 'close', 'rename', 'unlink'] as const;

interface Fault {
  readonly call: string;
  readonly error: string;
  /** Of the calls of that name, from 1. */
  readonly nth: number;
}

class Case {
  readonly #crew: TestCrew = testCrew();
  readonly #row: Row;
  readonly before: Tree;
  readonly after: Tree;

  constructor(row: Row) {
    this.#row = row;
    const { dir, env } = this.#crew;
    for (const name of ['dev', 'other', 'more']) this.#crew.preset('processes', `${name}.json`, { name, argv: [name] });
    const browsers = new RememberedBrowsers(`${env['XDG_STATE_HOME']}/t4a/browsers.json`, 'a:1', systemClock);
    for (const name of ['one', 'two']) browsers.add(name, false);
    writeFileSync(dir.join('VTR'), VTR);
    writeFileSync(dir.join('config', 't4a', 'config.json'), '{"cols": 100}\n');
    for (const words of row.before) expect(this.#run(words)).toMatchObject({ status: 0 });
    this.before = this.tree();
    expect(this.#run(row.words)).toMatchObject({ status: 0 });
    this.after = this.tree();
  }

  /** Each call that the change makes, with all that may be answered. */
  faults(): Fault[] {
    const { lines } = this.traced([]);
    const written = new Set<string>();
    const counts = new Map<string, number>();
    return lines.flatMap((line) => {
      const [, call = '', first = ''] = /^\d+ +(\w+)\((\w+)/.exec(line) ?? [];
      const nth = (counts.get(call) ?? 0) + 1;
      counts.set(call, nth);
      const isNew = line.includes('O_CREAT');
      if (isNew) written.add(/= (\d+)$/.exec(line)?.[1] ?? '');
      const isEnd = call === 'close' && written.delete(first);
      const kind = call === 'openat' ? (isNew ? 'makes' : 'opens') : isEnd ? 'ends' : call;
      return (ERRORS[kind] ?? []).map((error) => ({ call, error, nth }));
    });
  }

  /** The command upon what was there before. */
  traced(options: readonly string[]) {
    this.#restore();
    const log = this.#crew.dir.join('log');
    const paths = this.changed().flatMap((path) => [path, `${path}.new`, dirname(path)]);
    const traced = ['-f', '-o', log, '-e', `trace=${CALLS.join()}`, ...paths.flatMap((path) => ['-P', path])];
    const { status, stderr } = this.#run(this.#row.words, ['strace', ...traced, ...options]);
    const lines = readFileSync(log, 'utf8').split('\n');
    rmSync(log);
    return { status, stderr, lines };
  }

  changed(): string[] {
    return [...new Set([...Object.keys(this.before), ...Object.keys(this.after)])].filter(
      (path) => this.before[path] !== this.after[path],
    );
  }

  tree(): Tree {
    const { dir } = this.#crew;
    const paths = readdirSync(dir.path, { recursive: true, encoding: 'utf8' }).map((name) => dir.join(name));
    const files = paths.filter((path) => lstatSync(path).isFile() && !path.includes('/.cache/')).toSorted();
    return Object.fromEntries(files.map((path) => [path, readFileSync(path, 'utf8')]));
  }

  #restore(): void {
    for (const path of Object.keys(this.tree())) if (!(path in this.before)) rmSync(path);
    for (const [path, text] of Object.entries(this.before)) {
      if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, text, { mode: 0o600 });
      chmodSync(path, 0o600);
    }
  }

  #run(words: readonly string[], by: readonly string[] = []) {
    const { dir, env, project } = this.#crew;
    const [program = '', ...args] = [
      ...by.map((word, i) => (i === 0 ? requireProgram(word) : word)),
      process.execPath,
      CLI,
      ...words.map((word) => word.replace(/KEY|VTR/, (name) => dir.join(name))),
    ];
    return spawnSync(program, args, {
      env: { PATH: process.env['PATH'], ...env, NODE_DISABLE_COMPILE_CACHE: '1' },
      cwd: project,
      encoding: 'utf8',
    });
  }
}

const VTR = '[[coordinators]]\npath = "/home/a/.vtr/project.sock"\n[defaults]\noutput_format = "json"\n';

const SEED = /^SU[A-Z2-7]{56}\n$/;

/** JSON that means the same is the same; so is one key of NATS and another. */
function meaning(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (SEED.test(text)) return 'a key';
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @returns what a fault has done beyond what is allowed */
function wrongs(one: Case, row: Row, { call, error, nth }: Fault): string[] {
  const { status, stderr } = one.traced(['-e', `inject=${call}:error=${error}:when=${nth}`]);
  const tree = one.tree();
  const found: string[] = [];
  const is = (path: string, as: Tree): boolean =>
    JSON.stringify(meaning(tree[path])) === JSON.stringify(meaning(as[path]));
  const states = one
    .changed()
    .map((path) => (is(path, one.after) ? 'after' : is(path, one.before) ? 'before' : 'neither'));
  for (const path of new Set([...Object.keys(one.before), ...Object.keys(tree)])) {
    if (one.changed().includes(path)) continue;
    if (tree[path] !== one.before[path])
      found.push(`${path} was ${one.before[path] ?? 'absent'}: ${tree[path] ?? 'gone'}`);
  }
  if (states.includes('neither'))
    found.push(
      `half a change: ${one
        .changed()
        .map((path) => tree[path])
        .join()}`,
    );
  if (status === 0 && states.some((state) => state !== 'after')) found.push('it says that it is done');
  if (status !== 0) {
    if (states.every((state) => state === 'after')) found.push('it is done, and says that it is not');
    const path = one.changed().find((each) => stderr.includes(each));
    if (path === undefined || !stderr.includes(error)) found.push(`it does not name the file and ${error}`);
    if (row.endsRights === true && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(error)) found.push('the right has not ended');
  }
  return found.map((what) => `${call} ${nth} ${error}: ${what} [${status} ${stderr.trim()}]`);
}

const CASES = casesOf(Object.entries(ROWS), ([, { inSuite }]) => inSuite !== undefined);

itNeeds('strace').each(CASES)('%s is as asked for or as before, whatever call fails', (_name, row) => {
  const one = new Case(row);
  const isDrawn = runsOf({ suite: row.inSuite ?? (() => false), trial: () => true });
  const faults = one.faults().filter(isDrawn);
  expect(faults).not.toEqual([]);
  expect(faults.flatMap((fault) => wrongs(one, row, fault))).toEqual([]);
});

/** One that grants, one that ends a right, one that removes its file. */
const IN_SUITE = ['a key of NATS', 'a host less', 'no browser more'];
const SYNCED = casesOf(Object.entries(ROWS), ([name]) => IN_SUITE.includes(name));

itNeeds('strace').each(SYNCED)('%s is on the disk when the command ends, and so is its folder', (_name, row) => {
  const one = new Case(row);
  const opened = new Map<string, string>();
  const done: string[] = [];
  for (const line of one.traced([]).lines) {
    const [, open, fd = ''] = /openat\(\w+, "([^"]*)".*= (\d+)$/.exec(line) ?? [];
    const [, synced = ''] = /fsync\((\d+)\) += 0$/.exec(line) ?? [];
    const [, call, from = '', to] = /(rename|unlink)\("([^"]*)"(?:, "([^"]*)")?\) += 0$/.exec(line) ?? [];
    if (open !== undefined) opened.set(fd, open);
    if (synced !== '') done.push(`fsync ${opened.get(synced)}`);
    if (call !== undefined) done.push(`${call} ${to ?? from}`);
  }
  expect(one.changed()).not.toEqual([]);
  for (const path of one.changed()) {
    const isRemoved = one.after[path] === undefined;
    const at = done.indexOf(`${isRemoved ? 'unlink' : 'rename'} ${path}`);
    expect(at).toBeGreaterThan(-1);
    if (!isRemoved) expect(done.slice(0, at)).toContain(`fsync ${path}.new`);
    expect(done.slice(at)).toContain(`fsync ${dirname(path)}`);
  }
});
