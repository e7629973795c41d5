/** Processes of another user in a terminal (as with sudo) delay neither kill, shutdown nor a signal to the daemon. */
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { LIKELY_READ_MS } from '../../src/terminal/lasting-read.js';
import { request, type TestDaemon } from '../support/daemon.js';
import { asAnotherUser, itWithForeigners, startBlindDaemon, startPowerlessDaemon } from '../support/foreign.js';
import { isRunning } from '../support/processes.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';
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

type Place = readonly [place: string, words: readonly string[]];
const isInShell = ([place]: Place): boolean => place === 'inside a shell';

const STUBBORN_PLACES: readonly Place[] = [
  ['inside a shell', within(STUBBORN)],
  ['in place of a shell', STUBBORN],
];
itWithForeigners.each(casesOf(STUBBORN_PLACES, isInShell))(
  'kill removes the terminal of a process that survives %s, and reports its pid',
  async (_place, words) => {
    const daemon = await daemonOf();
    const { id, foreign } = await create(daemon, words);
    const events = await EventStream.open(daemon.socketPath);
    expect(await request(daemon, { cmd: 'kill', id })).toMatchObject({ ok: true, survivors: [foreign] });
    expect(await events.until('removed')).toMatchObject({ terminal: id });
    events.close();
    expect(isRunning(foreign)).toBe(true);
    expect(daemon.log()).toContain(`terminal ${String(id)}: processes ${foreign} could not be ended`);
    expect(await request(daemon, { cmd: 'list' })).toMatchObject({ terminals: [] });
    expect(await request(daemon, { cmd: 'create', cmd_args: ['cat'] })).toMatchObject({ ok: true });
  },
);

const MEEK_PLACES: readonly Place[] = [
  ['inside a shell', within(MEEK)],
  ['in place of a shell', MEEK],
];
itWithForeigners.each(casesOf(MEEK_PLACES, isInShell))(
  'kill ends a process that obeys the hang-up %s, and reports no survivors',
  async (_place, words) => {
    const daemon = await daemonOf();
    const { id, foreign } = await create(daemon, words);
    const events = await EventStream.open(daemon.socketPath, { types: ['exit', 'removed'] });
    const killed = await request(daemon, { cmd: 'kill', id });
    expect(killed).toMatchObject({ ok: true });
    expect(killed).not.toHaveProperty('survivors');
    expect(isRunning(foreign)).toBe(false);
    expect(await events.next()).toMatchObject({ event: 'exit', terminal: id, signal: 'SIGHUP' });
    expect(await events.next()).toMatchObject({ event: 'removed', terminal: id });
    events.close();
  },
);

itWithForeigners('shutdown ends the daemon and reports surviving processes', async () => {
  const daemon = await daemonOf();
  const { foreign } = await create(daemon, within(STUBBORN));
  const { foreign: leader } = await create(daemon, STUBBORN);
  const exit = once(daemon.process, 'exit');
  const { survivors } = await request(daemon, { cmd: 'shutdown' });
  expect(new Set(survivors as number[])).toEqual(new Set([foreign, leader]));
  expect(await exit).toEqual([0, null]);
});

itWithForeigners.each(casesOf(['SIGTERM', 'SIGINT'] as const, (signal) => signal === 'SIGTERM'))(
  '%s ends the daemon',
  async (signal) => {
    const daemon = await daemonOf();
    const { foreign } = await create(daemon, within(STUBBORN));
    await create(daemon, STUBBORN);
    const exit = once(daemon.process, 'exit');
    daemon.process.kill(signal);
    expect(await exit).toEqual([0, null]);
    expect(daemon.log()).toContain(`processes ${foreign} could not be ended`);
    expect(daemon.log()).not.toContain('error');
  },
);

itWithForeigners('kill with a signal is refused with not_permitted, and keys reach the process', async () => {
  const daemon = await daemonOf();
  const { id, foreign } = await create(daemon, MEEK);
  expect(await request(daemon, { cmd: 'kill', id, signal: 'INT' })).toMatchObject({ code: 'not_permitted' });
  await request(daemon, { cmd: 'press', id, keys: ['ctrl+c'], wait: { until: { exit: true } } });
  expect(isRunning(foreign)).toBe(false);
});

itWithForeigners('a run whose process may not be inspected goes on until its deadline, though it asks', async () => {
  const daemon = await startBlindDaemon(tempDir());
  onTestFinished(() => daemon.stop());
  const asks = asAnotherUser('printf "name? "; read x');
  const run = { cmd: 'run', cmd_args: asks, timeout_ms: LIKELY_READ_MS + 2000, keep: false };
  expect(await request(daemon, run)).toMatchObject({ outcome: 'timeout', lines: ['name?'] });
});
