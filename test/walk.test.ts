/** How many files a reader of a request has to enter, from the socket to the reply: `npm run walk` lists them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from './support/consumer.js';

interface Walk {
  readonly files: readonly string[];
  readonly functions: number;
}

let walks: Readonly<Record<string, Walk>>;

beforeAll(() => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/walk.mjs', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  walks = JSON.parse(stdout) as typeof walks;
});

test.each([
  ['screenshot, unchanged', 35],
  ['screenshot, one changed row', 55],
])('of a %s enters fewer than %i files', (name, most) => {
  expect(walks[name]?.files.length, walks[name]?.files.join('\n')).toBeLessThan(most);
});

test('names files of the tree, those of the way from the socket to the PNG among them', () => {
  const files = walks['screenshot, one changed row']?.files ?? [];
  expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining([
      'src/rpc/connection.ts',
      'src/rpc/dispatch.ts',
      'src/daemon/handlers/screenshot.ts',
      'src/render/renderer.ts',
      'src/render/png/image.ts',
    ]),
  );
});
