/** The class that programs write against, on the built daemon. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { attach, launch, succeeded, T4aError, WaitFailure, type Terminal } from '../../src/client/index.js';
import { builtDaemonEntry } from '../support/daemon.js';
import { clientOfFilesDaemon, launchInFile, launchOnOwnDaemon } from '../support/launch.js';
import { tempDir } from '../support/temp-dir.js';

const PNG = [0x89, 0x50, 0x4e, 0x47];

/** Says what it reads, in capitals, until "bye". */
const SHOUT = 'while read -r line; do [ "$line" = bye ] && exit 7; printf "%s\\n" "$line" | tr a-z A-Z; done';

const SHOUTING = { command: `echo ready; ${SHOUT}` };

function shouting(): Promise<Terminal> {
  return launchInFile(SHOUTING);
}

test('a shell runs command after command, and stays', async () => {
  const shell = await launchInFile({ cmd_args: ['sh'], shell_integration: false });
  await expect(shell.run('true')).rejects.toMatchObject({ code: 'no_shell_prompt' });
  await shell.close();
  const told = await launchInFile({ cmd_args: ['sh'], env: { HOME: '/dev/null' } });
  expect(await told.run('cd /; NAME=you')).toMatchObject({ outcome: 'done', exit_code: 0, cwd: '/' });
  const reply = await told.run('echo "hello $NAME"; false', { screenshot: true, timeout_ms: 20_000 });
  expect(reply).toMatchObject({ outcome: 'done', exit_code: 1, lines: ['hello you'] });
  expect(Array.from(reply.bytes?.subarray(0, 4) ?? [])).toEqual(PNG);
  expect(await told.run(['printf', '%s|', '$NAME', "it's"])).toMatchObject({ lines: ["$NAME|it's|"] });
});

test('a command succeeded with the exit code 0 alone: a code that no shell reports is no success', async () => {
  const told = await launchInFile({ cmd_args: ['sh'], env: { HOME: '/dev/null' } });
  const waits = { fresh: true, timeout_ms: 20_000 };
  expect(succeeded(await told.run('true'))).toBe(true);
  expect(await told.waitForDone()).toEqual({ exit_code: 0, signal: null, command: 'true', succeeded: true });
  expect(succeeded(await told.run('(exit 3)'))).toBe(false);
  expect(await told.waitForDone()).toMatchObject({ exit_code: 3, succeeded: false });
  const untold = await launchInFile({ cmd_args: ['sh'], shell_integration: false, env: { PS1: '$ ' } });
  await untold.waitForText('$ ');
  const { wait } = await untold.type('true', { submit: true, wait: { until: { done: true }, ...waits } });
  expect(wait).toMatchObject({ outcome: 'matched', exit_code: null });
  expect(succeeded(wait ?? {})).toBeNull();
  expect(await untold.waitForDone()).toMatchObject({ exit_code: null, succeeded: null });
});

test('how something ended is true or false only where it is known', () => {
  expect(succeeded({ exit_code: null, signal: 'SIGTERM' })).toBe(false);
  expect(succeeded({ exit_code: 0, signal: null })).toBe(true);
  expect(succeeded({ exit_code: 1 })).toBe(false);
  expect(succeeded({ exit_code: null, signal: null })).toBeNull();
  expect(succeeded({})).toBeNull();
});

