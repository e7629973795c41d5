/** The configuration that a daemon starts with, and what is told of where it comes from. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readOwnersConfig } from '../../src/daemon/config-sources.js';
import { CLI, runCli } from '../support/cli.js';
import { request, startDaemon } from '../support/daemon.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';

function withFile(content: string): TempDir {
  const dir = tempDir();
  mkdirSync(dir.join('t4a'));
  writeFileSync(dir.join('t4a/config.json'), content);
  return dir;
}

const fields = (content: unknown): TempDir => withFile(JSON.stringify(content));

test('a request stands above the environment, that above the file, that above the default', async () => {
  const dir = fields({ scrollback: 1, max_terminals: 2, max_waits: 3 });
  const env = { XDG_CONFIG_HOME: dir.path, T4A_MAX_TERMINALS: '20', T4A_MAX_WAITS: '30', T4A_LOG_LEVEL: 'debug' };
  const daemon = await startDaemon({ env });
  onTestFinished(() => daemon.stop());
  await request(daemon, { cmd: 'config', max_waits: 300 });
  expect(await request(daemon, { cmd: 'config', sources: true })).toMatchObject({
    scrollback: 1,
    max_terminals: 20,
    max_waits: 300,
    idle_timeout_ms: 2000,
    log_level: 'debug',
    file: dir.join('t4a/config.json'),
    sources: {
      scrollback: 'file',
      max_terminals: 'environment',
      max_waits: 'request',
      idle_timeout_ms: 'default',
      log_level: 'environment',
    },
  });
});

test('on a terminal t4a config shows where each value comes from', async () => {
  const dir = fields({ scrollback: 123 });
  const daemon = await startDaemon({ env: { XDG_CONFIG_HOME: dir.path } });
  onTestFinished(() => daemon.stop());
  const cmd_args = [process.execPath, CLI, '--socket', daemon.socketPath, 'config'];
  const { lines } = (await request(daemon, { cmd: 'run', cmd_args, cols: 120 })) as { lines: string[] };
  expect(lines).toContainEqual(expect.stringMatching(/^scrollback +123 +file$/));
  expect(lines).toContainEqual(expect.stringMatching(/^max_terminals +500 +default$/));
  expect(lines.join('\n')).toContain(dir.join('t4a/config.json'));
  const piped = await runCli(['config'], { socketPath: daemon.socketPath });
  expect(JSON.parse(piped.stdout)).not.toHaveProperty('sources');
});

describe('what an owner wrote wrongly', () => {
  test.each([
    ['{"scrolback": 5}', /has no field "scrolback"/],
    ['{"scrollback": "many"}', /"scrollback" of "config" is "many"/],
    ['{"scrollback": -1}', /"scrollback" of "config" is -1/],
    ['[]', /is not a JSON object/],
    ['{', /is not a JSON object/],
  ])('%s is told with its file', (content, message) => {
    const dir = withFile(content);
    const read = (): unknown => readOwnersConfig({ XDG_CONFIG_HOME: dir.path }, '/nowhere');
    expect(read).toThrow(message);
    expect(read).toThrow(dir.join('t4a/config.json'));
  });

  test('in the environment is told with the field', () => {
    const env = { XDG_CONFIG_HOME: '/nowhere', T4A_MAX_TERMINALS: 'lots' };
    expect(() => readOwnersConfig(env, '/nowhere')).toThrow(/In the environment: "max_terminals".*"lots"/);
  });

  test('keeps the daemon from starting, with the reason at hand', async () => {
    const dir = withFile('{"scrolback": 5}');
    const { status, stderr } = await runCli(['list'], {
      socketPath: dir.socketPath,
      env: { XDG_CONFIG_HOME: dir.path },
    });
    expect(status).toBe(1);
    expect(stderr).toContain('has no field "scrolback"');
  });
});

test('without a file and variables everything is the default', () => {
  expect(readOwnersConfig({}, tempDir().path)).toEqual({ values: {}, sources: {} });
});
