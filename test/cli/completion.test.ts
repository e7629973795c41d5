/** Candidates for the next word of a command line, and the completion scripts of shells. */
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CLI, runCli } from '../support/cli.js';
import { useCommandLine } from '../support/cli-daemon.js';
import { itNeeds } from '../support/programs.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';
import { cacheHome } from '../support/daemon.js';

const cli = useCommandLine();

async function candidates(...words: string[]): Promise<string[]> {
  return (await cli.output(['complete', '--', ...words])).split('\n').filter(Boolean);
}

describe('a completion', () => {
  test('is a command', async () => {
    expect(await candidates('scr')).toEqual(['screenshot']);
    expect(await candidates('')).toEqual(expect.arrayContaining(['create', 'list', 'view', 'completions']));
  });

  test('is a flag of the command, or one of every command', async () => {
    expect(await candidates('create', '--na')).toEqual(['--name']);
    expect(await candidates('screenshot', '--no-c')).toEqual(['--no-cursor']);
    expect(await candidates('--so')).toEqual(['--socket']);
  });

  test('is a value of the flag', async () => {
    expect(await candidates('text', '--region', '')).toEqual(['viewport', 'scrollback', 'all']);
  });

  test('is the id of an existing terminal', async () => {
    await cli.create('--name', 'build', 'cat');
    expect(await candidates('--socket', cli.daemon.socketPath, 'text', 'b')).toEqual(['build']);
    expect(await candidates('--socket', cli.daemon.socketPath, 'events', '')).toEqual(['build', '@']);
    const { socketPath } = tempDir();
    expect(await candidates('--socket', socketPath, 'text', '')).toEqual([]);
    expect(await candidates('--socket', cli.daemon.socketPath, 'run', '--id', 'b')).toEqual(['build']);
    expect(await candidates(`--socket=${cli.daemon.socketPath}`, 'text', 'b')).toEqual(['build']);
  });

  test('is the name of a key, in upper or lower case', async () => {
    expect(await candidates('press', 'build', 'pageu')).toEqual(['PageUp']);
    expect(await candidates('press', 'build', 'Enter', 'Ctrl+C')).toEqual(['Ctrl+C']);
    expect(await candidates('press', 'pageu')).toEqual(['PageUp']);
  });

  test('belongs to the command that the parser would run, even if an argument has the name of a command', async () => {
    expect(await candidates('press', 'list', 'PageU')).toEqual(['PageUp']);
    expect(await candidates('--socket', 'list', 'text', '--reg')).toEqual(['--region']);
    expect(await candidates('nonsense', '')).toEqual([]);
  });

  test('is empty among the arguments of a program, and no flag after two dashes', async () => {
    expect(await candidates('run', '--js')).toEqual(['--json']);
    expect(await candidates('run', '--', 'ls', '--js')).toEqual([]);
    expect(await candidates('run', 'ls', '--js')).toEqual([]);
    expect(await candidates('run', '--', '--js')).toEqual([]);
    expect(await candidates('send', 'build', '--', '--ra')).toEqual([]);
    expect(await candidates('press', 'build', '--', 'pageu')).toEqual(['PageUp']);
  });

  test('is empty for the file of a flag, and skips the value of a flag in each spelling', async () => {
    await cli.create('--name', 'file-or-id', 'cat');
    const socket = ['--socket', cli.daemon.socketPath];
    for (const flag of ['-o', '--output'])
      expect(await candidates(...socket, 'screenshot', flag, 'file'), flag).toEqual([]);
    for (const flag of ['--timeout', '--timeout-ms'])
      expect(await candidates(...socket, 'wait', flag, '5', 'file'), flag).toEqual(['file-or-id']);
  });

  test('is empty after the last argument of the command', async () => {
    expect(await candidates('mouse', 'build', 'click', 'cl')).toEqual([]);
    expect(await candidates('help', 'kill', 'kil')).toEqual([]);
  });

  test('is a word of a fixed list', async () => {
    expect(await candidates('mouse', 'build', 'cl')).toEqual(['click']);
    expect(await candidates('completions', 'f')).toEqual(['fish']);
    expect(await candidates('help', 'kil')).toEqual(['kill']);
  });
});