describe('launch', () => {
  test('starts a daemon, a program in it, and a connection of its own, which closing ends', async () => {
    const { socketPath } = tempDir();
    const terminal = await launch({ socketPath, daemonEntry: builtDaemonEntry, command: 'echo up; sleep 60' });
    await terminal.waitForText('up');
    const { client } = terminal;
    expect((await client.call('list')).terminals.map(({ id }) => id)).toEqual([terminal.id]);
    const other = await attach(terminal.id, { socketPath });
    await terminal.close();
    expect(client.isClosed).toBe(true);
    expect((await other.client.call('list')).terminals).toEqual([]);
    await other.client.call('shutdown');
    await other.client.close();
  });

  test('takes fields of create, and gives the program the directory and environment of the caller', async () => {
    const { path } = tempDir();
    process.env['T4A_TEST_INHERITED'] = 'inherited';
    onTestFinished(() => void delete process.env['T4A_TEST_INHERITED']);
    const terminal = await launchInFile({
      cmd_args: ['sh', '-c', 'pwd; echo $T4A_TEST_INHERITED $EXTRA $T4A_TERMINAL; stty size; cat'],
      name: 'named',
      cols: 100,
      rows: 30,
      cwd: path,
      env: { EXTRA: 'extra' },
    });
    expect(terminal.id).toBe('named');
    await terminal.waitForText('30 100');
    expect((await terminal.text()).trim().split('\n')).toEqual([path, 'inherited extra named', '30 100']);
  });

  test('reports the reason that keeps the program from starting, and leaves no connection', async () => {
    const client = await clientOfFilesDaemon();
    await expect(launch({ cmd_args: ['/no/such/program'], client })).rejects.toMatchObject({
      code: 'program_not_found',
    });
    await expect(launch({ cmd_args: ['true'], command: 'true', client })).rejects.toThrow('not both');
    await expect(attach('nobody', { client })).rejects.toMatchObject({ code: 'terminal_not_found' });
  });

  test('can be given up', async () => {
    const { socketPath } = tempDir();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(launch({ socketPath, daemonEntry: builtDaemonEntry, signal })).rejects.toThrow('enough');
  });
});

