/** A claim of a writer that was killed bars no other, and that of one that lives does. */
import { closeSync, existsSync, openSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { waitForDraft } from '../../src/base/private-file.js';
import { tempDir } from '../support/temp-dir.js';

/** Long ago, in seconds. */
const OLD = 1_000_000_000;

function left(): { readonly path: string; readonly folder: string } {
  const { path: folder } = tempDir();
  const path = `${folder}/hosts.json.new`;
  writeFileSync(path, 'half of');
  utimesSync(path, OLD, OLD);
  return { path, folder };
}

test('a draft that a killed writer has left is taken over', () => {
  const { path, folder } = left();
  const draft = waitForDraft(path, 0);
  expect(draft?.path).toBe(path);
  expect(readdirSync(folder)).toEqual(['hosts.json.new']);
  closeSync(draft?.file ?? -1);
});

test('a draft that a process has open, or a young one, is kept', () => {
  const { path } = left();
  const file = openSync(path, 'a');
  utimesSync(path, OLD, OLD);
  expect(waitForDraft(path, 0)).toBeUndefined();
  closeSync(file);
  writeFileSync(path, 'young');
  expect(waitForDraft(path, 0)).toBeUndefined();
  expect(existsSync(path)).toBe(true);
});

test('of several writers that find it one alone removes it', () => {
  const { path, folder } = left();
  const first = waitForDraft(path, 0);
  // The second one has found the same, and comes later.
  expect(waitForDraft(path, 0)).toBeUndefined();
  expect(readdirSync(folder)).toEqual(['hosts.json.new']);
  closeSync(first?.file ?? -1);
});
