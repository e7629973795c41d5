/** Output of the built command line on a real terminal, which is one of the daemon's. */
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI, runCli } from '../support/cli.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { tempDir } from '../support/temp-dir.js';

let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** Runs the CLI in a terminal of the daemon's. @returns what is then on the screen */
async function onTerminal(args: readonly string[], cwd?: string): Promise<{ lines: string[]; exitCode: unknown }> {
  const reply = await request(daemon, {
    cmd: 'run',
    cols: 120,
    cmd_args: [process.execPath, CLI, '--socket', daemon.socketPath, ...args],
    ...(cwd === undefined ? {} : { cwd }),
  });
  expect(reply['ok'], JSON.stringify(reply)).toBe(true);
  return { lines: reply['lines'] as string[], exitCode: reply['exit_code'] };
}

async function create(fields: object): Promise<void> {
  expect(await request(daemon, { cmd: 'create', ...fields })).toMatchObject({ ok: true });
}

test('list prints a table', async () => {
  await create({ name: 'editor', cols: 100, rows: 30, title: 'a\u202eb', cmd_args: ['sleep', '100'] });
  const { lines } = await onTerminal(['list', '--long']);
  expect(lines[0]).toMatch(/^ID +STATE +SIZE +AGE +PID +IDLE +FOREGROUND +COMMAND +DIRECTORY +TITLE$/);
  const row = lines.find((line) => line.startsWith('editor'));
  expect(row).toMatch(
    /^editor +(?:probably )?(?:working|idle|unknown) +100x30 +\d+(ms|s|m) +\d+ +\d+(ms|s|m) +\S+ +sleep 100 +\S+ +a\\u202eb$/,
  );
});

test('list cuts its lines at the width of the terminal', async () => {
  await create({ name: 'long', cmd_args: ['sleep', '100'], title: 'x'.repeat(60) });
  const reply = await request(daemon, {
    cmd: 'run',
    cols: 30,
    cmd_args: [process.execPath, CLI, '--socket', daemon.socketPath, 'list'],
  });
  const lines = reply['lines'] as string[];
  expect(lines.find((line) => line.startsWith('long '))).toMatch(/^.{29}…$/);
  expect(lines.filter((line) => line.length > 30)).toEqual([]);
});

describe.each([['--help'], ['help screenshot'], ['wait --help']])('t4a %s', (commandLine) => {
  const args = commandLine.split(' ');
  const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

  test.each([
    [70, 70],
    [300, 100],
  ])('on %i columns prints lines of at most %i columns, except examples', async (cols, longest) => {
    const reply = await request(daemon, { cmd: 'run', cols, cmd_args: [process.execPath, CLI, ...args] });
    const lines = reply['lines'] as string[];
    expect(lines.filter((line) => line.length > longest && !/^ +(t4a|Example:) /.test(line))).toEqual([]);
    expect(words(lines.join(' '))).toEqual(words((await runCli(args)).stdout));
  });
});

test('list --json prints JSON on a terminal', async () => {
  const { lines } = await onTerminal(['list', '--json']);
  expect(JSON.parse(lines.join(''))).toMatchObject({ ok: true });
});

test('status, cursor, config and ping print one field per line', async () => {
  await create({ name: 'fields', cmd_args: ['sleep', '100'] });
  expect((await onTerminal(['status', 'fields'])).lines).toEqual(
    expect.arrayContaining([expect.stringMatching(/^id +fields$/), expect.stringMatching(/^cursor\.row +0$/)]),
  );
  expect((await onTerminal(['cursor', 'fields'])).lines).toContainEqual(expect.stringMatching(/^shape +block$/));
  expect((await onTerminal(['config'])).lines).toContainEqual(
    expect.stringMatching(/^idle_timeout_ms +2000 +default$/),
  );
  expect((await onTerminal(['ping'])).lines).toContainEqual(expect.stringMatching(/^protocol +1$/));
});

test('create prints the id, then a suggested next command', async () => {
  const { lines } = await onTerminal(['create', '--name', 'made', 'sleep', '100']);
  expect(lines[0]).toBe('made');
  expect(lines[1]).toContain('t4a text made');
});

test('screenshot writes a file named after terminal and revision, and prints its path', async () => {
  const dir = tempDir();
  await create({ name: 'seen', cmd_args: ['sleep', '100'] });
  const named = await onTerminal(['screenshot', 'seen'], dir.path);
  expect(named.lines).toEqual([expect.stringMatching(/^seen-\d+\.png$/)]);
  expect(
    readFileSync(dir.join(named.lines[0] ?? ''))
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
});

test('screenshot of @ names its file after the terminal used last', async () => {
  const dir = tempDir();
  const { lines, exitCode } = await onTerminal(['screenshot', '@'], dir.path);
  expect({ exitCode, files: lines.map((name) => existsSync(dir.join(name))) }).toEqual({ exitCode: 0, files: [true] });
  expect(lines[0]).not.toContain('@');
});

test('a command within a terminal refers to that terminal', async () => {
  const reply = await request(daemon, {
    cmd: 'run',
    cmd_args: ['sh', '-c', `"$0" "$@" status --json; echo "$T4A_TERMINAL"`, process.execPath, CLI],
    cols: 1000,
  });
  const lines = reply['lines'] as string[];
  const status = JSON.parse(lines.slice(0, -1).join('')) as { id: string };
  expect(status.id).toBe(lines.at(-1));
  expect(status.id).toBe(reply['id']);
});

test('list without terminals suggests t4a create', async () => {
  const dir = tempDir();
  const inner = ['--socket', dir.socketPath];
  const reply = await request(daemon, { cmd: 'run', cmd_args: [process.execPath, CLI, ...inner, 'list'] });
  expect(reply['lines']).toEqual(['No terminals. "t4a create" makes one.']);
  expect((await runCli(['shutdown'], { socketPath: dir.socketPath })).status).toBe(0);
});
