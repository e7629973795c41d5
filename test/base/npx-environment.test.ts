import { expect, test } from 'vitest';
import { withoutNpx } from '../../src/base/npx-environment.js';

const OF_NPX = { npm_command: 'exec', npm_config_cache: '/home/me/.npm', npm_node_execpath: '/usr/bin/node' };

const path = (value: string): unknown => withoutNpx({ ...OF_NPX, PATH: value })['PATH'];

test('variables that npx sets are removed, and no others', () => {
  const own = { HOME: '/home/me', NPM_CONFIG_USERCONFIG: '/mine', PATH: '/bin', UNSET: undefined };
  const set = { ...OF_NPX, INIT_CWD: '/project', NODE: '/usr/bin/node', COLOR: '0', EDITOR: 'vi' };
  expect(withoutNpx({ ...own, ...set })).toEqual(own);
  expect(withoutNpx({ ...OF_NPX, VISUAL: 'nano', EDITOR: 'nano' })).toEqual({ VISUAL: 'nano' });
});

test('variables with a value that npx would not have set are kept', () => {
  const own = { NODE: '/opt/node', COLOR: 'always', EDITOR: 'emacs' };
  expect(withoutNpx({ ...OF_NPX, ...own })).toEqual(own);
});

test.each([undefined, 'run', 'test', 'install'])(
  'who did not come through npx has everything: npm_command=%s',
  (by) => {
    const env = { npm_command: by, INIT_CWD: '/project', PATH: '/project/node_modules/.bin:/bin' };
    expect(withoutNpx(env)).toBe(env);
  },
);

test('directories that npx put first into PATH are removed', () => {
  expect(path('/c/_npx/1/node_modules/.bin:/w/node_modules/.bin:/npm/lib/node-gyp-bin:/usr/bin:/bin')).toBe(
    '/usr/bin:/bin',
  );
  expect(path('/w/node_modules/.bin/:/usr/bin')).toBe('/usr/bin');
  expect(path('/usr/bin:/bin')).toBe('/usr/bin:/bin');
  expect(path('/w/node_modules/.bin')).toBe('');
  expect(path('')).toBe('');
});

test("a directory of packages in the person's PATH is kept", () => {
  const own = '/mine/node_modules/.bin:/usr/bin:/w/node_modules/.bin';
  expect(path(`/w/node_modules/.bin:/npm/node-gyp-bin:${own}`)).toBe(own);
  expect(path(`/usr/bin:/w/node_modules/.bin:/npm/node-gyp-bin`)).toBe(
    '/usr/bin:/w/node_modules/.bin:/npm/node-gyp-bin',
  );
});
