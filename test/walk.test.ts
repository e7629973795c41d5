/** The files that a request passes through, from the socket to the reply, as `npm run walk` lists them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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
])('the walk of "%s" enters fewer than %i files', (name, most) => {
  expect(walks[name]?.files.length, walks[name]?.files.join('\n')).toBeLessThan(most);
});

test('the walk of a screenshot lists existing files, in order from the socket to the PNG', () => {
  const files = walks['screenshot, one changed row']?.files ?? [];
  expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  const way = [
    'src/rpc/connection.ts',
    'src/rpc/dispatch.ts',
    'src/daemon/handlers/screenshot.ts',
    'src/daemon/pictures/pictures.ts',
    'src/render/renderer.ts',
    'src/render/raster/row-painter.ts',
    'src/render/png/image.ts',
  ];
  expect(files.filter((file) => way.includes(file))).toEqual(way);
});

test('docs/ARCHITECTURE.md names every file in the walk of a screenshot', () => {
  const page = readFileSync(path.join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');
  const walk = page.slice(page.indexOf('### A screenshot'), page.indexOf('### A byte'));
  const named = new Set([...walk.matchAll(/`([a-z-]+(?:\/[a-z-]+)+\.ts)`/g)].map(([, file]) => `src/${file}`));
  const entered = walks['screenshot, one changed row']?.files ?? [];
  expect(entered.filter((file) => !named.has(file))).toEqual([]);
});

test.each(['## Three walks', '## Rooms'])('paths in the section "%s" of docs/ARCHITECTURE.md exist', (heading) => {
  const page = readFileSync(path.join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');
  const section = page.slice(page.indexOf(heading), page.indexOf('\n## ', page.indexOf(heading) + 3));
  const paths = [...section.matchAll(/`([a-z]+(?:\/[a-z.-]+)*(?:\.ts|\/))`/g)].map(([, named = '']) => named);
  expect(paths.length).toBeGreaterThan(10);
  const missing = paths.filter((named) => !existsSync(path.join(ROOT, named.startsWith('test/') ? '' : 'src', named)));
  expect(missing.filter((named) => !['main.ts', 'start.ts'].includes(named))).toEqual([]);
});
