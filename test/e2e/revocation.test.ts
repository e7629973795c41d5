/** Revocation is an end: what a command has taken away by the time that it returns nobody has again, however many ask meanwhile. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import type { Client } from '../../src/client/index.js';
import { CLOSED, type KeyGrant } from '../../src/page/greeting.js';
import { forgetBrowsers, readBrowsers, RememberedBrowsers } from '../../src/web/browsers.js';
import { CLI, runCli } from '../support/cli.js';
import { runCliHere } from '../support/cli-in-process.js';
import { testCrew } from '../support/crew.js';
import { callAs, codeOf, spawned } from '../support/crew-tools.js';
import { request, startDaemon } from '../support/daemon.js';
import { agentsOfFile } from '../support/fake-agent.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import { itMounts, mountTmpfs } from '../support/mounts.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';
import { runsOf } from '../support/trial.js';
import { enter, freeAddress, servedFor, TestSocket, trade, type Message, type Served } from '../web/served.js';

const ROUNDS = runsOf({ suite: 2, trial: 20 });
const ASKERS = runsOf({ suite: 4, trial: 12 });

/** @param socketPath of a daemon; that of one of its own if none is given */
async function remembering(socketPath?: string) {
  const daemon = socketPath ?? (await clientOfOwnDaemon()).socketPath;
  const env = { XDG_RUNTIME_DIR: tempDir().path, XDG_STATE_HOME: tempDir().path };
  const flags = ['--socket', daemon, '--remember', '--listen', await freeAddress()];
  const page = await servedFor(flags, env);
  const file = `${env.XDG_STATE_HOME}/t4a/browsers.json`;
  return { page, file, t4a: (...args: string[]) => runCli(['web', ...args], { env }) };
}

/** Asks to be remembered again and again. @returns the keys that it was given, once its socket is closed or `isOver` */
async function askAgain(socket: TestSocket, name: string, isOver: () => boolean): Promise<KeyGrant[]> {
  const given: KeyGrant[] = [];
  try {
    while (!isOver()) {
      await socket.say({ remember: name, req: 1 });
      const answer = await socket.next<KeyGrant & Message>();
      if (answer['ok'] === true) given.push(answer);
    }
  } catch {
    // Its key is over.
  }
  return given;
}

async function opens({ origin }: Pick<Served, 'origin'>, { key_id }: KeyGrant): Promise<boolean> {
  const socket = new TestSocket(origin);
  await socket.say({ key_id, nonce: 'n1' });
  const first = await socket.next().then(
    () => true,
    () => false,
  );
  if (first) socket.socket.terminate();
  return first;
}

test('--revoke of pages that ask to be remembered meanwhile leaves no key', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { page, file, t4a } = await remembering();
    const grant = await trade(page.origin, page.code);
    const sockets = await Promise.all(Array.from({ length: ASKERS }, () => enter(page.origin, grant)));
    const asking = sockets.map(([socket], i) => askAgain(socket, `thief ${i}`, () => false));
    const { status } = await t4a('--revoke');
    expect({ status, left: readBrowsers(file) }).toEqual({ status: 0, left: [] });
    const given = (await Promise.all(asking)).flat();
    for (const key of [grant, ...given.slice(-5)]) expect(await opens(page, key)).toBe(false);
    expect(readBrowsers(file)).toEqual([]);
  }
});

test('--revoke ends the keys of a server that is stopped: what was sent before does nothing once it goes on', async () => {
  const client = await clientOfOwnDaemon();
  await client.call('create', { name: 'mine', cmd_args: ['cat'] });
  const { page, file, t4a } = await remembering(client.socketPath);
  const grant = await trade(page.origin, page.code);
  const [[socket], [other], [typing]] = [
    await enter(page.origin, grant),
    await enter(page.origin, grant),
    await enter(page.origin, grant),
  ];
  await other.say({ remember: 'before', req: 1 });
  await other.next();
  const link = async (): Promise<string> => new URL((await t4a('--link')).stdout.trim()).hash.slice(1);
  const code = await link();
  const before = await client.call('status', { id: 'mine' });
  const { pid = 0 } = page.cli.process;
  process.kill(pid, 'SIGSTOP');
  const late = new TestSocket(page.origin);
  const lateSays = late.say({ code });
  try {
    for (let req = 1; req < 20; req++) {
      await socket.say({ remember: `thief ${req}`, req });
      await typing.say({ cmd: 'type', id: 'mine', text: 'late', req });
    }
    const { status, stdout, stderr } = await t4a('--revoke');
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'Remembered browsers forgotten: 1\n',
      stderr: expect.stringMatching(
        /^t4a: The "t4a web" of .* its keys end before it does anything more\.\n$/,
      ) as string,
    });
    expect(readBrowsers(file)).toEqual([]);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await lateSays;
  // No key for the link of before.
  await expect(late.next()).rejects.toThrow(/4001|4005/);
  for (const one of [socket, other, typing]) {
    await expect(one.next()).rejects.toThrow(String(CLOSED.revoked));
  }
  expect(readBrowsers(file)).toEqual([]);
  expect(await opens(page, grant)).toBe(false);
  expect((await client.call('status', { id: 'mine' })).inputs).toEqual(before.inputs);
  // The page goes on, and its owner gets in.
  const anew = await trade(page.origin, await link());
  expect(await opens(page, anew)).toBe(true);
  expect(await t4a('--revoke')).toMatchObject({
    status: 0,
    stdout: `${page.origin}: keys ended: 1, open sockets closed: 0\n`,
  });
});