test('completions refuses a shell that has no script', async () => {
  expect((await runCli(['completions', 'tcsh'])).status).toBe(2);
});

/** A directory with a program t4a in it, as a shell finds it. */
function installed(): TempDir {
  const dir = tempDir();
  writeFileSync(dir.join('t4a'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  chmodSync(dir.join('t4a'), 0o755);
  return dir;
}

function shell(program: string, args: readonly string[], dir: TempDir): string {
  const env = {
    PATH: `${dir.path}:${process.env['PATH']}`,
    HOME: dir.path,
    XDG_CACHE_HOME: cacheHome,
    T4A_SOCKET: dir.socketPath,
  };
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: dir.path, env, encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.trim();
}

itNeeds('bash')('the script for bash completes a command and a value', () => {
  const program =
    'eval "$(t4a completions bash)"; COMP_WORDS=(t4a scr); COMP_CWORD=1; _t4a; echo "${COMPREPLY[@]}"; COMP_WORDS=(t4a text --region ""); COMP_CWORD=3; _t4a; echo "${COMPREPLY[@]}"';
  expect(shell('bash', ['--norc', '-c', program], installed())).toBe('screenshot\nviewport scrollback all');
});

itNeeds('fish')('the script for fish completes commands and values, and files only after a flag for a file', () => {
  const program = `t4a completions fish | source
for line in 't4a scr' 't4a text --region ' 't4a text --region zzz' 't4a screenshot build -o t4'
  echo (complete -C $line | string join ' ')
end`;
  expect(shell('fish', ['--no-config', '-c', program], installed()).split('\n')).toEqual([
    'screenshot',
    'all scrollback viewport',
    '',
    't4a',
  ]);
});

itNeeds('zsh')('the script for zsh completes a command', () => {
  // What the completion system would be handed, without a line editor.
  const program =
    'compdef() { :; }; compadd() { echo ${(P)@[-1]}; }; eval "$(t4a completions zsh)"; words=(t4a scr); CURRENT=2; _t4a';
  expect(shell('zsh', ['-f', '-c', program], installed())).toContain('screenshot');
});

/** What a person sees who presses Tab, in a terminal of the daemon's. */
describe.each([
  ['bash', ['--norc'], 'eval "$(t4a completions bash)"'],
  ['zsh', ['-f'], 'eval "$(t4a completions zsh)"'],
  ['fish', ['--no-config'], 't4a completions fish | source'],
] as const)('pressing Tab in %s', (name, args, load) => {
  itNeeds(name)('completes a command, the id of a terminal and the name of a key', async () => {
    const dir = installed();
    const id = `tab-${name}`;
    await cli.create('--name', `only-${name}`, 'cat');
    const env = [`PATH=${dir.path}:${process.env['PATH']}`, `HOME=${dir.path}`, `XDG_CONFIG_HOME=${dir.path}`];
    await cli.create('--name', id, '--cols', '120', ...env.flatMap((one) => ['--env', one]), '--', name, ...args);
    const type = (text: string): Promise<string> => cli.output(['type', id, text]);
    const seen = (text: string): Promise<unknown> => cli.reply(['wait', id, '--text', text, '--timeout', '30000']);
    await cli.output(['type', id, `${load}; echo load''ed`, '--submit']);
    await seen('loaded');
    await type('t4a scr');
    await cli.output(['press', id, 'Tab']);
    await seen('t4a screenshot');
    await cli.output(['press', id, 'Ctrl+U']);
    await type(`t4a press onl`);
    await cli.output(['press', id, 'Tab']);
    await seen(`t4a press only-${name}`);
    await type('pageu');
    await cli.output(['press', id, 'Tab']);
    await seen(`only-${name} PageUp`);
    await cli.output(['kill', id, `--signal`, 'KILL']);
    await cli.output(['kill', `only-${name}`]);
  });
});
