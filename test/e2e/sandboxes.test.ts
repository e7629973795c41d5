/**
 * The built program in sandboxes: what a sandbox prevents fails with the reason in one sentence, all else works, and
 * the doctor completes in each.
 */
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join as joined } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ROOT } from '../support/consumer.js';
import { builtDaemonEntry } from '../support/daemon.js';
import { startOwnDaemon } from '../support/own-daemon.js';
import {
  bubblewrap,
  findingsOf,
  itIn,
  limited,
  problemsOf,
  runIn,
  type Sandbox,
  scriptIn,
  t4aIn,
  withoutSockets,
} from '../support/sandboxes.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf, inTrial } from '../support/trial.js';
import { isRoot, itAsRoot } from '../support/users.js';

/** Of a doctor that has found all well: what it has tried. */
const TRIED = ['start', 'terminal', 'fonts', 'waiting', 'shell'];

const wellOf = (found: ReturnType<typeof findingsOf>): string[] =>
  TRIED.filter((check) => found[check]?.state === 'ok');

const NOWHERE = bubblewrap();

itIn(NOWHERE)(
  'if only the working directory is writable, a command and the doctor report it with a hint that works',
  async () => {
    const { path } = tempDir();
    const sandbox = bubblewrap('--bind', path, path, '--chdir', path);
    const refused = await t4aIn(sandbox, ['create', 'cat']);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /^t4a: There is no place for the socket: "\/tmp\/t4a\.sock" cannot be used: its directory is on a read-only file system; .*\n {2}hint: .*export T4A_SOCKET="\$PWD\/t4a\.sock"\n$/,
    );
    const examined = await t4aIn(sandbox, ['doctor', '--json']);
    expect(examined.status).toBe(1);
    expect(problemsOf(examined)).toEqual({
      place: {
        state: 'failure',
        says: expect.stringContaining('There is no place for the socket: "/tmp/t4a.sock"') as string,
        advice: expect.stringContaining('export T4A_SOCKET="$PWD/t4a.sock"') as string,
      },
    });
    expect(wellOf(findingsOf(examined))).toEqual(TRIED);
    // What the hint says helps.
    const followed = await scriptIn(
      sandbox,
      'export T4A_SOCKET="$PWD/t4a.sock"; t4a doctor --json; t4a run -- echo here; t4a shutdown',
    );
    const [report = '', ran] = followed.stdout.split('\n');
    expect(problemsOf({ ...followed, stdout: report })).toEqual({});
    expect([ran, followed.stderr]).toEqual(['here', '']);
  },
);

inTrial(() => {
  itIn(NOWHERE)('the socket is made in the runtime directory of the user if /tmp is read-only', async () => {
    const { path } = tempDir();
    const sandbox = bubblewrap('--bind', path, path);
    const { stdout, stderr } = await scriptIn(sandbox, 't4a run -- echo here; t4a doctor --json; t4a shutdown', {
      env: { XDG_RUNTIME_DIR: path },
    });
    const [ran, report = ''] = stdout.split('\n');
    expect([ran, stderr]).toEqual([
      'here',
      `t4a: The daemon is on "${path}/t4a.sock": The socket path "/tmp/t4a.sock" cannot be used: its directory is on a read-only file system.\n`,
    ]);
    expect(problemsOf({ status: 0, stdout: report, stderr: '' })).toEqual({});
  });
});

itIn(NOWHERE)('if nothing is writable, the doctor names each directory that it has tried', async () => {
  const examined = await t4aIn(NOWHERE, ['doctor', '--json'], { cwd: '/usr' });
  expect(examined.status).toBe(1);
  expect(problemsOf(examined)).toMatchObject({
    place: { state: 'failure' },
    start: { says: 'No directory takes a socket: /tmp (read-only file system), /usr (read-only file system).' },
  });
});

/** The checkout is bound again: it may lie below the hidden /tmp. */
const OWN_TMP = ['--tmpfs', '/tmp', '--ro-bind', ROOT, ROOT];
const OWN = bubblewrap('--unshare-all', ...OWN_TMP, '--hostname', 'sandbox', '--chdir', '/tmp');