test('a server that is stopped while --forget ends a key does nothing more for it once it goes on', async () => {
  const client = await clientOfOwnDaemon();
  await client.call('create', { name: 'mine', cmd_args: ['cat'] });
  const { page, t4a } = await remembering(client.socketPath);
  const [owner] = await enter(page.origin, await trade(page.origin, page.code));
  await owner.say({ remember: 'gone', req: 1 });
  const gone = await owner.next<KeyGrant & Message>();
  const [remembered] = await enter(page.origin, gone);
  const before = await client.call('status', { id: 'mine' });
  const { pid = 0 } = page.cli.process;
  process.kill(pid, 'SIGSTOP');
  try {
    for (let req = 2; req < 20; req++) await remembered.say({ cmd: 'type', id: 'mine', text: 'late', req });
    expect(await t4a('--forget', 'gone')).toMatchObject({ status: 0 });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await expect(remembered.next()).rejects.toThrow(String(CLOSED.unauthorized));
  expect(await opens(page, gone)).toBe(false);
  expect((await client.call('status', { id: 'mine' })).inputs).toEqual(before.inputs);
});

/** A terminal whose program writes down what it reads. */
async function typedInto(client: Client) {
  const file = `${tempDir().path}/typed`;
  const script = `stty raw -echo; echo on; exec cat > ${file}`;
  await client.call('create', { name: 'sink', cmd_args: ['sh', '-c', script], wait: { until: { text: 'on' } } });
  const typed = (): string => readFileSync(file, 'utf8');
  return {
    typed,
    /** The owner's input waits for what is being typed: with it all that is typed before it is there, too. */
    upTo: async (mark: string): Promise<string> => {
      await client.call('send', { id: 'sink', input: mark });
      await expect.poll(typed).toContain(mark);
      return typed();
    },
  };
}

/** A minute and a half. */
const LONG_PRESS = { cmd: 'press', id: 'sink', keys: Array.from({ length: 200 }, () => 'a'), gap_ms: 450, req: 1 };

test.each([
  ['--forget', 'runs'],
  ['--forget', 'is stopped'],
  ['--revoke', 'runs'],
  ['--revoke', 'is stopped'],
])('once %s has returned no key is typed that was asked for before, where the server %s', async (word, how) => {
  const client = await clientOfOwnDaemon();
  const { typed, upTo } = await typedInto(client);
  const { page, t4a } = await remembering(client.socketPath);
  const [owner] = await enter(page.origin, await trade(page.origin, page.code));
  // Under way before its browser is remembered: it ends with that, too.
  await owner.say(LONG_PRESS);
  await expect.poll(typed).toContain('a');
  await owner.say({ remember: 'gone', req: 2 });
  const gone = await owner.next<KeyGrant & Message>();
  expect(gone).toMatchObject({ ok: true });
  const sockets = await Promise.all(Array.from({ length: 4 }, () => enter(page.origin, gone)));
  for (const [socket] of sockets) {
    for (let req = 1; req < 10; req++) await socket.say({ cmd: 'press', id: 'sink', keys: ['b'], req });
    // Read by its daemon.
    await socket.say({ cmd: 'ping', req: 'read' });
    await socket.next();
  }
  const { pid = 0 } = page.cli.process;
  if (how === 'is stopped') process.kill(pid, 'SIGSTOP');
  try {
    expect(await t4a(word, ...(word === '--forget' ? ['gone'] : []))).toMatchObject({ status: 0 });
    expect(await upTo('END')).toMatch(/^a{1,199}END$/);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  for (const socket of [owner, ...sockets.map(([one]) => one)]) await expect(socket.next()).rejects.toThrow(/400/);
  expect(await upTo('OVER')).toMatch(/^a{1,199}ENDOVER$/);
});

test('--forget of a browser, while others are remembered, is not undone by their lists', async () => {
  const { page, file, t4a } = await remembering();
  const linked = async (): Promise<KeyGrant> => {
    const { stdout } = await t4a('--link');
    return await trade(page.origin, new URL(stdout.trim()).hash.slice(1));
  };
  for (let round = 0; round < ROUNDS; round++) {
    forgetBrowsers(file);
    const [grant, others] = [await linked(), await linked()];
    const sockets = await Promise.all(Array.from({ length: ASKERS }, () => enter(page.origin, others)));
    const [owner] = await enter(page.origin, grant);
    await owner.say({ remember: `gone ${round}`, req: 1 });
    const gone = await owner.next<KeyGrant & Message>();
    const [remembered] = await enter(page.origin, gone);
    let isOver = false;
    const asking = sockets.map(([socket], i) => askAgain(socket, `other ${i}`, () => isOver));
    expect(await t4a('--forget', `gone ${round}`)).toMatchObject({ status: 0 });
    // Neither a list that another has read before, nor an open socket.
    await remembered.say({ cmd: 'list', req: 1 });
    await expect(remembered.next()).rejects.toThrow(String(CLOSED.unauthorized));
    for (const key of [gone, grant]) expect(await opens(page, key)).toBe(false);
    expect(await opens(page, others)).toBe(true);
    isOver = true;
    await Promise.all(asking);
    expect(readBrowsers(file).map((one) => one.key_id)).not.toContain(gone.key_id);
  }
});

itNeeds('prlimit')(
  'no room for a byte, or for a descriptor, leaves no half key, and the next try has a whole one',
  async () => {
    const { page, file } = await remembering();
    const [owner] = await enter(page.origin, await trade(page.origin, page.code));
    const { pid = 0 } = page.cli.process;
    const limit = (name: string, most: number | string): void =>
      void execFileSync('prlimit', ['--pid', String(pid), `--${name}=${most}:`]);
    const remembered = async (name: string): Promise<unknown> => {
      await owner.say({ remember: name, req: 1 });
      return (await owner.next())['ok'];
    };
    const keys = (): string[] => (existsSync(dirname(file)) ? readdirSync(dirname(file)) : []);
    const before = keys();
    const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
    const unused = Array.from({ length: open.size + 1 }, (_, fd) => fd).find((fd) => !open.has(fd)) ?? 0;
    for (const [name, most, usual] of [
      ['fsize', 0, 'unlimited'],
      ['nofile', unused, 1024],
    ] as const) {
      limit(name, most);
      expect(await remembered(`refused ${name}`), name).toBe(false);
      limit(name, usual);
      expect(keys(), name).toEqual(before);
    }
    expect(await remembered('kept')).toBe(true);
    expect(readBrowsers(file).map(({ name }) => name)).toEqual(['kept']);
  },
);

itNeeds('prlimit')('a list that no descriptor is left to read is read once there is one', async () => {
  const { page, file } = await remembering();
  const [owner] = await enter(page.origin, await trade(page.origin, page.code));
  await owner.say({ remember: 'kept', req: 1 });
  const kept = await owner.next<KeyGrant & Message>();
  const [remembered] = await enter(page.origin, kept);
  const { pid = 0 } = page.cli.process;
  const limit = (most: number): void => void execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`]);
  limit(3);
  // Another one, as far as the server can see.
  utimesSync(file, 1, 1);
  await expect(remembered.next()).rejects.toThrow(String(CLOSED.unauthorized));
  limit(1024);
  expect(await opens(page, kept)).toBe(true);
});

test('a full disk leaves no half list of hosts or of trust, and the next try writes a whole one', async () => {
  const crew = testCrew();
  crew.preset('processes', 'dev.json', { name: 'dev', argv: ['dev'] });
  const env = { ...crew.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  for (const args of [
    ['hosts', 'add', 'web1', 'ssh://web1'],
    ['crew', 'trust', 'dev'],
  ]) {
    const files = (): string[] =>
      Object.values(crew.env)
        .filter((value) => value.startsWith('/') && existsSync(value))
        .filter((place) => lstatSync(place).isDirectory())
        .flatMap((place) => readdirSync(place, { recursive: true, encoding: 'utf8' }))
        .filter((name) => /\.(json|new|tmp)/.test(name))
        .toSorted();
    const before = files();
    const script = 'trap "" XFSZ; ulimit -f 0; exec "$@"';
    const options = { env: { ...process.env, ...env }, cwd: crew.project, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, CLI, ...args], options);
    expect([status === 0, stderr], args.join(' ')).toEqual([false, expect.stringContaining('EFBIG')]);
    expect(files()).toEqual(before);
    expect(await runCli(args, { env, cwd: crew.project })).toMatchObject({ status: 0, stderr: '' });
  }
});

test('hosts rm, while others are added, is not undone by their lists, and loses none of them', async () => {
  const env = { XDG_CONFIG_HOME: tempDir().path };
  const hosts = async (...args: string[]) => runCli(['hosts', ...args], { env });
  const listed = (): string[] =>
    Object.keys((JSON.parse(readFileSync(`${env.XDG_CONFIG_HOME}/t4a/hosts.json`, 'utf8')) as { hosts: object }).hosts);
  for (let round = 0; round < ROUNDS; round++) {
    await hosts('add', `gone${round}`, 'ssh://gone');
    const others = Array.from({ length: ASKERS }, (_, i) => `other${round}x${i}`);
    const adding = others.map((name) => hosts('add', name, `ssh://${name}`));
    const { status } = await hosts('rm', `gone${round}`);
    expect({ status, isListed: listed().includes(`gone${round}`) }).toEqual({ status: 0, isListed: false });
    for (const { status: added, stderr } of await Promise.all(adding))
      expect({ added, stderr }).toEqual({ added: 0, stderr: '' });
    expect(listed()).toEqual(expect.arrayContaining(others));
    expect(listed()).not.toContain(`gone${round}`);
  }
});

test('the end of trust, while others are trusted, is not undone by their lists', async () => {
  const crew = testCrew();
  const names = Array.from({ length: ASKERS }, (_, i) => `other${i}`);
  for (const name of ['gone', ...names]) crew.preset('processes', `${name}.json`, { name, argv: [name] });
  const trust = (...args: string[]) => runCli(['crew', 'trust', ...args], { env: crew.env, cwd: crew.project });
  for (let round = 0; round < ROUNDS; round++) {
    expect(await trust('gone')).toMatchObject({ status: 0 });
    const granting = names.map((name) => trust(name));
    expect(await trust('--revoke', 'gone')).toMatchObject({ status: 0 });
    expect((await trust()).stdout).not.toContain('gone');
    await Promise.all(granting);
    const { stdout } = await trust();
    expect(stdout).not.toContain('gone');
    for (const name of names) expect(stdout).toContain(name);
  }
});

const withAgent = agentsOfFile();

/** A client whose requests of that name wait for something before they are sent. */
function delayed(client: Client, name: string, before: () => Promise<unknown>): Client {
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const own = value.bind(target) as (...args: unknown[]) => unknown;
      if (key !== 'call') return own;
      return async (...args: unknown[]) => {
        if (args[0] === name) await before();
        return own(...args);
      };
    },
  });
}

