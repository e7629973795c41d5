/** Users of one machine, one after another or at once: the files of one user lock out none of the others. */
import { describe, expect } from 'vitest';
import { NODE, privateMachine, PROJECT, type Ended, type PrivateMachine } from '../support/private-machine.js';
import { casesOf, inTrial } from '../support/trial.js';
import { itAsRoot } from '../support/users.js';

const [ROOT, ALICE, BOB, CAROL] = [0, 12_001, 12_002, 12_003];
const SHARED = '/tmp/t4a.sock';

const ownOf = (uid: number): string => `/tmp/t4a-${uid}/t4a.sock`;
const reply = ({ stdout }: Ended): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

/** Where the user's daemon is, once a terminal has been made in it. */
async function made({ t4a }: PrivateMachine, uid: number): Promise<unknown> {
  expect(await t4a(uid, 'create', 'cat')).toMatchObject({ status: 0, stdout: 't1\n' });
  return reply(await t4a(uid, 'ping', '--json'))['socket'];
}

itAsRoot()(
  'after root, whose log remains, each user gets a daemon, and root gets the shared path again',
  async () => {
    const machine = await privateMachine();
    expect(await made(machine, ROOT)).toBe(SHARED);
    await machine.t4a(ROOT, 'shutdown');
    expect((await machine.run(ROOT, 'stat', ['-c', '%u', `${SHARED}.log`])).stdout).toBe('0\n');
    for (const uid of casesOf([ALICE, BOB], (each) => each === ALICE)) {
      expect(await made(machine, uid)).toBe(ownOf(uid));
      expect(await machine.t4a(uid, 'shutdown')).toMatchObject({ status: 0, stderr: '' });
    }
    expect(await made(machine, ROOT)).toBe(SHARED);
  },
  120_000,
);

inTrial(() => {
  itAsRoot()(
    'users that start simultaneously get one daemon each, one of them at the shared path',
    async () => {
      const machine = await privateMachine();
      const users = [ALICE, BOB, CAROL];
      const created = await Promise.all(users.map((uid) => machine.t4a(uid, 'create', '--name', `of-${uid}`, 'cat')));
      expect(created.map(({ status }) => status)).toEqual([0, 0, 0]);
      const sockets: unknown[] = [];
      for (const uid of users) {
        const { socket } = reply(await machine.t4a(uid, 'ping', '--json'));
        const list = JSON.parse((await machine.t4a(uid, 'list', '--json')).stdout) as { terminals: { id: string }[] };
        expect(list.terminals.map(({ id }) => id)).toEqual([`of-${uid}`]);
        sockets.push(socket === ownOf(uid) ? 'own' : socket);
      }
      expect(sockets.filter((socket) => socket === 'own')).toHaveLength(2);
      expect(sockets).toContain(SHARED);
    },
    120_000,
  );
});

const SQUATS: Readonly<Record<string, string>> = {
  'a link to nowhere': 'ln -s /nowhere "$1"',
  'a link to a file of the other user': 'touch /tmp/theirs; chmod 600 /tmp/theirs; ln -s /tmp/theirs "$1"',
  'a file': 'touch "$1"',
  'a directory': 'mkdir "$1"',
  'a pipe': 'mkfifo "$1"',
};

describe('an object of another user at the shared path stays unchanged, and locks out no user:', () => {
  for (const [what, command] of casesOf(
    Object.entries(SQUATS),
    ([each]) => each === 'a link to a file of the other user',
  )) {
    itAsRoot()(
      what,
      async () => {
        const machine = await privateMachine();
        const paths = [SHARED, `${SHARED}.lock`, `${SHARED}.log`];
        for (const path of paths) {
          await machine.run(ALICE, 'sh', ['-c', 'rm -rf /tmp/t4a.sock* /tmp/theirs']);
          expect((await machine.run(ALICE, 'sh', ['-c', command, 'sh', path])).status).toBe(0);
          const before = (await machine.run(ROOT, 'ls', ['-ln', '--time-style=full-iso', path])).stdout;
          expect(await made(machine, BOB), path).toBe(ownOf(BOB));
          expect((await machine.t4a(BOB, 'shutdown')).status).toBe(0);
          expect((await machine.run(ROOT, 'ls', ['-ln', '--time-style=full-iso', path])).stdout).toBe(before);
        }
      },
      120_000,
    );
  }
});

const PYTHON_CLIENT = `
import t4a
with t4a.connect(t4a_command=("${NODE}", "${PROJECT}/dist/cli.cjs")) as client:
    print(client.socket_path)`;

const HOMES: Readonly<Record<string, readonly string[]>> = {
  'with unreadable files': ['HOME=/tmp/roots'],
  'that does not exist': ['HOME=/tmp/not/there'],
  'that no variable names': ['-u', 'HOME'],
  'with an unreadable configuration': ['XDG_CONFIG_HOME=/tmp/roots/.config'],
};

/** Compiled code is kept in the home again. */
const OWN_CACHE = ['-u', 'XDG_CACHE_HOME'];

describe('a home', () => {
  for (const [which, words] of casesOf(Object.entries(HOMES), ([each]) => each === 'with unreadable files')) {
    itAsRoot()(
      `${which} prevents no client from reaching its daemon`,
      async () => {
        const { run } = await privateMachine();
        const config =
          'mkdir -p -m 700 /tmp/roots; mkdir -p /tmp/roots/.config/t4a; echo broken >/tmp/roots/.config/t4a/config.json';
        await run(ROOT, 'sh', ['-c', config]);
        const t4a = (...args: string[]): Promise<Ended> =>
          run(BOB, 'env', [...OWN_CACHE, ...words, NODE, `${PROJECT}/dist/cli.cjs`, ...args]);
        expect(await t4a('create', 'cat')).toEqual({ status: 0, stdout: 't1\n', stderr: '' });
        expect(await t4a('status', 't1')).toMatchObject({ status: 0, stderr: '' });
        expect((await run(BOB, 'env', [...OWN_CACHE, ...words, 'python3', '-c', PYTHON_CLIENT])).stdout).toBe(
          `${SHARED}\n`,
        );
        const log = (await run(BOB, 'cat', [`${SHARED}.log`])).stdout;
        const refused = '"/tmp/roots/.config/t4a/config.json" may not be read (EACCES), and counts as absent';
        const isRefused = words.some((word) => word.includes('/tmp/roots'));
        if (isRefused) expect(log).toContain(`warn the configuration file ${refused}\n`);
        else expect(log).not.toContain('may not be read');
        const { stdout, status } = await t4a('doctor');
        expect(stdout).toMatch(
          isRefused
            ? /^WARNING +configuration +"\/tmp\/roots\/\.config\/t4a\/config\.json" may not be read/m
            : /^ok +configuration +no file/m,
        );
        expect(status).toBe(0);
      },
      120_000,
    );
  }

  itAsRoot()('with an invalid configuration of the user still causes an error', async () => {
    const { run, t4a } = await privateMachine();
    const folder = `/tmp/home-${BOB}/.config/t4a`;
    await run(BOB, 'sh', ['-c', `mkdir -p ${folder}; echo broken >${folder}/config.json`]);
    expect(await t4a(BOB, 'list')).toMatchObject({ status: 2, stderr: expect.stringContaining('line 1') as string });
  });
});