itIn(OWN)('with separate namespaces and a separate /tmp, the doctor finds no problem', async () => {
  const examined = await scriptIn(OWN, 't4a doctor --json');
  expect([examined.status, problemsOf(examined)]).toEqual([0, {}]);
});

const AS_USER = ['setpriv', '--reuid=12345', '--regid=12345', '--clear-groups'] as const;
/** Root maps itself to itself, so that nothing changes. */
const USER_NAMESPACE: Sandbox = isRoot ? [...AS_USER, 'unshare', '-Ur'] : ['unshare', '-Ur'];

inTrial(() => {
  itIn(USER_NAMESPACE)(
    'in a user namespace where /tmp belongs to an unknown user, commands and the doctor work',
    async () => {
      const socketPath = `/tmp/t4a-test-${process.pid}.sock`;
      onTestFinished(() => rmSync(`${socketPath}.log`, { force: true }));
      const { stdout, stderr } = await scriptIn(
        USER_NAMESPACE,
        `export T4A_SOCKET=${socketPath}; t4a doctor --json; t4a run -- echo here; t4a doctor --json; t4a shutdown`,
        { env: { HOME: '/usr' } },
      );
      const [before = '', ran, beside = ''] = stdout.split('\n');
      expect([ran, stderr]).toEqual(['here', '']);
      for (const report of [before, beside]) {
        const ended = { status: 0, stdout: report, stderr: '' };
        expect(problemsOf(ended)).toEqual({});
        expect(findingsOf(ended)['directory']?.says).toBe('/tmp belongs to uid 65534, mode 1777');
      }
    },
  );
});

/** Connects, and prints why it cannot. */
function pythonClient(socketPath: string): string[] {
  const code = `
import sys
sys.path.insert(0, sys.argv[1])
import t4a
try:
    t4a.connect(socket_path=sys.argv[2])
except t4a.T4aError as error:
    print(f"{error.code}: {error.message}")`;
  return ['python3', '-c', code, joined(ROOT, 'clients/python'), socketPath];
}

/** In there the caller is 65534 as everybody is. */
const KNOWS_NOBODY: Sandbox = [...AS_USER, 'unshare', '-U'];

(isRoot ? itIn(KNOWS_NOBODY) : itAsRoot())(
  'in a namespace that shows all users as one, clients find the own daemon and refuse that of another user',
  async () => {
    const { path, join, socketPath } = tempDir();
    chmodSync(path, 0o1777);
    const script = `t4a run -- echo here; t4a doctor --json; t4a list --json; t4a shutdown`;
    const own = await scriptIn(KNOWS_NOBODY, script, { env: { HOME: '/usr', T4A_SOCKET: socketPath } });
    const [ran, report = '', list] = own.stdout.split('\n');
    expect([ran, list, own.stderr]).toEqual(['here', '{"ok":true,"terminals":[]}', '']);
    expect(problemsOf({ status: 0, stdout: report, stderr: '' })).toEqual({});

    const strangers = join('theirs');
    const server = createServer((socket) => socket.end('a password is read here')).listen(strangers);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    chmodSync(strangers, 0o777);
    chownSync(strangers, 12_346, 12_346);
    const inside = { env: { HOME: '/usr' } };
    const refused = await t4aIn(KNOWS_NOBODY, ['--socket', strangers, 'list'], inside);
    expect(refused.stderr).toContain(`"${strangers}" belongs to another user (uid 65534).`);
    const ofPython = await runIn(KNOWS_NOBODY, pythonClient(strangers), inside);
    expect(ofPython.stdout).toBe(`socket_owner: '${strangers}' belongs to another user (uid 65534).\n`);
  },
);

const REFUSES = 'a sandbox refuses Unix sockets here';
const SANDBOX_HINT = 'Allow Unix sockets (AF_UNIX) in the settings of the sandbox, or use t4a outside of it.';
const ERRNOS = { EPERM: 1, EACCES: 13, ENOSYS: 38, EAFNOSUPPORT: 97 };

