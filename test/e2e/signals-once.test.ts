/** Every end of a terminal sends each signal once to each process: a second one means "at once" to many programs. */
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { needs } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { EventStream } from '../support/wait-for.js';

needs('python3');

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/**
 * Notes each signal, and goes on. Its first argument is the folder of its notes; each other is the name of a process that
 * it starts: in its group, or in one of its own.
 */
const COUNTER = `
import os, signal, sys
folder, name, *others = sys.argv[1:]
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP, signal.SIGTERM])
signal.signal(signal.SIGHUP, lambda *_: None)
for other in others:
    if os.fork() == 0:
        if other.startswith('own'): os.setpgid(0, 0)
        name, others = other, []
        break
notes = open(os.path.join(folder, name), 'a', 1)
notes.write('up ')
notes.flush()
while True:
    info = signal.sigwaitinfo([signal.SIGHUP, signal.SIGTERM])
    notes.write(signal.Signals(info.si_signo).name + ' ')
    notes.flush()
`;

/** Of a program with three processes that do not end by themselves. */
function counting() {
  const folder = tempDir().path;
  const cmd_args = ['python3', '-c', COUNTER, folder, 'leader', 'member', 'own-group'];
  return { folder, cmd_args, until: () => untilUp(folder, 3) };
}

async function untilUp(folder: string, count: number): Promise<void> {
  const areUp = (): boolean => Object.values(notes(folder)).filter((text) => text.startsWith('up ')).length === count;
  while (!areUp()) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function untilNoted(folder: string, expected: Record<string, string>): Promise<void> {
  const areNoted = (): boolean => Object.entries(expected).every(([name, text]) => notes(folder)[name] === text);
  while (!areNoted()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const notes = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]));

/** The kernel sends SIGHUP to the rest of the leader's group once the leader ends, which this one does not. */
const EACH_ONCE = { leader: 'up SIGHUP SIGTERM ', member: 'up SIGTERM ', 'own-group': 'up SIGHUP SIGTERM ' };

const ask = (fields: object): ReturnType<typeof request> => request(daemon, fields);
const grace_ms = 200;

const WAYS: Record<string, (id: string, connection: RawConnection) => Promise<unknown>> = {
  kill: (id) => ask({ cmd: 'kill', id, grace_ms }),
  'kill twice at once': (id) => Promise.all([1, 2].map(() => ask({ cmd: 'kill', id, grace_ms }))),
  'kill of a tree': (id) => ask({ cmd: 'kill', id, tree: true, grace_ms }),
  'kill that keeps it': (id) => ask({ cmd: 'kill', id, keep: true, grace_ms }),
  'the end of its connection': async (id, connection) => {
    const events = await EventStream.open(daemon.socketPath, { terminal: id, types: ['removed'] });
    connection.close();
    await events.until('removed');
    events.close();
  },
};

it.each(Object.keys(WAYS))('%s sends each signal once', async (way) => {
  await ask({ cmd: 'config', kill_grace_ms: grace_ms });
  const { folder, cmd_args, until } = counting();
  const connection = new RawConnection(daemon.socketPath);
  onTestFinished(() => connection.close());
  const { header } = await connection.request({ cmd: 'create', cmd_args, tied: true });
  await until();
  await WAYS[way]?.(String(header['id']), connection);
  expect(notes(folder)).toEqual(EACH_ONCE);
});

it.each([undefined, 'SIGTERM'])('restart sends each signal once, by signal %s', async (signal) => {
  const { folder, cmd_args, until } = counting();
  const { id } = await ask({ cmd: 'create', cmd_args });
  await until();
  await ask({ cmd: 'restart', id, grace_ms, ...(signal === undefined ? {} : { signal }) });
  for (const text of Object.values(notes(folder))) {
    const first = text.split('up ')[1] ?? '';
    expect(first.split(' ').filter((each) => each === 'SIGTERM')).toHaveLength(1);
    expect(first.split(' ').filter((each) => each === 'SIGHUP').length).toBeLessThanOrEqual(1);
  }
  await ask({ cmd: 'kill', id, grace_ms: 0 });
});

it('the deadline of a run sends each signal once', async () => {
  await ask({ cmd: 'config', kill_grace_ms: grace_ms });
  const { folder, cmd_args, until } = counting();
  const ran = ask({ cmd: 'run', cmd_args, timeout_ms: 8000 });
  await Promise.race([until(), ran]);
  expect(await ran).toMatchObject({ outcome: 'timeout' });
  expect(notes(folder)).toEqual(EACH_ONCE);
});

