import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../dist/daemon-program.cjs', import.meta.url));

/** Each `require` of a bundled module makes a copy of all its exports: at each request it was a tenth of the work. */
test('the program of the daemon loads a module of schemas once, not at each use of one', () => {
  const program = readFileSync(PROGRAM, 'utf8').replace(/\s+/g, '');
  // Its length is no help in a failure.
  const found = (pattern: RegExp): readonly string[] => program.match(pattern) ?? [];
  const copy = String.raw`\(init_\w+\(\),__toCommonJS\(\w+\)\)`;
  expect(found(new RegExp(String.raw`loaded\w*\?\?=${copy}\)\.LAST_TERMINAL`, 'g'))).not.toEqual([]);
  expect(found(new RegExp(`return${copy}`, 'g'))).toEqual([]);
});
