/** Trials of test files: each case that the suite leaves out is in one of them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SUITE_OF_TRIAL } from '../../trials/of-suite.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function testFilesIn(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join(folder, name));
}

function importsOf(file: string): string[] {
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  return [...source.matchAll(/^import .*'(\..*)\.js';$/gm)].map(([, name = '']) =>
    path.join(path.dirname(file), `${name}.ts`),
  );
}

test('each test file with cases that the suite leaves out is run by one trial', () => {
  const withTables = testFilesIn('test').filter((file) => importsOf(file).includes('test/support/trial.ts'));
  expect(withTables).toContain('test/e2e/sh.test.ts');
  const run = Object.values(SUITE_OF_TRIAL).flatMap((names) => names.map((name) => `test/${name}.test.ts`));
  expect(run.toSorted()).toEqual(withTables.toSorted());
});
