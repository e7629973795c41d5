/** Another user's process in a terminal (sudo and its likes) holds up nobody: not kill, not shutdown, not a signal. */
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { request, type TestDaemon } from '../support/daemon.js';
import { asAnotherUser, itWithForeigners, startPowerlessDaemon } from '../support/foreign.js';
import { isRunning } from '../support/processes.js';
import { tempDir } from '../support/temp-dir.js';
import { EventStream } from '../support/wait-for.js';

/** Each says its pid first, which `exec` keeps. */
const STUBBORN = asAnotherUser('trap "" HUP TERM; echo "pid $$."; exec sleep 1000');
const MEEK = asAnotherUser('echo "pid $$."; exec sleep 1000');

/** A shell of the daemon's own user, in which that one runs. */
function within(words: readonly string[]): string[] {
  return ['sh', '-c', '"$@"; true', 'sh', ...words];
}

async function daemonOf(): Promise<TestDaemon> {
  const daemon = await startPowerlessDaemon(tempDir());
  onTestFinished(() => daemon.stop());
  return daemon;
}

async function create(daemon: TestDaemon, words: readonly string[]): Promise<{ id: unknown; foreign: number }> {
  const wait = { until: { regex: 'pid \\d+\\.' } };
  const { id } = await request(daemon, { cmd: 'create', cmd_args: words, wait });
  // What asks stty for this lives on: it must not keep the terminal open, which would keep the kernel from hanging up.
  await request(daemon, { cmd: 'debug', id });
  const { lines } = await request(daemon, { cmd: 'text', id });
  const foreign = Number(/pid (\d+)\./.exec(String(lines))?.[1]);
  onTestFinished(() => void (isRunning(foreign) && process.kill(foreign, 'SIGKILL')));
  return { id, foreign };
}

itWithForeigners.each([
  ['in a shell', within(STUBBORN)],
  ['in the place of a shell', STUBBORN],
])('kill removes the terminal of one that lives on %s, and names it', async (_place, words) => {
  const daemon = await daemonOf();
  const { id, foreign } = await create(daemon, words);
  const events = await EventStream.open(daemon.socketPath);
  expect(await request(daemon, { cmd: 'kill', id })).toEqual({ ok: true, survivors: [foreign] });
  expect(await events.until('removed')).toMatchObject({ terminal: id });
  events.close();
  expect(isRunning(foreign)).toBe(true);
  expect(daemon.log()).toContain(`terminal ${String(id)}: processes ${foreign} could not be ended`);
  expect(await request(daemon, { cmd: 'list' })).toMatchObject({ terminals: [] });
  expect(await request(daemon, { cmd: 'create', cmd_args: ['cat'] })).toMatchObject({ ok: true });
});

itWithForeigners.each([
  ['in a shell', within(MEEK)],
  ['in the place of a shell', MEEK],
])('the hang-up ends one that heeds it %s: exit and removed are told, and no survivor', async (_place, words) => {
  const daemon = await daemonOf();
  const { id, foreign } = await create(daemon, words);
  const events = await EventStream.open(daemon.socketPath, { types: ['exit', 'removed'] });
  expect(await request(daemon, { cmd: 'kill', id })).toEqual({ ok: true });
  expect(isRunning(foreign)).toBe(false);
  expect(await events.next()).toMatchObject({ event: 'exit', terminal: id, signal: 'SIGHUP' });
  expect(await events.next()).toMatchObject({ event: 'removed', terminal: id });
  events.close();
});

itWithForeigners('shutdown ends the daemon and names who is left', async () => {
  const daemon = await daemonOf();
  const { foreign } = await create(daemon, within(STUBBORN));
  const { foreign: leader } = await create(daemon, STUBBORN);
  const exit = once(daemon.process, 'exit');
  const { survivors } = await request(daemon, { cmd: 'shutdown' });
  expect(new Set(survivors as number[])).toEqual(new Set([foreign, leader]));
  expect(await exit).toEqual([0, null]);
});

itWithForeigners.each(['SIGTERM', 'SIGINT'] as const)('%s ends the daemon', async (signal) => {
  const daemon = await daemonOf();
  const { foreign } = await create(daemon, within(STUBBORN));
  await create(daemon, STUBBORN);
  const exit = once(daemon.process, 'exit');
  daemon.process.kill(signal);
  expect(await exit).toEqual([0, null]);
  expect(daemon.log()).toContain(`processes ${foreign} could not be ended`);
  expect(daemon.log()).not.toContain('error');
});

itWithForeigners('a signal of the caller is refused by name, and keys get through', async () => {
  const daemon = await daemonOf();
  const { id, foreign } = await create(daemon, MEEK);
  expect(await request(daemon, { cmd: 'kill', id, signal: 'INT' })).toMatchObject({ code: 'not_permitted' });
  await request(daemon, { cmd: 'press', id, keys: ['ctrl+c'], wait: { until: { exit: true } } });
  expect(isRunning(foreign)).toBe(false);
});