test.each(['create', 'restart'])(
  'a %s that a trust has let an agent ask for starts nothing once it is over',
  async (name) => {
    const fake = await spawned(await withAgent());
    fake.preset('processes', 'gone.json', { name: 'gone', argv: ['sleep', '1000'] });
    const trust = (...args: string[]) => runCli(['crew', 'trust', ...args], { env: fake.env, cwd: fake.project });
    expect(await trust('gone')).toMatchObject({ status: 0 });
    const call = callAs(fake, 'fake-1');
    expect(await call('spawn_process', { kind: 'command', preset: 'gone' })).toMatchObject({ process_id: 'gone-1' });
    const { pid } = await fake.client.call('status', { id: 'gone-1' });
    const revoked = async (): Promise<void> => {
      expect(await trust('--revoke', 'gone')).toMatchObject({ status: 0, stderr: '' });
    };
    const late = callAs({ ...fake, client: delayed(fake.client, name, revoked) }, 'fake-1');
    const asked =
      name === 'create'
        ? late('spawn_process', { kind: 'command', preset: 'gone' })
        : late('restart_process', { process_id: 'gone-1' });
    expect(codeOf(await asked)).toBe('file_changed');
    const { terminals } = await fake.client.call('list', {});
    expect(terminals.filter(({ id }) => id.startsWith('gone-'))).toMatchObject([{ id: 'gone-1', pid }]);
    expect(codeOf(await call('spawn_process', { kind: 'command', preset: 'gone' }))).toBe('needs_trust');
  },
);

