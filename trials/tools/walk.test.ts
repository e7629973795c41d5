/** `npm run walk` lists the files that a request passes through, from the socket to the reply. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../test/support/consumer.js';

interface Walk {
  readonly files: readonly string[];
  readonly functions: number;
}

test('the walk of a screenshot lists existing files, in order from the socket to the PNG', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/walk.mjs', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  const walks = JSON.parse(stdout) as Readonly<Record<string, Walk>>;
  const files = walks['screenshot, one changed row']?.files ?? [];
  expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  const way = [
    'src/rpc/connection.ts',
    'src/rpc/dispatch.ts',
    'src/features/pictures/screenshot.ts',
    'src/features/pictures/pictures.ts',
    'src/render/renderer.ts',
    'src/render/raster/row-painter.ts',
    'src/render/png/image.ts',
  ];
  expect(files.filter((file) => way.includes(file))).toEqual(way);
});
