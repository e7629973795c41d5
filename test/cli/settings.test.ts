/** Each setting of the command line: from the flag, else the environment, else the file, else the default. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLIENT_SETTINGS } from '../../src/cli/argv/commands.generated.js';
import { runCli, type CliOptions } from '../support/cli.js';
import { useCommandLine } from '../support/cli-daemon.js';
import { refusesHost } from '../../src/cli/settings.js';
import { type FakeHost, host } from '../support/host.js';
import { prepared } from '../support/prepared.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';

const cli = useCommandLine();

interface Case {
  /** What shows the value that holds. */
  readonly seen: (args: readonly string[], options: CliOptions) => Promise<unknown>;
  readonly flag: readonly string[];
  readonly environment: string;
  readonly file: unknown;
  /** As it is seen by default, from the file, from the environment, from the flag. */
  readonly expected: readonly unknown[];
}

const stdout = async (args: readonly string[], options: CliOptions): Promise<string> =>
  (await cli.t4a(args, options)).stdout.trim();

/** `rows cols` of the terminal that `run` makes. */
const size = (args: readonly string[], options: CliOptions): Promise<string> =>
  stdout(['run', ...args, '--', 'stty', 'size'], options);

const shellOf = async (args: readonly string[], options: CliOptions): Promise<unknown> => {
  const id = await stdout(['create', ...args], options);
  const { cmd } = JSON.parse(await stdout(['status', id, '--json'], options)) as { cmd: string[] };
  await cli.t4a(['kill', id]);
  return path.basename(cmd[0] ?? '');
};

function configuredHost(env: Readonly<Record<string, string>>): FakeHost {
  const file = env['XDG_CONFIG_HOME'] ?? '';
  const text = file === '' ? '{}' : readFileSync(path.join(file, 't4a/config.json'), 'utf8');
  const fields = JSON.parse(text) as Record<string, unknown>;
  return host({ env, configFile: () => ({ path: file, text, fields }) });
}

const CASES: Readonly<Record<string, Case>> = {
  socket: {
    // Nobody listens on any of them: the message says where was looked.
    seen: async (args, options) =>
      /No daemon listens on "([^"]+)"/.exec((await runCli(['ping', ...args], options)).stderr)?.[1],
    flag: ['--socket', '/tmp/t4a-no-1'],
    environment: '/tmp/t4a-no-2',
    file: '/tmp/t4a-no-3',
    expected: [undefined, '/tmp/t4a-no-3', '/tmp/t4a-no-2', '/tmp/t4a-no-1'],
  },
  color: {
    seen: async (args, options) => {
      const id = await cli.printed('needle');
      return (await stdout(['grep', id, 'needle', ...args], options)).includes('\x1b[1;31mneedle\x1b[m');
    },
    flag: ['--color', 'always'],
    environment: 'never',
    file: 'always',
    expected: [false, true, false, true],
  },
  json: {
    seen: async (args, options) => (await stdout(['ping', ...args], options)).startsWith('{'),
    flag: ['--json'],
    environment: '0',
    file: true,
    expected: [false, true, false, true],
  },
  shell: {
    seen: shellOf,
    flag: ['--', 'cat'],
    environment: 'sh',
    file: 'tee',
    expected: ['zsh-by-default', 'tee', 'sh', 'cat'],
  },
  cols: {
    seen: size,
    flag: ['--cols', '91'],
    environment: '92',
    file: 93,
    expected: ['24 80', '24 93', '24 92', '24 91'],
  },
  rows: {
    seen: size,
    flag: ['--rows', '31'],
    environment: '32',
    file: 33,
    expected: ['24 80', '33 80', '32 80', '31 80'],
  },
  context: {
    seen: async (args, options) => {
      const id = await cli.printed(String.raw`1\r\n2\r\n3\r\n4\r\nneedle`);
      return (await stdout(['grep', id, 'needle', ...args], options)).split('\n').length;
    },
    flag: ['--context', '4'],
    environment: '2',
    file: 1,
    // Blank rows below count as lines.
    expected: [1, 3, 5, 9],
  },
  idle: {
    seen: async ([given = 'idle'], { env = {} }) => {
      const where = configuredHost(env);
      const { wait } = (await prepared(['press', 't1', 'a', '--wait', given], where)) as { wait: { until: unknown[] } };
      return wait.until;
    },
    flag: ['idle=40'],
    environment: '30',
    file: 20,
    expected: [500, 20, 30, 40].map((ms) => [{ idle_ms: ms }]),
  },
  scale: {
    seen: async (args, options) => {
      const reply = await stdout(['screenshot', await cli.printed('x'), '--json', ...args], options);
      return (JSON.parse(reply) as { cell_height: number }).cell_height;
    },
    flag: ['--scale', '200'],
    environment: '150',
    file: 100,
    expected: [16, 20, 30, 40],
  },
  cli_host: {
    seen: (_args, { env = {} }) => Promise.resolve(!refusesHost(configuredHost(env))),
    // It has none.
    flag: [],
    environment: 'true',
    file: false,
    expected: [true, false, true, true],
  },
};

function configured(fields: unknown): TempDir & { readonly env: Record<string, string> } {
  const dir = tempDir();
  mkdirSync(dir.join('t4a'));
  writeFileSync(dir.join('t4a/config.json'), typeof fields === 'string' ? fields : JSON.stringify(fields, null, 2));
  return { ...dir, env: { XDG_CONFIG_HOME: dir.path } };
}