test('a start on a condition that waits in a stopped daemon does not come once its file says otherwise', async () => {
  const daemon = await startDaemon();
  onTestFinished(() => daemon.stop());
  const dir = tempDir();
  const [allowed, made] = [dir.join('allowed'), dir.join('made')];
  const ask = (if_file: object) => request(daemon, { cmd: 'create', cmd_args: ['touch', made], if_file });
  writeFileSync(allowed, 'one\ntwo\n');
  daemon.process.kill('SIGSTOP');
  const asked = ask({ path: allowed, contains: 'two' });
  writeFileSync(allowed, 'one\n');
  daemon.process.kill('SIGCONT');
  expect(await asked).toMatchObject({ ok: false, code: 'file_changed', field: 'if_file' });
  execFileSync('mkfifo', [dir.join('fifo')]);
  for (const path of [dir.join('none'), dir.path, dir.join('fifo'), 'allowed']) {
    expect(await ask({ path, contains: 'one' }), path).toMatchObject({ ok: false, code: 'file_changed' });
  }
  expect(await ask({ path: allowed })).toMatchObject({ ok: false, code: 'invalid_field' });
  expect((await request(daemon, { cmd: 'list' }))['terminals']).toEqual([]);
  expect(existsSync(made)).toBe(false);
  expect(await ask({ path: allowed, contains: 'one' })).toMatchObject({ ok: true });
});