itIn(withoutSockets(1))(
  'if a sandbox refuses Unix sockets with any error, commands report it as the reason',
  async () => {
    const { socketPath } = tempDir();
    for (const [name, errno] of casesOf(Object.entries(ERRNOS), ([each]) => each === 'EPERM')) {
      for (const calls of ['socket', 'socket,socketpair'] as const) {
        const ended = await t4aIn(withoutSockets(errno, calls), ['--socket', socketPath, 'create', 'cat']);
        expect(ended, `${name} of ${calls}`).toEqual({
          status: 1,
          stdout: '',
          stderr: `t4a: No daemon can be started or reached: ${REFUSES} (${name}).\n  hint: ${SANDBOX_HINT}\n`,
        });
      }
    }
    const inForeground = await t4aIn(withoutSockets(1), ['--socket', socketPath, 'daemon']);
    expect(inForeground.stderr).toBe(`t4a daemon: No daemon can be started or reached: ${REFUSES} (EPERM).\n`);
  },
);

inTrial(() => {
  itIn(withoutSockets(1))('if a sandbox refuses Unix sockets, the doctor reports it once', async () => {
    const { socketPath } = tempDir();
    const examined = await t4aIn(withoutSockets(1), ['--socket', socketPath, 'doctor', '--json']);
    expect(examined.status).toBe(1);
    expect(problemsOf(examined)).toEqual({
      start: {
        state: 'failure',
        says: `No daemon can be started or reached: ${REFUSES} (EPERM).`,
        advice: SANDBOX_HINT,
      },
    });
    const told = await t4aIn(withoutSockets(1), ['--socket', socketPath, 'doctor']);
    expect(told.stdout.split('\n').filter((line) => /^(FAILURE|WARNING)/.test(line))).toHaveLength(1);
  });
});

itIn(withoutSockets(1))(
  'if a sandbox refuses Unix sockets, a daemon outside is reported as unreachable for that reason',
  async () => {
    const { socketPath, path } = tempDir();
    await startOwnDaemon(builtDaemonEntry, socketPath, { env: { PATH: process.env['PATH'], HOME: path } });
    const ended = await t4aIn(withoutSockets(1), ['--socket', socketPath, 'list']);
    expect(ended).toMatchObject({ status: 1, stderr: expect.stringContaining(`${REFUSES} (EPERM)`) as string });
    const ofPython = await runIn(withoutSockets(1), pythonClient(socketPath), { env: { HOME: path } });
    expect(ofPython.stdout).toBe(`daemon_unreachable: No daemon can be started or reached: ${REFUSES} (EPERM).\n`);
  },
);

itIn(withoutSockets(0))(
  'a daemon that the sandbox kills for a socket is reported with the sandbox as the reason',
  async () => {
    const { path, socketPath } = tempDir();
    // Without a home the C library asks nscd for one, over a Unix socket.
    const ended = await t4aIn(withoutSockets(0), ['--socket', socketPath, 'create', 'cat'], { env: { HOME: path } });
    expect(ended).toEqual({
      status: 1,
      stdout: '',
      stderr:
        `t4a: No daemon could be reached on "${socketPath}": a sandbox (seccomp) killed it at start-up with SIGSYS.\n` +
        `  hint: ${SANDBOX_HINT}\n`,
    });
  },
);

const WITHOUT_PROC: Sandbox = ['bwrap', '--die-with-parent', '--bind', '/', '/', '--dev', '/dev', '--tmpfs', '/proc'];

itIn(WITHOUT_PROC)('without /proc commands work, except that a wait for input is refused with the reason', async () => {
  const { socketPath, path } = tempDir();
  const script = `export T4A_SOCKET=${socketPath}
    t4a doctor --json; t4a run -- echo here
    t4a create --name sh sh >/dev/null; t4a wait sh --input --timeout-ms 1000
    t4a debug sh --json; t4a list --json; t4a stats --json; t4a shutdown`;
  const { stdout, stderr } = await scriptIn(WITHOUT_PROC, script, { env: { HOME: path } });
  const [report = '', ran, debug = '', list = '', stats = ''] = stdout.split('\n');
  const without = 'This system does not report what a program waits for: it has no /proc for that.';
  expect(problemsOf({ status: 0, stdout: report, stderr: '' })).toEqual({
    waiting: { state: 'warning', says: without, advice: expect.stringContaining('mount /proc') as string },
  });
  expect(ran).toBe('here');
  expect(stderr).toBe(`t4a: ${without}\n  hint: Wait for --settled-ms or for the --text of the prompt.\n`);
  expect(JSON.parse(debug)).toMatchObject({ ok: true, foreground: null });
  expect(JSON.parse(list)).toMatchObject({ terminals: [{ id: 'sh', alive: true, foreground: null }] });
  expect(JSON.parse(stats)).toMatchObject({ memory: { pressure: 'none' } });
});

