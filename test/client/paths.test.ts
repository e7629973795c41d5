/** Where every client looks for the daemon. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { ALLOCATOR_ENVIRONMENT } from '../../src/base/allocator.js';
import {
  callersConfigFile,
  callersPlaces,
  daemonEnvironment,
  defaultDaemonEntry,
  namedSocketPath,
} from '../../src/client/paths.js';
import { tempDir } from '../support/temp-dir.js';

afterEach(() => vi.unstubAllEnvs());

test('a given path overrides the environment, and that overrides the file', () => {
  const dir = tempDir();
  vi.stubEnv('T4A_SOCKET', undefined);
  vi.stubEnv('XDG_CONFIG_HOME', dir.path);
  expect(namedSocketPath()).toBe(undefined);
  mkdirSync(dir.join('t4a'));
  writeFileSync(dir.join('t4a/config.json'), '{"socket": "/run/of-the-file", "scrollback": 5}');
  expect(namedSocketPath()).toBe('/run/of-the-file');
  vi.stubEnv('T4A_SOCKET', '/run/of-the-environment');
  expect(namedSocketPath()).toBe('/run/of-the-environment');
  expect(namedSocketPath('/run/given')).toBe('/run/given');
});

test('an invalid file is reported with the line', () => {
  const dir = tempDir();
  mkdirSync(dir.join('t4a'));
  vi.stubEnv('T4A_SOCKET', undefined);
  vi.stubEnv('XDG_CONFIG_HOME', dir.path);
  const file = dir.join('t4a/config.json');
  writeFileSync(file, '{\n  "socket": 7\n}');
  expect(() => namedSocketPath()).toThrow(`In ${JSON.stringify(file)}, line 2: "socket" is 7: expected an absolute`);
  writeFileSync(file, '{\n  "socket": "/run/s",\n  oops\n}');
  expect(() => namedSocketPath()).toThrow(/line 3: expected the name of a field in double quotes, found "oops"/);
  expect(namedSocketPath('/run/given')).toBe('/run/given');
});

test('a named path is absolute, and an empty one names none', () => {
  const dir = tempDir();
  vi.stubEnv('XDG_CONFIG_HOME', dir.path);
  expect(namedSocketPath('sub/s')).toBe(`${process.cwd()}/sub/s`);
  vi.stubEnv('T4A_SOCKET', 's');
  expect(namedSocketPath()).toBe(`${process.cwd()}/s`);
  vi.stubEnv('T4A_SOCKET', '');
  expect(namedSocketPath()).toBeUndefined();
});

test('the file is that of the home unless the environment names another place, and its path is absolute', () => {
  const dir = tempDir();
  vi.stubEnv('T4A_SOCKET', undefined);
  vi.stubEnv('XDG_CONFIG_HOME', undefined);
  vi.stubEnv('HOME', dir.path);
  expect(callersConfigFile()).toBeUndefined();
  mkdirSync(dir.join('.config/t4a'), { recursive: true });
  const file = dir.join('.config/t4a/config.json');
  writeFileSync(file, '{"scrollback": 5}');
  expect(callersConfigFile()?.fields).toEqual({ scrollback: 5 });
  expect(namedSocketPath()).toBeUndefined();
  writeFileSync(file, '{"socket": "relative"}');
  expect(() => namedSocketPath()).toThrow(expect.objectContaining({ code: 'usage' }));
  writeFileSync(file, '{"socket": "/run/../run/s"}');
  expect(namedSocketPath()).toBe('/run/s');
});

test('a caller without a path has a shared place, one of its own, and those of its login session', () => {
  vi.stubEnv('XDG_RUNTIME_DIR', '/run/session');
  const uid = process.getuid?.();
  expect(callersPlaces()).toEqual({
    shared: '/tmp/t4a.sock',
    own: `/tmp/t4a-${uid}/t4a.sock`,
    runtime: [`/run/user/${uid}/t4a.sock`, '/run/session/t4a.sock'],
  });
});

test('a daemon has the environment of its caller, and the path to listen on', () => {
  const [name = '', ours] = Object.entries(ALLOCATOR_ENVIRONMENT)[0] ?? [];
  vi.stubEnv('T4A_SOCKET', '/other');
  vi.stubEnv('T4A_TEST_MINE', 'mine');
  vi.stubEnv(name, undefined);
  expect(daemonEnvironment('/s')).toMatchObject({ T4A_SOCKET: '/s', T4A_TEST_MINE: 'mine', [name]: ours });
  vi.stubEnv(name, 'theirs');
  expect(daemonEnvironment('/s')[name]).toBe('theirs');
  expect(basename(defaultDaemonEntry())).toBe('daemon.cjs');
});
