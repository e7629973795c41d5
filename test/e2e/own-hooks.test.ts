/** Shells whose user's own hooks mark prompts and commands, without the injected scripts: what `run` and waits claim of them. */
import { existsSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const DONE = { until: { done: true }, timeout_ms: 20_000 };

const FILES = {
  bash: ['.bashrc', String.raw`PS1='\[\e]133;D;$?\a\e]133;A\a\]\u \w\$ \[\e]133;B\a\]'; PS0='\e]133;C\a'; HISTFILE=`],
  zsh: [
    '.zshrc',
    String.raw`precmd() { print -n "\e]133;D;$?\a\e]133;A\a" }; preexec() { print -n "\e]133;C\a" }; PS1=$'%n %~%# %{\e]133;B\a%}'`,
  ],
} as const;

async function ownHooks(shell: keyof typeof FILES, more = ''): Promise<{ id: string; home: string }> {
  const home = tempDir().path;
  const [file, rc] = FILES[shell];
  writeFileSync(`${home}/${file}`, `${rc}\n${more}\n`);
  const created = await request(daemon, {
    cmd: 'create',
    cmd_args: [shell],
    cwd: home,
    env: { HOME: home, ZDOTDIR: home },
    shell_integration: false,
    wait: DONE,
  });
  return { id: String(created['id']), home };
}

const run = (id: string, command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
const type = (id: string, text: string) => request(daemon, { cmd: 'type', id, text, submit: true, wait: DONE });

describe('text that the shell itself has put on its command line keeps run out', () => {
  const PUT = [
    ['bash', 'shopt -s histverify', '!!'],
    ['bash', 'shopt -s histreedit', 'echo !nope'],
    ['zsh', 'setopt hist_verify', '!!'],
    ['zsh', '', 'print -z "echo Z; "'],
    ['zsh', 'zle-line-init() { [[ -f put ]] && BUFFER="echo B; " CURSOR=8; }; zle -N zle-line-init', 'touch put'],
  ] as const;
  for (const [shell, setting, typed] of PUT) {
    itNeeds(shell)(`of ${shell}: ${typed} after ${setting || 'nothing'}`, async () => {
      const { id } = await ownHooks(shell, setting);
      expect(await run(id, 'echo one >>hv')).toMatchObject({ outcome: 'done', exit_code: 0 });
      await type(id, typed);
      expect(await run(id, 'echo next')).toMatchObject({ ok: false, code: 'shell_busy' });
      await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'] });
      expect(await run(id, 'rm -f put; cat hv')).toMatchObject(
        typed === 'touch put' ? { ok: false, code: 'shell_busy' } : { outcome: 'done', lines: ['one'] },
      );
    });
  }

  itNeeds('bash')('of bash, if it is longer than its row', async () => {
    const { id } = await ownHooks('bash', 'shopt -s histverify');
    const long = `echo ${'x'.repeat(150)} >>hv`;
    await run(id, long);
    await type(id, '!!');
    expect(await run(id, 'echo next')).toMatchObject({ ok: false, code: 'shell_busy' });
  });

  itNeeds('bash')('and a mark that stands before the prompt, or before its last blank, does not', async () => {
    for (const prompt of [String.raw`\[\e]133;B\a\]\w $ `, String.raw`\[\e]133;A\a\]$\[\e]133;B\a\] `]) {
      const { id } = await ownHooks('bash', `PS1='${prompt}'`);
      expect(await run(id, 'echo one')).toMatchObject({ outcome: 'done' });
      expect(await run(id, 'echo two')).toMatchObject({ outcome: 'done', lines: ['two'] });
    }
  });
});

itNeeds('zsh')('a comment that zsh takes for a command is not said not to have run', async () => {
  const { id, home } = await ownHooks('zsh');
  expect(await run(id, '# note; touch proof')).toMatchObject({ outcome: 'done' });
  expect(existsSync(`${home}/proof`)).toBe(true);
});

itNeeds('bash')('the first line, which bash drops for a word of its history, has no exit code', async () => {
  const { id } = await ownHooks('bash', 'set -o history -H');
  expect(await run(id, '!zzz')).toMatchObject({ outcome: 'done', exit_code: null });
  expect(await run(id, 'true')).toMatchObject({ outcome: 'done', exit_code: 0 });
  expect(await run(id, '!zzz')).toMatchObject({ outcome: 'done', exit_code: null });
});

for (const shell of [['mksh'], ['busybox', 'ash']]) {
  itNeeds(shell[0] ?? '')(`read at the prompt of ${shell.join(' ')} without marks is not done`, async () => {
    const wait = { until: { awaiting_input: true }, timeout_ms: 20_000 };
    const created = await request(daemon, { cmd: 'create', cmd_args: shell, shell_integration: false, wait });
    const id = String(created['id']);
    expect(await type(id, 'true')).toMatchObject({ wait: { outcome: 'matched' } });
    const { wait: asked } = await type(id, 'read x; echo got');
    expect(asked).toMatchObject({ outcome: 'awaiting_input' });
    expect(await type(id, 'an answer')).toMatchObject({ wait: { outcome: 'matched' } });
  });
}

itNeeds('bash')('of lines that another program hands on for bash it is unknown whether they are all', async () => {
  const home = tempDir().path;
  const created = await request(daemon, {
    cmd: 'create',
    cmd_args: ['bash'],
    cwd: home,
    env: { HOME: home },
    wait: DONE,
  });
  const id = String(created['id']);
  expect(await run(id, 'exec > >(cat >held)')).toMatchObject({ outcome: 'done' });
  expect(await run(id, 'echo one')).toMatchObject({ outcome: 'done', exit_code: 0, lines: [], lost_lines: null });
  expect(await run(id, 'exec >/dev/tty')).toMatchObject({ outcome: 'done' });
  expect(await run(id, 'echo two')).toMatchObject({ lines: ['two'], lost_lines: 0 });
});

itNeeds('bash')('the way out of a line that bash has to verify is Ctrl+C, and the hint says so', async () => {
  const created = await request(daemon, { cmd: 'create', cmd_args: ['bash'], wait: DONE });
  const id = String(created['id']);
  await run(id, 'set -o history -H; shopt -s histverify');
  await run(id, 'echo one');
  await type(id, '!!');
  expect(await run(id, 'echo next')).toMatchObject({ code: 'shell_busy', hint: `t4a press ${id} Ctrl+C` });
  await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'] });
  expect(await run(id, 'echo next')).toMatchObject({ outcome: 'done', lines: ['next'] });
});
