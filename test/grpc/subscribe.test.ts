/** The stream of vtr's API. */
import { status as Status } from '@grpc/grpc-js';
import { expect, onTestFinished, test } from 'vitest';
import { sessionExitCode } from '../../src/grpc/session.js';
import { useCommandLine } from '../support/cli-daemon.js';
import { request, startDaemon } from '../support/daemon.js';
import { type Message, vtr } from '../support/grpc.js';
import { ofFile } from '../support/of-file.js';

const cli = useCommandLine();

const serve = ofFile((atEnd) => vtr(cli.daemon.socketPath, [], atEnd));

const lineOf = (screen: Message, row: number): string =>
  (screen['screen_rows'][row].cells as Message[])
    .map((cell) => cell['char'] as string)
    .join('')
    .trimEnd();

async function all(stream: AsyncIterable<Message>): Promise<Message[]> {
  const events: Message[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

test('a full screen comes first, the last screen before the end, and the end once', async () => {
  const { call, subscribe } = await serve();
  await call('Spawn', { name: 'a', command: 'echo begun; read x; seq 1 2000; echo last words; exit 3' });
  await cli.output(['wait', 'a', '--text', 'begun']);
  const stream = subscribe({ name: 'a', include_screen_updates: true });
  const events: Message[] = [];
  for await (const event of stream) {
    if (events.push(event) === 1) await call('SendText', { name: 'a', text: '\n' });
  }
  expect(lineOf(events[0]?.['screen_update'].screen, 0)).toBe('begun');
  expect(events.slice(0, -1).every(({ event }) => event === 'screen_update')).toBe(true);
  expect(lineOf(events.at(-2)?.['screen_update'].screen, 22)).toBe('last words');
  expect(events.at(-1)).toMatchObject({ event: 'session_exited', session_exited: { exit_code: 3 } });
});

test('raw output alone begins with a screen, too, and has every byte after it', async () => {
  const { call, subscribe } = await serve();
  await call('Spawn', {
    name: 'b',
    command: String.raw`stty -echo; echo begun; read x; seq 1 5000; printf '\033[31mred'`,
  });
  await cli.output(['wait', 'b', '--text', 'begun']);
  const stream = subscribe({ name: 'b', include_raw_output: true });
  const events: Message[] = [];
  let typed: Promise<Message> | undefined;
  // What is printed before the first screen is on it.
  for await (const event of stream) if (events.push(event) === 1) typed = call('SendText', { name: 'b', text: '\n' });
  await typed;
  const [first, ...rest] = events;
  expect(first).toMatchObject({ event: 'screen_update' });
  const raw = Buffer.concat(rest.slice(0, -1).map((event) => event['raw_output'] as Buffer)).toString();
  const numbers = Array.from({ length: 5000 }, (_none, i) => `${i + 1}\r\n`).join('');
  expect(raw.endsWith(`${numbers}\u001b[31mred`)).toBe(true);
  expect(rest.at(-1)).toMatchObject({ event: 'session_exited', session_exited: { exit_code: 0 } });
});

test('of a session that has ended: its screen, then the end', async () => {
  const { subscribe } = await serve();
  const name = await cli.printed('over');
  const events = await all(subscribe({ name, include_screen_updates: true, include_raw_output: true }));
  expect(events.map(({ event }) => event as string)).toEqual(['screen_update', 'session_exited']);
});

test('of a session that is removed: the end, with its code', async () => {
  const { call, subscribe } = await serve();
  await call('Spawn', { name: 'c', command: 'exec cat' });
  const stream = subscribe({ name: 'c', include_screen_updates: true });
  const events: Message[] = [];
  let removed: Promise<Message> | undefined;
  for await (const event of stream) {
    if (events.push(event) === 1) removed = call('Remove', { name: 'c' });
  }
  await removed;
  expect(events.at(-1)).toMatchObject({ session_exited: { exit_code: 143 } });
});

test.each([
  [{ name: 'c' }, Status.INVALID_ARGUMENT],
  [{ name: 'missing', include_raw_output: true }, Status.NOT_FOUND],
])('%o is refused', async (request, code) => {
  const { subscribe } = await serve();
  await expect(all(subscribe(request))).rejects.toMatchObject({ code });
});

test('a caller that cancels leaves no watcher behind', async () => {
  const { call, subscribe } = await serve();
  await call('Spawn', { name: 'd', command: 'exec cat' });
  const stream = subscribe({ name: 'd', include_screen_updates: true, include_raw_output: true });
  for await (const event of stream) {
    expect(event).toMatchObject({ event: 'screen_update' });
    break;
  }
  stream.cancel();
  for (;;) {
    const { watchers } = await cli.reply(['status', 'd']);
    if (watchers === 0) break;
  }
});

test('"@" is no session to be followed', async () => {
  const { call, subscribe } = await serve();
  await call('Spawn', { name: 'other', command: 'exec cat' });
  await expect(all(subscribe({ name: '@', include_screen_updates: true }))).rejects.toMatchObject({
    code: Status.NOT_FOUND,
  });
  await call('Remove', { name: 'other' });
});

test.each(['include_screen_updates', 'include_raw_output'])(
  '%s ends with UNAVAILABLE when the daemon is killed',
  async (what) => {
    const daemon = await startDaemon();
    onTestFinished(() => daemon.stop());
    const { call, subscribe } = await vtr(daemon.socketPath);
    await call('Spawn', { name: 'lost', command: 'exec cat' });
    const read = async (): Promise<void> => {
      for await (const _ of subscribe({ name: 'lost', [what]: true })) daemon.process.kill('SIGKILL');
    };
    await expect(read()).rejects.toMatchObject({ code: Status.UNAVAILABLE });
  },
);

test('of a session whose daemon shuts down: how its program was ended, or UNAVAILABLE', async () => {
  const daemon = await startDaemon();
  onTestFinished(() => daemon.stop());
  const { call, subscribe } = await vtr(daemon.socketPath);
  await call('Spawn', { name: 'ended', command: 'exec cat' });
  const events: Message[] = [];
  const read = async (): Promise<unknown> => {
    for await (const event of subscribe({ name: 'ended', include_screen_updates: true }))
      if (events.push(event) === 1) void request(daemon, { cmd: 'shutdown' });
    return events.at(-1)?.['event'];
  };
  const ended = await read().catch((error: unknown) => (error as { code: unknown }).code);
  expect(['session_exited', Status.UNAVAILABLE]).toContain(ended);
});

test('an exit code that is not known is no success', () => {
  expect(sessionExitCode({ exit_code: null, signal: null })).toBe(-1);
  expect(sessionExitCode({ exit_code: 0, signal: null })).toBe(0);
  expect(sessionExitCode({ exit_code: null, signal: 'SIGHUP' })).toBe(129);
});
