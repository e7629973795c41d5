/** The configuration that a daemon starts with, and the reported source of each value. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readOwnersConfig } from '../../src/daemon/config-sources.js';
import { DEFAULT_CONFIG, type Config } from '../../src/protocol/commands/config.js';
import { configShape } from '../../src/protocol/config-shape.js';
import { CLI, runCli, streamCli } from '../support/cli.js';
import { request, startDaemon } from '../support/daemon.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';

function withFile(content: string): TempDir {
  const dir = tempDir();
  mkdirSync(dir.join('t4a'));
  writeFileSync(dir.join('t4a/config.json'), content);
  return dir;
}

const fields = (content: unknown): TempDir => withFile(JSON.stringify(content));

/** Of each field a value for the file, one for the environment and one for a request. */
const VALUES: Readonly<Record<keyof Config, readonly [file: unknown, environment: unknown, request: unknown]>> = {
  idle_timeout_ms: [101, 102, 103],
  scrollback: [201, 202, 203],
  log_level: ['debug', 'info', 'error'],
  max_terminals: [11, 12, 13],
  max_terminals_per_owner: [1, 2, 3],
  max_trigger_runs: [4, 5, 6],
  max_scrollback: [5001, 5002, 5003],
  output_buffer_bytes: [200_001, 200_002, 200_003],
  input_buffer_bytes: [200_001, 200_002, 200_003],
  ended_ttl_ms: [701, 702, 703],
  ended_max: [81, 82, 83],
  kill_grace_ms: [601, 602, 603],
  max_connections: [21, 22, 23],
  client_buffer_bytes: [200_001, 200_002, 200_003],
  max_requests_in_flight: [31, 32, 33],
  max_line_bytes: [200_001, 200_002, 200_003],
  event_queue: [41, 42, 43],
  max_waits: [51, 52, 53],
  max_image_side: [1001, 1002, 1003],
  atlas_bytes: [2_000_001, 2_000_002, 2_000_003],
  max_memory_bytes: [2e12, 3e12, 4e12],
  activity: ['memory', 'disk', 'memory'],
  history_bytes: [1001, 1002, 1003],
  history_total_bytes: [2001, 2002, 2003],
  persist: ['/of-file', '/of-environment', '/of-request'],
  record: ['on', 'off', 'input'],
  lc_ctype: ['C', 'C.UTF-8', 'de_DE.UTF-8@euro'],
  program_status: ['read', 'off', 'answer'],
  term_program: ['kitty', 'ghostty/1.3.0', ''],
  redact: [
    { patterns: ['a'], variables: [], known: true, replies: false },
    { patterns: [], variables: ['*_TOKEN'], known: false, replies: false },
    { patterns: ['b'], variables: [], known: false, replies: false },
  ],
  theme: ['light', 'gruvbox', 'xterm'],
  themes: [{ one: theme('1') }, { two: theme('2') }, { three: theme('3') }],
};

function theme(digit: string): object {
  const color = `#${digit.repeat(6)}`;
  return { foreground: color, background: color, ansi: Array.from({ length: 16 }, () => color) };
}

const FIELDS = Object.keys(configShape) as (keyof Config)[];

const valuesFrom = (level: 0 | 1 | 2): Record<string, unknown> =>
  Object.fromEntries(FIELDS.map((field) => [field, VALUES[field][level]]));

