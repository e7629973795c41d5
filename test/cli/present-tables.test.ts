/** Lists are tables, on a terminal and in a pipe. */
import { describe, expect, test } from 'vitest';
import { CLIENT_SETTINGS } from '../../src/cli/argv/commands.generated.js';
import type { Fields } from '../../src/cli/argv/invocation.js';
import { presented } from '../support/presented.js';
import { onTerminal, host, type FakeHost } from '../support/host.js';

const WIDE = { columns: () => 200, env: { NO_COLOR: '1' } };

/** Of each line its cells. */
async function table(argv: string[], reply: Fields, where: FakeHost = onTerminal(WIDE)): Promise<string[][]> {
  const { printed } = await presented(argv, reply, { where });
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
}

const RUNNING = {
  id: 't1',
  alive: true,
  exit_code: null,
  signal: null,
  cols: 80,
  rows: 24,
  pid: 7,
  idle_ms: 61_000,
  foreground: 'vim',
  doing: { is: 'working', since: 1, source: '7501', sure: true, needs_you: null },
  cmd: ['bash', '-l'],
  cwd: '/here',
  title: 'ti\x1btle',
};
const ENDED = { ...RUNNING, alive: false, foreground: null, exit_code: 0, title: '' };

test('recordings are printed one per line, with what shows them, and whole paths', async () => {
  const file = { path: '/r/a.cast', title: null, terminal: 't1', started_at: 0, size: 10, live: false, opened: [] };
  const rows = await table(['recordings'], {
    recordings: [
      { ...file, opened: ['demo', 't7'], title: 'A title' },
      { ...file, path: `/${'long/'.repeat(60)}a.ttyrec`, terminal: null, started_at: null, opened: ['t8'] },
      { ...file, live: true },
    ],
  });
  expect(rows).toEqual([
    ['STARTED', 'TERMINAL', 'BYTES', 'STATE', 'PATH', 'TITLE'],
    ['1970-01-01T00:00:00Z', 't1', '10', 'open as demo, open as t7', '/r/a.cast', 'A title'],
    ['', '10', 'open as t8', `/${'long/'.repeat(60)}a.ttyrec`],
    ['1970-01-01T00:00:00Z', 't1', '10', 'recording', '/r/a.cast'],
  ]);
  const { noted } = await presented(['recordings'], { recordings: [] }, { where: onTerminal(WIDE) });
  expect(noted).toMatch(/No recordings/);
});

describe('terminals', () => {
  test.each([
    [['list'], 'No terminals. "t4a create" makes one.\n'],
    [['list', '--where', 'role=worker'], 'No terminal fits. "t4a list" shows all.\n'],
    [['list', '--owner', 'anna'], 'No terminal fits. "t4a list" shows all.\n'],
    [['list', '--mine', '--as', 'anna'], 'No terminal fits. "t4a list" shows all.\n'],
  ])('are none: %j', async (argv, expected) => {
    expect((await presented(argv, { terminals: [] }, { where: onTerminal(WIDE) })).noted).toBe(expected);
  });

  test('are printed one per line', async () => {
    const [headings, ...rows] = await table(['list'], {
      terminals: [RUNNING, ENDED, { ...ENDED, exit_code: 3 }, { ...ENDED, exit_code: null, signal: 'SIGKILL' }],
    });
    expect(headings).toEqual(['ID', 'STATE', 'IDLE', 'FOREGROUND', 'COMMAND']);
    expect(rows).toEqual([
      ['t1', 'working', '1m', 'vim', 'bash -l'],
      ['t1', 'exited 0', '1m', 'bash -l'],
      ['t1', 'exited 3', '1m', 'bash -l'],
      ['t1', 'SIGKILL', '1m', 'bash -l'],
    ]);
  });

  test('are probably idle where a program is only likely to read', async () => {
    const doing = { ...RUNNING.doing, is: 'idle', source: 'kernel', sure: false };
    const [, ...rows] = await table(['list'], {
      terminals: [
        { ...RUNNING, doing },
        { ...RUNNING, doing: { ...doing, sure: true } },
      ],
    });
    expect(rows.map(([, state]) => state)).toEqual(['probably idle', 'idle']);
  });

  test('have all of their columns with --long, uncut', async () => {
    const cmd = ['x'.repeat(100), 'y'];
    // Of a host whose clock is a day ahead.
    const created = Date.now() + 86_400_000;
    expect(await table(['list', '--long'], { terminals: [{ ...RUNNING, cmd, created_at: created }] }, host())).toEqual([
      ['ID', 'STATE', 'SIZE', 'AGE', 'PID', 'IDLE', 'FOREGROUND', 'COMMAND', 'DIRECTORY', 'TITLE'],
      ['t1', 'working', '80x24', '0ms', '7', '1m', 'vim', `${'x'.repeat(100)} y`, '/here', 'ti\\x1btle'],
    ]);
  });

  test('have their age with --long', async () => {
    const created = Date.now() - 2 * 3_600_000 - 1000;
    const [, row] = await table(['list', '--long'], { terminals: [{ ...RUNNING, created_at: created }] }, host());
    expect(row?.slice(2, 4)).toEqual(['80x24', '2h']);
  });

  test('take at most a row of 79 columns each in a pipe: 50 of them 4 KB', async () => {
    const terminals = Array.from({ length: 50 }, (_, n) => ({ ...RUNNING, id: `t${n}`, cmd: ['x'.repeat(500)] }));
    const { printed } = await presented(['list'], { terminals });
    expect(Buffer.byteLength(printed)).toBeLessThanOrEqual(4096);
    expect(printed.split('\n')).toHaveLength(52);
  });

  test('that ended without a code are printed as exited, and long commands are cut', async () => {
    const cmd = ['x'.repeat(30), 'y'.repeat(30)];
    const [, row] = await table(['list'], { terminals: [{ ...ENDED, exit_code: null, cmd }] });
    expect(row).toEqual(['t1', 'exited', '1m', `${'x'.repeat(30)} ${'y'.repeat(9)}`]);
  });

  test('have the colours of the page, under bold headings', async () => {
    const idle = { ...RUNNING, doing: { ...RUNNING.doing, is: 'idle' } };
    const terminals = [RUNNING, idle, ENDED, { ...ENDED, exit_code: 3 }];
    const rows = await table(['list', '--color', 'always'], { terminals });
    const bold = (text: string): string => `\x1b[1m${text}\x1b[m`;
    expect(rows[0]?.slice(0, 2)).toEqual([bold('ID'), bold('STATE')]);
    expect(rows.slice(1).map((row) => row[1])).toEqual([
      '\x1b[34mworking\x1b[m',
      '\x1b[32midle\x1b[m',
      '\x1b[2mexited 0\x1b[m',
      '\x1b[31mexited 3\x1b[m',
    ]);
    expect(rows[1]?.[0]).toBe('t1');
  });

  test('about which a person is asked are marked', async () => {
    const terminals = [
      { ...RUNNING, doing: { ...RUNNING.doing, needs_you: 'ask' }, asks: 1 },
      { ...ENDED, asks: 2 },
    ];
    expect((await table(['list'], { terminals })).slice(1).map((row) => row[1])).toEqual([
      'working, asks',
      'exited 0, asks',
    ]);
    const colored = await table(['list', '--color', 'always'], { terminals });
    expect(colored[1]?.[1]).toBe('\x1b[33mworking, asks\x1b[m');
  });

  test('are replaced by a note if none exist', async () => {
    const { printed, noted } = await presented(['list'], { terminals: [] });
    expect(printed).toBe('');
    expect(noted).toContain('t4a create');
  });

  test('are cut at the width of the terminal, if it is known', async () => {
    const widthOf = async (columns: number | undefined): Promise<number> => {
      const where = onTerminal({ ...WIDE, columns: () => columns });
      const { printed } = await presented(['list'], { terminals: [RUNNING] }, { where });
      return Math.max(...printed.split('\n').map((line) => line.length));
    };
    expect(await widthOf(20)).toBe(20);
    expect(await widthOf(undefined)).toBeGreaterThan(30);
  });
});

