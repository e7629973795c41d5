/** Trials of test files: each case that the suite leaves out is in one of them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

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

test('each test file with cases that the suite leaves out is imported by one trial', () => {
  const withTables = testFilesIn('test').filter((file) => importsOf(file).includes('test/support/trial.ts'));
  expect(withTables).toContain('test/e2e/sh.test.ts');
  const imported = testFilesIn('trials').flatMap(importsOf);
  expect(imported.filter((file) => file.endsWith('.test.ts')).toSorted()).toEqual(withTables.toSorted());
});
