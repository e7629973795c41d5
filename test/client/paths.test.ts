/** Where every client looks for the daemon. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { namedSocketPath } from '../../src/client/paths.js';
import { tempDir } from '../support/temp-dir.js';

afterEach(() => vi.unstubAllEnvs());

test('what is given goes before the environment, that before the file', () => {
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

test('a file that is wrong is told with its line', () => {
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