test('commands are printed one per line, with the code of a failed one in red', async () => {
  const command = {
    n: 1,
    running: false,
    code: 0,
    duration_ms: 1500,
    output_rows: 3,
    cwd: '/here',
    command: 'make all',
  };
  const commands = [
    command,
    { ...command, n: 2, code: 2 },
    { ...command, n: 3, running: true, code: null, duration_ms: null, output_rows: null },
    { ...command, n: 4, code: null, cwd: null, command: null, output_rows: null },
  ];
  expect(await table(['commands', 't1'], { commands })).toEqual([
    ['N', 'CODE', 'TIME', 'ROWS', 'DIRECTORY', 'COMMAND'],
    ['1', '0', '1s', '3', '/here', 'make all'],
    ['2', '2', '1s', '3', '/here', 'make all'],
    ['3', 'running', '/here', 'make all'],
    ['4', '?', '1s'],
  ]);
  const colored = await table(['commands', 't1', '--color', 'always'], { commands });
  expect(colored.slice(1).map((row) => row[1])).toEqual(['0', '\x1b[31m2\x1b[m', 'running', '\x1b[31m?\x1b[m']);
  const { printed, noted } = await presented(['commands', 't1'], { commands: [] }, { where: onTerminal() });
  expect([printed, noted]).toEqual(['', expect.stringContaining('No commands')]);
});

describe('settings', () => {
  const reply = { scrollback: 5, themes: { a: 1 }, sources: { scrollback: 'file' }, file: '/etc/x.json' };
  const env = { T4A_SOCKET: '/run/t4a.sock', T4A_COLS: '100' };

  test('are printed with their values and sources, first those of the client', async () => {
    const where = host({ env });
    const rows = await table(['config', '--sources', '--socket', '/flag'], reply, where);
    expect(rows).toEqual([
      ['socket', '/flag', 'flag'],
      ['color', 'auto', 'default'],
      ['json', 'false', 'default'],
      ['shell', 'bash, else sh', 'default'],
      ['cols', '100', 'environment'],
      ['rows', '24', 'default'],
      ['context', '0', 'default'],
      ['idle', '500', 'default'],
      ['scale', '80', 'default'],
      ['cli_host', 'true', 'default'],
      ['scrollback', '5', 'file'],
      ['themes', '{"a":1}'],
    ]);
    expect(rows.slice(0, CLIENT_SETTINGS.length).map(([field]) => field)).toEqual(
      CLIENT_SETTINGS.map(({ field }) => field),
    );
    expect(where.noted()).toBe('Their file: /etc/x.json\n');
  });

  test('include the shell of the environment, and the default sizes', async () => {
    const rows = await table(['config'], reply, host({ env: { T4A_SOCKET: '/s', SHELL: '/bin/zsh' } }));
    expect(rows.slice(3, 6)).toEqual([
      ['shell', '/bin/zsh', 'default'],
      ['cols', '80', 'default'],
      ['rows', '24', 'default'],
    ]);
  });

  test('are printed as the reply if it has no sources', async () => {
    expect(await presented(['config'], { scrollback: 5 })).toEqual({
      printed: 'scrollback  5\n',
      noted: '',
    });
  });
});