it.each(['shutdown', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s of the daemon sends each signal once',
  async (how) => {
    const own = await startDaemon();
    onTestFinished(() => own.stop());
    await request(own, { cmd: 'config', kill_grace_ms: grace_ms });
    const { folder, cmd_args, until } = counting();
    await request(own, { cmd: 'create', cmd_args });
    await until();
    await endBy(own, how);
    expect(notes(folder)).toEqual(EACH_ONCE);
  },
);

async function endBy(own: TestDaemon, how: 'shutdown' | NodeJS.Signals): Promise<void> {
  const exit = once(own.process, 'exit');
  if (how === 'shutdown') await request(own, { cmd: 'shutdown' });
  else own.process.kill(how);
  await exit;
}

it('the end of a run sends each signal once to what it has left in the background', async () => {
  await ask({ cmd: 'config', kill_grace_ms: grace_ms });
  const { folder, until } = counting();
  // The first process of the run is a shell, which ends once all three are up.
  const command = `python3 -c "$COUNTER" "$FOLDER" leader member own-group & while [ ! -e "$FOLDER/go" ]; do sleep 0.05; done`;
  const ran = ask({ cmd: 'run', command, env: { FOLDER: folder, COUNTER } });
  await Promise.race([until(), ran]);
  writeFileSync(join(folder, 'go'), '');
  expect(await ran).toMatchObject({ outcome: 'exited' });
  for (const name of ['leader', 'member', 'own-group']) {
    expect({ name, text: notes(folder)[name] }).toEqual({ name, text: 'up SIGHUP SIGTERM ' });
  }
});

/** Cleans up at the first signal until it is let go, and notes what else has come by then. */
const CLEANER = `
import os, signal, sys, time
folder = sys.argv[1]
signals = [signal.SIGHUP, signal.SIGTERM]
signal.pthread_sigmask(signal.SIG_BLOCK, signals)
notes = open(os.path.join(folder, 'leader'), 'a', 1)
print('up', file=notes, end=' ', flush=True)
print(signal.Signals(signal.sigwait(signals)).name, file=notes, end=' ', flush=True)
while not os.path.exists(os.path.join(folder, 'go')): time.sleep(0.02)
print(*(signal.Signals(each).name for each in signal.sigpending()), 'cleaned', file=notes, end=' ', flush=True)
`;

const PATIENT: Record<string, (own: TestDaemon, id: string) => Promise<unknown>> = {
  kill: (own, id) => request(own, { cmd: 'kill', id }),
  restart: (own, id) => request(own, { cmd: 'restart', id }),
  shutdown: (own) => endBy(own, 'shutdown'),
  SIGTERM: (own) => endBy(own, 'SIGTERM'),
};

it.each(Object.keys(PATIENT))('%s waits for a program that cleans up after the first signal', async (way) => {
  // The folder outlives the daemon: the program that is started again looks there, too, as it is ended.
  const folder = tempDir().path;
  const own = await startDaemon();
  onTestFinished(() => own.stop());
  await request(own, { cmd: 'config', kill_grace_ms: 60_000 });
  const cmd_args = ['python3', '-c', CLEANER, folder];
  const { id } = await request(own, { cmd: 'create', cmd_args });
  await untilUp(folder, 1);
  const ended = PATIENT[way]?.(own, String(id));
  await untilNoted(folder, { leader: 'up SIGHUP ' });
  writeFileSync(join(folder, 'go'), '');
  await ended;
  // The program that is started again notes, too, and ends by the next first signal.
  if (way === 'restart') await untilNoted(folder, { leader: 'up SIGHUP cleaned up ' });
  expect(notes(folder)['leader']?.split('up ')[1]).toBe('SIGHUP cleaned ');
});

it.each([
  ['bash', '--norc'],
  ['dash', '-i'],
  ['fish', '--no-config'],
])('a job of %s gets SIGHUP once: from its shell, or from the kernel as the shell ends: %s', async (...shell) => {
  needs(shell[0]);
  const folder = tempDir().path;
  const { id } = await ask({ cmd: 'create', cmd_args: shell, env: { FOLDER: folder, COUNTER } });
  await ask({ cmd: 'type', id, text: 'python3 -c "$COUNTER" "$FOLDER" job', submit: true });
  await untilUp(folder, 1);
  await ask({ cmd: 'kill', id, grace_ms });
  expect(notes(folder)).toEqual({ job: 'up SIGHUP SIGTERM ' });
});

it.each(['', 'trap "sleep 0.2; exit" HUP; '])(
  'the children of a script get SIGHUP once as it ends: %j',
  async (trap) => {
    const folder = tempDir().path;
    const script = `${trap}python3 -c "$COUNTER" "$FOLDER" one & python3 -c "$COUNTER" "$FOLDER" two & wait`;
    const { id } = await ask({ cmd: 'create', cmd_args: ['sh', '-c', script], env: { FOLDER: folder, COUNTER } });
    await untilUp(folder, 2);
    await ask({ cmd: 'kill', id, grace_ms: 500 });
    expect(notes(folder)).toEqual({ one: 'up SIGHUP SIGTERM ', two: 'up SIGHUP SIGTERM ' });
  },
);

it('kill with a signal sends it once, to the foreground alone', async () => {
  const { folder, cmd_args, until } = counting();
  const { id } = await ask({ cmd: 'create', cmd_args });
  await until();
  await ask({ cmd: 'kill', id, signal: 'SIGTERM' });
  // Signals that are pending together are taken in the order of their numbers.
  await untilNoted(folder, { leader: 'up SIGTERM ', member: 'up SIGTERM ' });
  await ask({ cmd: 'kill', id, grace_ms });
  expect(notes(folder)).toEqual({
    leader: 'up SIGTERM SIGHUP SIGTERM ',
    member: 'up SIGTERM SIGTERM ',
    'own-group': 'up SIGHUP SIGTERM ',
  });
});
