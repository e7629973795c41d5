/** The bare environment of a container: the variables PATH, HOME and SHELL, and no locale. */
import { writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { C_UTF_8 } from '../../src/base/character-set.js';
import { CLI, type CliResult } from '../support/cli.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { execute } from '../support/execute.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

const NAME = 'grüße-日本.txt';
const LINES = ['Grüße aus Köln – naïve café', '┌────┐ 中文 日本語', '└────┘ русский 😀 €'];

interface Bare {
  readonly t4a: (...args: string[]) => Promise<CliResult>;
}

/** In a directory with that file. */
function bare(more: Readonly<Record<string, string>> = {}): Bare {
  const dir = tempDir();
  writeFileSync(dir.join(NAME), `${LINES.join('\n')}\n`);
  const env = { PATH: process.env['PATH'] ?? '', HOME: dir.path, SHELL: '/bin/sh', ...more };
  const t4a: Bare['t4a'] = (...args) =>
    execute(process.execPath, [CLI, '--socket', dir.socketPath, ...args], { env, cwd: dir.path });
  onTestFinished(() => endDaemonAt(dir.socketPath));
  return { t4a };
}

async function shown(t4a: Bare['t4a'], until: string, ...program: string[]): Promise<string[]> {
  const { stdout } = await t4a('create', '--wait', `text=${until}`, '--text', '--', ...program);
  return stdout.split('\n').slice(1);
}

describe('without a locale', () => {
  itNeeds('less')('less shows UTF-8 text unchanged', async () => {
    // Some versions show a short text at the foot of the screen.
    const rows = await shown(bare().t4a, '€', 'less', NAME);
    expect(rows.filter((row) => row !== '').slice(0, 3)).toEqual(LINES);
  });

  itNeeds('vim')('vim shows UTF-8 text unchanged', async () => {
    expect((await shown(bare().t4a, 'All', 'vim', '-u', 'NONE', '-N', '+set ruler', NAME)).slice(0, 3)).toEqual(LINES);
  });

  test('ls prints a UTF-8 file name without quotes', async () => {
    expect((await shown(bare().t4a, 'end', 'sh', '-c', 'ls gr*; echo end; exec cat'))[0]).toBe(NAME);
  });

  test('programs get a character set in LC_CTYPE, and no other variable of a locale', async () => {
    const { t4a } = bare();
    const { stdout } = await t4a('run', '--command', 'env | grep -E "^(LANG|LANGUAGE|LC_[A-Z]*)="');
    expect(stdout).toBe(`LC_CTYPE=${C_UTF_8}\n`);
    expect((await t4a('doctor')).stdout).toContain(`none is set: programs get LC_CTYPE=${C_UTF_8}`);
  });

  test.each<[string, Record<string, string>, string[], string]>([
    ['LC_ALL in the environment', { LC_ALL: 'C' }, [], 'LC_ALL=C\n'],
    ['LANG in the environment', { LANG: 'POSIX' }, [], 'LANG=POSIX\n'],
    ['--env', {}, ['--env', 'LC_CTYPE=C'], 'LC_CTYPE=C\n'],
    ['the configuration', { T4A_LC_CTYPE: 'C' }, [], 'LC_CTYPE=C\n'],
    ['an empty configuration', { T4A_LC_CTYPE: '""' }, [], 'none\n'],
  ])('the locale set by %s is kept', async (_who, env, flags, expected) => {
    const { stdout } = await bare(env).t4a(
      'run',
      ...flags,
      '--command',
      'env | grep -E "^(LANG|LC_[A-Z]*)=" || echo none',
    );
    expect(stdout).toBe(expected);
  });

  test('a locale that is not installed is kept, and output is still UTF-8', async () => {
    const { t4a } = bare({ LC_ALL: 'xx_YY.UTF-8' });
    expect(await t4a('run', '--command', `echo $LC_ALL; cat ${NAME}`)).toMatchObject({
      status: 0,
      stdout: `xx_YY.UTF-8\n${LINES.join('\n')}\n`,
    });
    const doctor = await t4a('doctor');
    expect(doctor.status).toBe(0);
    if (process.platform === 'linux') expect(doctor.stdout).toContain('xx_YY.UTF-8, which is not installed');
  });
});
