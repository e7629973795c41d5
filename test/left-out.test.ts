/** The summary of tests that were left out for lack of a program, and the programs that .ci/run installs. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ABSENT, leftOutTable, NOT_HERE, packagesOf, PROGRAMS } from './support/left-out.js';

const NOTES = [`${ABSENT}vim`, `${ABSENT}vim, nc`, `${NOT_HERE}root`, 'skipped for another reason', ''];

it('the summary counts the tests left out for each program, and names each package once', () => {
  expect(leftOutTable(NOTES, true).split('\n')).toEqual([
    '3 tests were not run. What they need and this system lacks:',
    '  nc        1',
    '  vim       2',
    '  root      1',
    'apt-get install netcat-openbsd vim',
  ]);
});

it('the summary names the packages without a command if apt-get is missing', () => {
  expect(leftOutTable(NOTES, false)).toMatch(/\nInstall netcat-openbsd vim$/);
});

it('the summary omits tests skipped for other reasons, and commands for needs without a package', () => {
  expect(leftOutTable(['another reason', ''], true)).toBe('');
  expect(leftOutTable([`${NOT_HERE}root`], true)).not.toContain('install');
});

it('every program that tests need is installed by .ci/run or essential to Debian', () => {
  const ci = readFileSync(new URL('../.ci/run', import.meta.url), 'utf8');
  const installed = /^packages=\((.*)\)$/m.exec(ci)?.[1]?.split(' ') ?? [];
  const essential = ['bsdutils', 'dash', 'mount', 'tar', 'util-linux'];
  expect(packagesOf(PROGRAMS).filter((each) => ![...installed, ...essential].includes(each))).toEqual([]);
});