const WITHOUT_PTMX = bubblewrap('--tmpfs', '/dev', '--dev-bind', '/dev/null', '/dev/null');

itIn(WITHOUT_PTMX)('without pseudoterminals the doctor reports failures of pseudoterminals and terminal', async () => {
  const { path, socketPath } = tempDir();
  const sandbox: Sandbox = [...WITHOUT_PTMX, '--bind', path, path, '--chdir', path];
  const examined = await t4aIn(sandbox, ['--socket', socketPath, 'doctor', '--json']);
  expect(examined.status).toBe(1);
  expect(problemsOf(examined)).toMatchObject({
    pseudoterminals: { state: 'failure', says: '/dev/ptmx cannot be opened', advice: expect.any(String) as string },
    terminal: {
      state: 'failure',
      says: expect.stringMatching(/^The system refused to start the program: \S/) as string,
    },
  });
});

itIn(bubblewrap('--tmpfs', '/dev'))(
  'with an empty /dev a command reports what is missing, and the option of bwrap that adds it',
  async () => {
    const { path, socketPath } = tempDir();
    const sandbox = bubblewrap('--tmpfs', '/dev', '--bind', path, path);
    const { stderr } = await t4aIn(sandbox, ['--socket', socketPath, 'create', 'cat']);
    expect(stderr).toContain('the system does not start it, since Node or /dev/null is not there (ENOENT).');
    expect(stderr).toContain('bwrap --dev /dev');
  },
);

inTrial(() => {
  itIn(limited('-n', '32'))(
    'with few file descriptors, terminals are refused in time and the daemon continues',
    async () => {
      const { socketPath, path } = tempDir();
      const inside = { env: { T4A_SOCKET: socketPath, HOME: path } };
      const few = await scriptIn(limited('-n', '30'), 't4a create cat; t4a list --json; t4a shutdown', inside);
      expect(few.stderr).toMatch(
        /^t4a: The daemon may open \d+ more files: a terminal needs up to 14\.\n {2}hint: .*ulimit -n/,
      );
      expect(few.stdout).toBe('{"ok":true,"terminals":[]}\n');
      const more = await scriptIn(
        limited('-n', '48'),
        'while t4a create sh; do :; done; t4a list --json | tr , "\\n" | grep -c \'"id"\'; t4a run --id t1 -- echo here; t4a shutdown',
        inside,
      );
      const lines = more.stdout.trim().split('\n');
      const created = lines.filter((line) => /^t\d+$/.test(line)).length;
      expect(created).toBeGreaterThan(1);
      expect(lines.slice(created)).toEqual([String(created), 'here']);
      const none = await scriptIn(limited('-n', '20'), 't4a create cat', inside);
      expect(none.stderr).toContain('the system does not start it, since too many files are open (EMFILE).');
    },
  );
});

const homes = [
  ['no HOME', {}, ['-u', 'HOME']],
  ['a missing HOME', { HOME: '/run/nowhere' }, []],
  ['an empty HOME', { HOME: '' }, []],
  ['a read-only HOME', { HOME: '/usr' }, []],
] as const;
for (const [what, env, without] of casesOf(homes, ([each]) => each === 'no HOME')) {
  const sandbox: Sandbox = isRoot ? [...AS_USER, 'env', ...without] : ['env', ...without];
  itIn(sandbox)(`for a user with ${what}, no SHELL and no account entry, the doctor finds no problem`, async () => {
    const { path, join } = tempDir();
    mkdirSync(join('own'));
    chmodSync(path, 0o755);
    chmodSync(join('own'), 0o1777);
    // The home in the list of users may be one that may not be read.
    const inside = { env: { XDG_CONFIG_HOME: path, ...env } };
    const examined = await t4aIn(sandbox, ['--socket', join('own', 's'), 'doctor', '--json'], inside);
    expect(problemsOf(examined)).toEqual({});
    expect(wellOf(findingsOf(examined))).toEqual(TRIED);
  });
}