describe('the value of every field', () => {
  test('comes from the request, else the environment, else the file, else the default', async () => {
    const dir = fields(valuesFrom(0));
    const variables = Object.entries(valuesFrom(1)).map(([field, value]) => [
      `T4A_${field.toUpperCase()}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const file = { XDG_CONFIG_HOME: dir.path };
    const levels = [
      { env: {}, source: 'default', values: DEFAULT_CONFIG },
      { env: file, source: 'file', values: valuesFrom(0) },
      { env: { ...file, ...Object.fromEntries(variables) }, source: 'environment', values: valuesFrom(1) },
    ];
    for (const { env, source, values } of levels) {
      const daemon = await startDaemon({ env });
      onTestFinished(() => daemon.stop());
      const sources = Object.fromEntries(FIELDS.map((field) => [field, source]));
      expect(await request(daemon, { cmd: 'config', sources: true })).toMatchObject({ ...values, sources });
      await request(daemon, { cmd: 'config', ...valuesFrom(2) });
      expect(await request(daemon, { cmd: 'config', sources: true })).toMatchObject({
        ...valuesFrom(2),
        sources: Object.fromEntries(FIELDS.map((field) => [field, 'request'])),
      });
    }
  });
});

test("the daemon's socket comes from the flag, else the environment, else the file", async () => {
  const dir = fields({ socket: '/tmp/t4a-of-the-file' });
  expect(readOwnersConfig({ XDG_CONFIG_HOME: dir.path }, '/nowhere').socket).toBe('/tmp/t4a-of-the-file');
  const own = fields({ socket: dir.socketPath });
  const started = streamCli(['daemon', '--verbose'], { env: { XDG_CONFIG_HOME: own.path } });
  onTestFinished(() => endDaemonAt(dir.socketPath));
  const { stderr } = started.process;
  let said = '';
  for await (const chunk of stderr ?? []) if ((said += String(chunk)).includes('listens on')) break;
  expect(said).toContain(`listens on ${dir.socketPath}`);
});

test('t4a config shows the source of each value on a terminal', async () => {
  const dir = fields({ scrollback: 123 });
  const daemon = await startDaemon({ env: { XDG_CONFIG_HOME: dir.path } });
  onTestFinished(() => daemon.stop());
  const cmd_args = [process.execPath, CLI, '--socket', daemon.socketPath, 'config'];
  const { lines } = (await request(daemon, { cmd: 'run', cmd_args, cols: 120 })) as { lines: string[] };
  expect(lines).toContainEqual(expect.stringMatching(/^scrollback +123 +file$/));
  expect(lines).toContainEqual(expect.stringMatching(/^max_terminals +500 +default$/));
  expect(lines.join('\n')).toContain(dir.join('t4a/config.json'));
  const piped = await runCli(['config', '--json'], { socketPath: daemon.socketPath });
  expect(JSON.parse(piped.stdout)).not.toHaveProperty('sources');
});

describe("an owner's invalid configuration", () => {
  test.each([
    ['{"scrolback": 5}', /has no field "scrolback"/],
    ['{"scrollback": "many"}', /"scrollback" of "config" is "many"/],
    ['{"scrollback": -1}', /"scrollback" of "config" is -1/],
    ['{\n"cols": "wide"}', /line 2: "cols" of "config" is "wide"/],
    ['{\n\n"themes": {"own": {\n"foreground": "red"}}}', /line 4: "themes.own.foreground" of "config" is "red"/],
    ['[]', /is not a JSON object/],
    ['{', /line 1: expected the name of a field/],
  ])('%s is reported with its file', (content, message) => {
    const dir = withFile(content);
    const read = (): unknown => readOwnersConfig({ XDG_CONFIG_HOME: dir.path }, '/nowhere');
    expect(read).toThrow(message);
    expect(read).toThrow(dir.join('t4a/config.json'));
  });

  test('is reported also if it is nested deeper than calls can be', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const file = withFile(`{\n"themes": {\n"own": ${deep}}}`);
    expect(() => readOwnersConfig({ XDG_CONFIG_HOME: file.path }, '/nowhere')).toThrow(
      /line 3: "themes.own" of "config" is \[{77}…: expected an object/,
    );
    const broken = withFile(`{\n"themes": ${deep.slice(1)}}`);
    expect(() => readOwnersConfig({ XDG_CONFIG_HOME: broken.path }, '/nowhere')).toThrow(/line 2: expected "," or "}"/);
    const env = { XDG_CONFIG_HOME: '/nowhere', T4A_THEMES: deep };
    expect(() => readOwnersConfig(env, '/nowhere')).toThrow(/"themes" of "config" is \[{77}…/);
  });

  test('in the environment is reported with the field', () => {
    const env = { XDG_CONFIG_HOME: '/nowhere', T4A_MAX_TERMINALS: 'lots' };
    expect(() => readOwnersConfig(env, '/nowhere')).toThrow(/In the environment: "max_terminals".*"lots"/);
  });

  test('keeps the daemon from starting, with the reason', async () => {
    const dir = withFile('{"scrolback": 5}');
    const { status, stderr } = await runCli(['list'], {
      socketPath: dir.socketPath,
      env: { XDG_CONFIG_HOME: dir.path },
    });
    expect(status).toBe(1);
    expect(stderr).toContain('line 1: "config" has no field "scrolback". Did you mean "scrollback"?');
  });
});

test('without a file and variables every value is the default', () => {
  expect(readOwnersConfig({}, tempDir().path)).toEqual({ values: {}, sources: {}, socket: undefined });
});
