/** Every exit status: the program, `t4a help`, docs/cli.md, the manual and the skill name the same ones. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { commandSyntax } from '../../src/cli/argv/command-table.js';
import { ERRORS } from '../../src/protocol/errors.js';
import { useCommandLine } from '../support/cli-daemon.js';
import { tempDir } from '../support/temp-dir.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const cli = useCommandLine();

/** One command line for each; `ID` is a `cat` that shows "up". */
const SIGNAL = '128+n';
const STATUSES: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  '0': async () => ['wait', await cat(), '--text', 'up'],
  '1': async () => ['grep', await cat(), 'nothing like it'],
  '2': async () => ['text', await cat(), '--no-such-flag'],
  '3': async () => ['wait', await cat(), '--text', 'never', '--fail', 'up'],
  '4': async () => ['wait', await cli.printed('up'), '--text', 'never'],
  '5': async () => ['type', await cat(), 'x', '--submit', '--wait', 'text=x', '--screenshot', '/dev/full'],
  '6': async () => ['wait', await silentShell(), '--done'],
  '123': async () => ['run', '--no-keep', '--', 'cat'],
  '124': async () => ['wait', await cat(), '--text', 'never', '--timeout', '50'],
  '125': async () => ['wait', 'nobody', '--exit'],
  '126': async () => ['run', '--', noProgram()],
  '127': async () => ['run', '--', '/no/such/program'],
  [SIGNAL]: async () => ['run', '--command', 'kill -TERM $$'],
};
const NAMED = Object.keys(STATUSES).sort();

async function cat(): Promise<string> {
  const id = await cli.create('sh', '-c', 'echo up; exec cat');
  await cli.output(['wait', id, '--text', 'up']);
  return id;
}

/** A shell that reports no statuses, after a command. */
async function silentShell(): Promise<string> {
  const id = await cli.create('--no-shell-integration', '--env', 'PS1=$ ', '--', 'sh');
  await cli.output(['wait', id, '--text', '$ ']);
  await cli.t4a(['type', id, 'false', '--submit', '--wait', 'done']);
  return id;
}

function noProgram(): string {
  const path = tempDir().join('no-program');
  writeFileSync(path, '', { mode: 0o644 });
  return path;
}

describe.each(Object.entries(STATUSES))('the exit status %s', (named, commandLine) => {
  test('is that of a command line', async () => {
    const { status } = await cli.t4a(await commandLine());
    expect(status).toBe(named === SIGNAL ? 128 + 15 : Number(named));
  });
});

test('the program has no other exit statuses of its own', () => {
  const source = readFileSync(`${ROOT}src/cli/exit-status.ts`, 'utf8');
  const constants = [...source.matchAll(/^(?:export )?const [A-Z_\d]+ = (\d+);/gm)].map(([, status]) => status ?? '');
  const ofErrors = Object.values(ERRORS).map(({ exitStatus }) => String(exitStatus));
  const own = new Set(['0', ...constants.map((status) => (status === '128' ? SIGNAL : status)), ...ofErrors]);
  expect([...own].sort()).toEqual(NAMED);
});

test('docs/cli.md has a row for each', () => {
  const [, table = ''] = /## Exit status\n(.*?)\n\nWhere /s.exec(readFileSync(`${ROOT}docs/cli.md`, 'utf8')) ?? [];
  expect([...table.matchAll(/^\| (\d\S*) \|/gm)].map(([, status]) => status ?? '').sort()).toEqual(NAMED);
});

test.each(['docs/usage.md', 'skills/t4a/SKILL.md'])('%s names each', (file) => {
  const [, said = ''] = /\bExit: (.*?)\.\n/s.exec(readFileSync(`${ROOT}${file}`, 'utf8')) ?? [];
  expect(statusesIn(said)).toEqual(NAMED);
});

test('t4a help names each', async () => {
  const [, said = ''] = /^Exit status: (.*?)\.$/ms.exec(await cli.output(['help'])) ?? [];
  expect(statusesIn(said)).toEqual(NAMED);
});

test.each([
  ['wait', ['0', '3', '4', '6', '124', '125', '128']],
  ['run', ['2', '6', '123', '124', '125', '126', '127', '128']],
  ['ask', ['0', '1', '4', '124']],
])('the help of %s names those of its own', (name, own) => {
  const [, said = ''] = /(Exits with .*)/s.exec(commandSyntax(name)?.notes ?? '') ?? [];
  expect([...new Set(said.match(/\b\d+\b/g))].sort()).toEqual(own.sort());
});

function statusesIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w-])(128\+n|\d+)\b/g)].map(([, status]) => status ?? '').sort();
}