describe('a terminal', () => {
  test('is typed into, pasted into, sent to, and read', async () => {
    const terminal = await shouting();
    await terminal.waitForText('ready');
    await terminal.type('typed', { submit: true });
    await terminal.waitForText('TYPED');
    await terminal.paste('pasted', { submit: true });
    await terminal.waitForText('PASTED');
    await terminal.send('sent\n');
    await terminal.waitForText('SENT');
    await terminal.send(new TextEncoder().encode('bytes\n'));
    await terminal.waitForText('BYTES');
    await terminal.press(['k', 'e', 'y', 'Enter']);
    await terminal.waitForText(/^key$/i);
    const lines = (await terminal.text({ end: 24 })).split('\n');
    expect(lines.slice(0, 5)).toEqual(['ready', 'typed', 'TYPED', 'pasted', 'PASTED']);
  });

  test('reports how its program ended', async () => {
    const terminal = await shouting();
    await terminal.type('bye', { submit: true });
    expect(await terminal.waitForExit()).toEqual({ exit_code: 7, signal: null });
    await expect(terminal.press('Enter')).rejects.toMatchObject({ code: 'terminal_exited' });
  });

  test('is read as a picture, and as everything of one instant', async () => {
    const terminal = await shouting();
    await terminal.waitForText('ready');
    const picture = await terminal.screenshot({ scale: 66 });
    expect([...picture.bytes.subarray(0, 4)]).toEqual(PNG);
    expect(picture).toMatchObject({ format: 'png', width: 80 * 7, height: 24 * 14 });
    const { png, text, cursor, rev } = await terminal.observe();
    expect([...png.subarray(0, 4)]).toEqual(PNG);
    expect(text.split('\n')[0]).toBe('ready');
    expect(cursor).toMatchObject({ row: 1, col: 0 });
    expect(rev).toBe(picture.rev);
  });

  test('is clicked at a text', async () => {
    const terminal = await launchInFile({
      command: `stty raw -echo; printf '\\033[?1000;1006h  [ OK ]\\r\\n'; head -c 9 | od -An -c; sleep 60`,
    });
    await terminal.waitForText('OK');
    await terminal.click('OK');
    // SGR: button 0 at column 5 or 6, row 1.
    await terminal.waitForText(/\[ +< +0 +; +[56] +; +1 +M/);
  });

  test('takes any command of the protocol that names a terminal', async () => {
    const terminal = await shouting();
    await terminal.waitForText('ready');
    expect(await terminal.call('grep', { pattern: 'read.' })).toMatchObject({ total: 1 });
    await terminal.resize(100, 30);
    expect(await terminal.call('status', {})).toMatchObject({ id: terminal.id, cols: 100, rows: 30 });
  });

  test('is closed at the end of its block, also if it is gone already', async () => {
    const client = await clientOfFilesDaemon();
    {
      await using terminal = await launch({ command: 'cat', client });
      await terminal.kill('SIGKILL');
      expect(await terminal.waitForExit()).toEqual({ exit_code: null, signal: 'SIGKILL' });
    }
    expect((await client.call('list')).terminals).toEqual([]);
    const twice = await launch({ command: 'cat', client });
    await twice.close();
    await twice.close();
  });
});

describe('an unmet wait', () => {
  test('throws with the content of the screen', async () => {
    const terminal = await shouting();
    await terminal.waitForText('ready');
    const failure: unknown = await terminal.waitForText('never', { timeout_ms: 50 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WaitFailure);
    expect((failure as WaitFailure).message).toMatch(
      /^Waited for .*never.* in t\d+: it had not come after \d+ ms\.\n {2}\| ready$/,
    );
    expect((failure as WaitFailure).reply.outcome).toBe('timeout');
  });

  test('throws at once when a failure condition is true', async () => {
    const terminal = await launchInFile({ command: 'echo error: no such thing; cat' });
    await expect(terminal.waitForText('never', { fail: { text: 'error' } })).rejects.toThrow('"fail" came first');
  });

  test('throws when the program ends first', async () => {
    const terminal = await launchInFile({ command: 'echo done' });
    await expect(terminal.waitForText('never')).rejects.toThrow('the program exited first');
  });

  test('is returned, not thrown, by wait itself', async () => {
    const terminal = await shouting();
    expect(await terminal.wait({ until: { text: 'never' }, timeout_ms: 20 })).toMatchObject({ outcome: 'timeout' });
  });

  test('can be given up', async () => {
    const terminal = await shouting();
    const controller = new AbortController();
    const waiting = terminal.waitForText('never', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('the events of a terminal', () => {
  test('come as they happen, its own only, and end when it is removed', async () => {
    const terminal = await shouting();
    const other = await launch({ command: 'cat', client: terminal.client });
    const events = terminal.events({ types: ['bell', 'exit'] });
    await events.subscribed;
    await other.close();
    await terminal.type('bye', { submit: true });
    await terminal.waitForExit();
    await terminal.close();
    const seen: string[] = [];
    for await (const event of events) seen.push(event.event);
    expect(seen).toEqual(['exit']);
  });

  test('end when they are given up', async () => {
    const terminal = await shouting();
    const controller = new AbortController();
    const events = terminal.events({}, { signal: controller.signal });
    await events.subscribed;
    controller.abort(new Error('enough'));
    const reading = async (): Promise<void> => {
      // Some may have come before.
      for await (const event of events) void event;
    };
    await expect(reading()).rejects.toThrow('enough');
  });
});

test('a terminal that another name has is closed only with force', async () => {
  const terminal = await shouting();
  await terminal.client.call('control', { id: terminal.id, action: 'take', as: 'ada', person: true } as never);
  await expect(terminal.close()).rejects.toMatchObject({ code: 'control_held' });
  await terminal.close({ force: true });
  await expect(terminal.text()).rejects.toMatchObject({ code: 'terminal_not_found' });
});

describe('bad input', () => {
  test('of a wrong type is refused with the wrong field', async () => {
    const terminal = await shouting();
    const wrong = [7] as unknown as string[];
    const error: unknown = await terminal.press(wrong).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(T4aError);
    expect(error).toMatchObject({ code: 'invalid_field', details: { field: 'keys.0' } });
    await expect(terminal.press('Entr')).rejects.toMatchObject({ code: 'unknown_key' });
    await expect(terminal.waitForText(/(?<=a)b/)).rejects.toMatchObject({ code: 'bad_regex' });
  });

  test('a terminal whose daemon was killed reports that, and does not mean another one of its name', async () => {
    const terminal = await launchOnOwnDaemon(SHOUTING);
    process.kill(terminal.client.daemon.pid, 'SIGKILL');
    await terminal.client.call('ping').catch(() => {});
    const impostor = await launch({ command: 'cat', client: terminal.client });
    expect(impostor.id).toBe(terminal.id);
    await expect(terminal.text()).rejects.toMatchObject({ code: 'terminal_not_found' });
    await terminal.close();
    expect(await impostor.text()).toBeDefined();
  });
});