/** @returns the disk; `fill` leaves no block of it. @param inodes 0 for any number */
function smallDisk(inodes: number): { readonly dir: string; readonly fill: () => void } {
  const dir = tempDir().join('disk');
  mountTmpfs(dir, `size=64k,mode=700,nr_inodes=${inodes}`);
  const fill = (): void => {
    for (const [name, isFull] of [
      ['blocks', () => writeFileSync(`${dir}/blocks`, Buffer.alloc(4096), { flag: 'a' })],
      ['inodes', () => writeFileSync(`${dir}/${Math.random()}`, '')],
    ] as const) {
      if (name === 'inodes' && inodes === 0) continue;
      expect(() => {
        for (;;) isFull();
      }).toThrow('ENOSPC');
    }
  };
  return { dir, fill };
}

itMounts.each([0, 12])('what ends a right needs no room: on a full disk of %i inodes it ends', async (inodes) => {
  const { dir, fill } = smallDisk(inodes);
  const crew = testCrew();
  const env = { ...crew.env, XDG_DATA_HOME: dir, XDG_STATE_HOME: dir, XDG_CONFIG_HOME: dir, XDG_RUNTIME_DIR: dir };
  const t4a = async (...words: string[]) => runCliHere(words, { env, cwd: crew.project });
  const file = `${dir}/t4a/browsers.json`;
  for (const name of ['claude', 'codex']) {
    expect(await t4a('crew', 'trust', name)).toMatchObject({ status: 0 });
    expect(await t4a('hosts', 'add', name, `ssh://${name}.test`)).toMatchObject({ status: 0 });
  }
  const browsers = new RememberedBrowsers(file, 'a:1', systemClock);
  const [one, two] = [browsers.add('one', false), browsers.add('two', false)];
  const known = (): boolean[] => [one, two].map(({ key_id: id }) => browsers.known(id) !== undefined);
  expect(known()).toEqual([true, true]);
  fill();
  // A grant needs room.
  expect(await t4a('crew', 'trust', 'gemini')).toMatchObject({ status: 2, stderr: expect.stringContaining('ENOSPC') });

  expect(await t4a('web', '--forget', 'one')).toMatchObject({ status: 0, stderr: '' });
  expect(known()).toEqual([false, true]);
  expect(readBrowsers(file).map(({ name }) => name)).toEqual(['two']);
  expect(await t4a('crew', 'trust', '--revoke', 'claude')).toMatchObject({ status: 0, stderr: '' });
  expect((await t4a('crew', 'trust', '--list')).stdout).toMatch(/^KIND[^\n]*\nagent +codex +trusted [^\n]*\n$/);
  expect(await t4a('hosts', 'rm', 'claude')).toMatchObject({ status: 0, stderr: '' });
  const hosts = JSON.parse(readFileSync(`${dir}/t4a/hosts.json`, 'utf8')) as { readonly hosts: object };
  expect(Object.keys(hosts.hosts)).toEqual(['codex']);
  // It removes the file, which makes room.
  expect(await t4a('web', '--revoke')).toMatchObject({ status: 0, stdout: 'Remembered browsers forgotten: 1\n' });
  expect([known(), readBrowsers(file)]).toEqual([[false, false], []]);
  expect(readdirSync(`${dir}/t4a`).filter((name) => name.endsWith('.new'))).toEqual([]);
});