test('every setting has a case in this file', () => {
  expect(CLIENT_SETTINGS.map(({ field }) => field)).toEqual(Object.keys(CASES));
});

describe.each(Object.entries(CASES))('%s', (name, { seen, flag, environment, file, expected }) => {
  test('comes from the flag, else the environment, else the file, else the default', async () => {
    const { env } = configured({ [name]: file });
    // A program that is there under a name that no case has.
    const own = tempDir();
    writeFileSync(own.join('zsh-by-default'), '#!/bin/sh\nexec cat\n', { mode: 0o755 });
    const base = { PATH: `${own.path}:${process.env['PATH']}`, SHELL: 'zsh-by-default' };
    const variable = { [`T4A_${name.toUpperCase()}`]: environment };
    const found = [];
    if (name !== 'socket') found.push(await seen([], { env: base }));
    else found.push(undefined); // What the default is, is in the test of the client; here it might be somebody's daemon.
    found.push(await seen([], { env: { ...base, ...env } }));
    found.push(await seen([], { env: { ...base, ...env, ...variable } }));
    found.push(await seen(flag, { env: { ...base, ...env, ...variable } }));
    expect(found).toEqual(expected);
  });

  // With json set, config prints JSON itself.
  test.skipIf(name === 'json')('is printed with its source by t4a config', async () => {
    const { env } = configured({ [name]: file });
    const socketPath = cli.daemon.socketPath;
    const told = async (more: Record<string, string>): Promise<string | undefined> => {
      const sources = ['config', '--sources'];
      const { stdout: table } = await (name === 'socket'
        ? runCli(sources, { env: { T4A_SOCKET: socketPath } })
        : cli.t4a(sources, { env: more }));
      return new RegExp(`^${name} .*$`, 'm').exec(table)?.[0].replaceAll(/ +/g, ' ');
    };
    if (name === 'socket') {
      expect(await told({})).toBe(`socket ${socketPath} environment`);
      return;
    }
    expect(await told({})).toMatch(new RegExp(`^${name} \\S.* default$`));
    expect(await told(env)).toBe(`${name} ${String(file)} file`);
    expect(await told({ ...env, [`T4A_${name.toUpperCase()}`]: environment })).toBe(
      `${name} ${environment} environment`,
    );
  });
});

test('the profile of a screenshot overrides the configured scale', async () => {
  const { env } = configured({ scale: 100 });
  const reply = await cli.reply(['screenshot', await cli.printed('x'), '--json', '--profile', 'cheap'], { env });
  expect(reply).toMatchObject({ cell_height: 14 });
});

describe('an invalid setting', () => {
  test.each([
    ['{\n  "cols": 90\n  "rows": 30\n}', /line 3: expected "," or "}", found/],
    ['{\n  "cols": 90,\n}', /line 3: expected the name of a field/],
    ['{\n  "cols": "wide"\n}', /line 2: "cols" is "wide": expected a whole number from 2 to 1000/],
    ['{\n\n  "rows": 0\n}', /line 3: "rows" is 0: expected a whole number from 1 to 1000/],
    ['{\n  "colms": 90\n}', /line 2: There is no setting "colms"[^]*Did you mean "cols"/],
    ['{"shell": ""}', /line 1: "shell" is "": expected a text/],
    ['"cols"', /is not a JSON object/],
  ])('in the file is reported with the file, the line and the field: %j', async (content, message) => {
    const { env, join } = configured(content);
    const { status, stderr } = await cli.t4a(['create'], { env });
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).toContain(join('t4a/config.json'));
  });

  test('in the file for the socket is reported by list and by shutdown', async () => {
    const { env } = configured('{\n  "socket": "relative"\n}');
    for (const command of ['list', 'shutdown']) {
      const { status, stderr } = await runCli([command], { env });
      expect([status, stderr]).toEqual([
        2,
        expect.stringMatching(/line 2: "socket" is "relative": expected an absolute path/),
      ]);
    }
  });

  test('is reported even if it is nested deeper than the call stack', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const { env } = configured(`{\n  "color": ${deep}\n}`);
    const { stdout: report } = await cli.t4a(['doctor'], { env });
    expect(report).toMatch(/^FAILURE +configuration .*line 2: "color" is \[{77}…: expected one of/m);
    const sent = await cli.t4a(['config', '--themes', deep]);
    expect([sent.status, sent.stderr]).toEqual([
      2,
      expect.stringContaining('A field of "config" cannot be sent: it is nested'),
    ]);
  });

  test('in the environment is reported with the variable', async () => {
    const { status, stderr } = await cli.t4a(['create'], { env: { T4A_COLS: 'wide' } });
    expect([status, stderr]).toEqual([2, expect.stringContaining('$T4A_COLS is "wide": expected a whole number')]);
  });

  test('is a finding of the doctor, which continues', async () => {
    const { env } = configured('{\n  "color": "blue"\n}');
    const { status, stdout: report } = await cli.t4a(['doctor'], { env });
    expect(status).toBe(1);
    expect(report).toMatch(/^FAILURE +configuration .*line 2: "color" is "blue"/m);
    expect(report).toMatch(/^ok +terminfo/m);
  });

  test('does not prevent help', async () => {
    const { env } = configured('{');
    expect((await runCli(['create', '--help'], { env })).status).toBe(0);
    expect((await runCli(['usage'], { env })).status).toBe(0);
  });
});
