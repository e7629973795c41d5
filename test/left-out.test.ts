/** What a run without some programs ends with, and that .ci/run installs all of them. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ABSENT, leftOutTable, NOT_HERE, packagesOf, PROGRAMS } from './support/left-out.js';

const NOTES = [`${ABSENT}vim`, `${ABSENT}vim, nc`, `${NOT_HERE}root`, 'skipped for another reason', ''];

it('counts the tests that were left out for each program, and names the packages once', () => {
  expect(leftOutTable(NOTES, true).split('\n')).toEqual([
    '3 tests were not run. What they need and this system lacks:',
    '  nc        1',
    '  vim       2',
    '  root      1',
    'apt-get install netcat-openbsd vim',
  ]);
});

it('names the packages without a command where there is no apt-get', () => {
  expect(leftOutTable(NOTES, false)).toMatch(/\nInstall netcat-openbsd vim$/);
});

it('prints nothing for tests that were skipped for other reasons, and no command for what no package brings', () => {
  expect(leftOutTable(['another reason', ''], true)).toBe('');
  expect(leftOutTable([`${NOT_HERE}root`], true)).not.toContain('install');
});

it('names programs all of which .ci/run installs, or which are essential to Debian', () => {
  const ci = readFileSync(new URL('../.ci/run', import.meta.url), 'utf8');
  const installed = /^packages=\((.*)\)$/m.exec(ci)?.[1]?.split(' ') ?? [];
  const essential = ['bsdutils', 'dash', 'mount', 'tar', 'util-linux'];
  expect(packagesOf(PROGRAMS).filter((each) => ![...installed, ...essential].includes(each))).toEqual([]);
});
