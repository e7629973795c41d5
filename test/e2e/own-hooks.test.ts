/** Shells whose user's own hooks mark prompts and commands, without the injected scripts: what `run` and waits claim of them. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { keepFishFromManuals } from '../support/fish-manuals.js';
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

/** With the marks of t4a, and none of the user's. */
async function integratedZsh(rc = ''): Promise<{ id: string; home: string }> {
  const home = tempDir().path;
  writeFileSync(`${home}/.zshrc`, `${rc}\n`);
  const create = { cmd: 'create', cmd_args: ['zsh'], cwd: home, env: { HOME: home, ZDOTDIR: home }, wait: DONE };
  return { id: String((await request(daemon, create))['id']), home };
}

const DROPPED = expect.stringContaining('was dropped') as string;

const run = (id: string, command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
const type = (id: string, text: string) => request(daemon, { cmd: 'type', id, text, submit: true, wait: DONE });

describe('text that the shell itself has put on its command line is taken away', () => {
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
      // A widget puts it at each prompt.
      const isRepeated = typed === 'touch put';
      const next = await run(id, 'cat hv');
      if (isRepeated) {
        expect(next).toMatchObject({
          ok: false,
          code: 'shell_busy',
          hint: expect.stringContaining('Ctrl+U') as string,
        });
        expect(await request(daemon, { cmd: 'press', id, keys: ['Ctrl+U'] })).toMatchObject({ ok: true });
        expect(await type(id, 'rm put')).toMatchObject({ wait: { outcome: 'matched', code: 0 } });
        expect(await run(id, 'cat hv')).toMatchObject({ outcome: 'done', lines: ['one'] });
      } else expect(next).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['one'], warning: DROPPED });
    });
  }

  for (const [what, made] of [
    ['takes the place of all hooks', 'zle-line-init() { [[ -f put ]] && LBUFFER="echo B; " }; zle -N zle-line-init'],
    [
      'comes behind the other hooks',
      'autoload -Uz add-zle-hook-widget; late() { [[ -f put ]] && LBUFFER="echo B; " }; add-zle-hook-widget line-init late',
    ],
  ] as const)
    itNeeds('zsh')(`of zsh: a widget, made at the prompt, that ${what}`, async () => {
      const { id, home } = await integratedZsh();
      expect(await run(id, made)).toMatchObject({ outcome: 'done', exit_code: 0 });
      expect(await run(id, 'touch put')).toMatchObject({ outcome: 'done', exit_code: 0 });
      expect(await run(id, 'touch ran')).toMatchObject({ ok: false, code: 'shell_busy' });
      rmSync(`${home}/put`);
      expect(await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'] })).toMatchObject({ ok: true });
      expect(await run(id, 'echo two; (exit 3)')).toMatchObject({ outcome: 'done', exit_code: 3, lines: ['two'] });
      expect(existsSync(`${home}/ran`)).toBe(false);
    });

  itNeeds('zsh')('of zsh that types it only when it reads: what ran with the command is said', async () => {
    const { id } = await integratedZsh('zle-line-init() { [[ -f put ]] && zle -U "echo B; " }; zle -N zle-line-init');
    expect(await run(id, 'touch put')).not.toHaveProperty('warning');
    const warning = expect.stringContaining('ran with it') as string;
    expect(await run(id, 'echo two')).toMatchObject({ outcome: 'done', lines: ['B', 'two'], warning });
    const { commands } = await request(daemon, { cmd: 'commands', id });
    expect((commands as { command: string }[]).at(-1)?.command).toBe('echo B; echo two');
  });

  itNeeds('zsh')('of zsh whose hook of the line fails', async () => {
    const { id } = await integratedZsh('zle-line-init() { false }; zle -N zle-line-init');
    expect(await run(id, 'print -z "echo Z; "')).toMatchObject({ outcome: 'done', exit_code: 0 });
    expect(await run(id, 'echo two')).toMatchObject({ outcome: 'done', lines: ['two'], warning: DROPPED });
  });

  itNeeds('zsh')('of zsh: hooks that a widget has replaced, or that were taken away, do not come back', async () => {
    const first = 'autoload -Uz add-zle-hook-widget; first() { touch first }; add-zle-hook-widget line-init first';
    const { id, home } = await integratedZsh(first);
    await run(id, 'second() { touch second }; zle -N zle-line-init second; rm first');
    expect(await run(id, 'ls')).toMatchObject({ lines: ['second'] });
    await run(id, 'zle -D zle-line-init; rm second');
    expect(await run(id, 'ls')).toMatchObject({ lines: [] });
    expect(existsSync(`${home}/first`)).toBe(false);
  });

  itNeeds('bash')('of bash, if it is longer than its row', async () => {
    const { id } = await ownHooks('bash', 'shopt -s histverify');
    const long = `echo ${'x'.repeat(150)} >>hv`;
    await run(id, long);
    await type(id, '!!');
    expect(await run(id, 'wc -l <hv')).toMatchObject({ outcome: 'done', lines: ['1'], warning: DROPPED });
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

const codesOf = async (id: string): Promise<(number | null)[]> =>
  ((await request(daemon, { cmd: 'commands', id }))['commands'] as { code: number | null }[]).map(({ code }) => code);

describe('the status of a prompt before which nothing was typed is that of no command', () => {
  for (const shell of ['bash', 'zsh'] as const) {
    itNeeds(shell)(`of ${shell}`, async () => {
      const { id } = await ownHooks(shell, '(exit 3)');
      expect(await request(daemon, { cmd: 'wait', id, ...DONE })).toMatchObject({ code: null, nothing_ran: true });
      expect(await codesOf(id)).toEqual([]);
      expect(await run(id, '(exit 4)')).toMatchObject({ outcome: 'done', exit_code: 4 });
      expect(await codesOf(id)).toEqual([4]);
    });
  }

  itNeeds('bash')('of bash whose hook marks nothing else', async () => {
    const { id } = await ownHooks('bash', String.raw`PS0=; PS1='\[\e]133;D;$?\a\]\w $ '`);
    expect(await codesOf(id)).toEqual([]);
    expect(await run(id, '(exit 4)')).toMatchObject({ outcome: 'done', exit_code: 4 });
  });
});

itNeeds('bash')('the first line, which bash drops for a word of its history, has no exit code', async () => {
  const { id } = await ownHooks('bash', 'set -o history -H');
  expect(await run(id, '!zzz')).toMatchObject({ outcome: 'done', exit_code: null });
  expect(await codesOf(id)).toEqual([null]);
  expect(await run(id, 'true')).toMatchObject({ outcome: 'done', exit_code: 0 });
  expect(await run(id, '!zzz')).toMatchObject({ outcome: 'done', exit_code: null });
});

itNeeds('bash').each(['!zzz', 'echo !zzz', '^a^b'])('nor has it one if it is typed: %s', async (line) => {
  const { id } = await ownHooks('bash', 'set -o history -H');
  expect(await type(id, line)).toMatchObject({ wait: { code: null } });
  const { commands } = await request(daemon, { cmd: 'commands', id });
  expect((commands as { code: number | null }[]).at(-1)?.code).toBeNull();
  expect(await type(id, 'sh -c "exit 4"')).toMatchObject({ wait: { outcome: 'matched', code: 4 } });
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

const PUT_BY_FISH = `function put --on-event fish_postexec; commandline -r 'echo put >>hv'; functions -e put; end`;

const HELD = [
  ['bash', 'set -o history -H; shopt -s histverify', '!!'],
  ['bash', 'set -o history -H; shopt -s histreedit', 'echo !nope'],
  ['bash', `set -o vi -o history -H; shopt -s histverify`, '!!'],
  ['zsh', 'setopt hist_verify', '!!'],
  ['zsh', 'true', 'print -z "echo put >>hv"'],
  ['zsh', 'bindkey -v', 'print -z "echo put >>hv"'],
  ['zsh', 'put() { print -z "echo put >>hv"; precmd_functions=(); }', 'precmd_functions+=(put)'],
  ['fish', 'true', PUT_BY_FISH],
  ['fish', 'fish_vi_key_bindings', PUT_BY_FISH],
] as const;

/** With a line in its history. */
async function shellAt(shell: string, setting: string): Promise<string> {
  const home = tempDir().path;
  const env = { HOME: home, ZDOTDIR: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
  writeFileSync(`${home}/.zshrc`, '');
  keepFishFromManuals(home);
  const created = await request(daemon, { cmd: 'create', cmd_args: [shell], cwd: home, env, wait: DONE });
  const id = String(created['id']);
  await run(id, setting);
  expect(await run(id, 'echo one >>hv')).toMatchObject({ outcome: 'done', exit_code: 0 });
  return id;
}

for (const [shell, setting, typed] of HELD) {
  itNeeds(shell)(
    `a line that ${shell} has put there is taken away, and run says so: ${typed} (${setting})`,
    async () => {
      const id = await shellAt(shell, setting);
      await type(id, typed);
      expect(await run(id, 'cat hv')).toMatchObject({ outcome: 'done', lines: ['one'], warning: DROPPED });
      const next = await run(id, 'sh -c "exit 3"');
      expect(next).toMatchObject({ outcome: 'done', exit_code: 3 });
      expect(next).not.toHaveProperty('warning');
    },
  );
}

itNeeds('zsh')('behind a line that was taken away, several lines wait for a widget of the next prompt', async () => {
  const id = await shellAt('zsh', 'autoload -Uz add-zle-hook-widget');
  // It computes after the marks of the prompt, and before zsh asks for bracketed pastes.
  await run(id, 'slow() { local -i at; for (( at = 0; at < 40000; at++ )) do :; done }');
  await run(id, 'add-zle-hook-widget line-init slow');
  await type(id, 'print -z "echo put"');
  const next = await run(id, 'if true\nthen echo two\nfi');
  expect(next).toMatchObject({ outcome: 'done', lines: ['two'], warning: DROPPED });
});

itNeeds('zsh')(
  'answers that a program has not read are taken away where the rows have other numbers since',
  async () => {
    const id = await shellAt('zsh', 'true');
    await run(id, String.raw`print 'printf "\033[c\033[6n"; kill -9 $$' >asks`);
    await type(id, 'bash asks');
    await request(daemon, { cmd: 'resize', id, cols: 60, rows: 30 });
    expect(await run(id, 'echo two')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['two'] });
  },
);

itNeeds('bash')('a line to verify is taken away before bash was seen to show it', async () => {
  const id = await shellAt('bash', 'set -o history -H; shopt -s histverify');
  for (let turn = 0; turn < 5; turn++) {
    await request(daemon, { cmd: 'send', id, input: '!!\r' });
    expect(await run(id, 'cat hv')).toMatchObject({ outcome: 'done', lines: ['one'], warning: DROPPED });
  }
});

const AHEAD_OF_ENTER = HELD.filter(([, setting, typed]) => setting === 'true' || typed === '!!');
for (const [shell, setting, typed] of AHEAD_OF_ENTER) {
  itNeeds(shell)(
    `a line of ${shell} is taken away before type and paste submit another: ${typed} (${setting})`,
    async () => {
      const id = await shellAt(shell, setting);
      await type(id, typed);
      const next = await type(id, 'echo two >>hv');
      expect(next).toMatchObject({ warning: DROPPED, wait: { outcome: 'matched', code: 0 } });
      await type(id, typed);
      const pasted = { cmd: 'paste', id, text: 'echo three >>hv', submit: true, wait: DONE };
      // What was put once is gone; a line to verify is another one.
      if (typed === '!!') expect(await request(daemon, pasted)).toMatchObject({ warning: DROPPED, wait: { code: 0 } });
      expect((await run(id, 'cat hv'))['lines']).toEqual(typed === '!!' ? ['one', 'two', 'three'] : ['one', 'two']);
    },
  );
}

itNeeds('zsh')('Enter takes the line of zsh, and so do blanks with Enter', async () => {
  const id = await shellAt('zsh', 'setopt hist_verify');
  for (const cmd of [
    { cmd: 'press', keys: ['Enter'] },
    { cmd: 'type', text: ' ', submit: true },
  ]) {
    await type(id, '!!');
    const { warning, wait } = await request(daemon, { ...cmd, id, wait: DONE });
    expect([warning, wait]).toMatchObject([undefined, { outcome: 'matched', code: 0 }]);
  }
  expect((await run(id, 'cat hv'))['lines']).toEqual(['one', 'one', 'one']);
});

itNeeds('zsh')('what a client has typed without Enter goes before what it types with it', async () => {
  const id = await shellAt('zsh', 'setopt hist_verify');
  await request(daemon, { cmd: 'type', id, text: 'echo half' });
  const { warning } = await type(id, ' and half >>hv');
  expect(warning).toBeUndefined();
  await type(id, '!!');
  await request(daemon, { cmd: 'type', id, text: ' and' });
  expect((await type(id, ' more'))['warning']).toBeUndefined();
  expect((await run(id, 'tail -n 2 hv'))['lines']).toEqual(['half and half', 'half and half and more']);
});

itNeeds('python3')('text behind a prompt that a program has printed is not interrupted', async () => {
  const script = `import sys, signal
signal.signal(signal.SIGINT, lambda *_: (print("INTERRUPTED", flush=True), sys.exit(7)))
sys.stdout.write("\\x1b]133;A\\x07$ \\x1b]133;B\\x07"); sys.stdout.flush()
sys.stdin.readline()
sys.stdout.write("\\x1b]133;D;0\\x07\\x1b]133;A\\x07$ \\x1b]133;B\\x07held"); sys.stdout.flush()
sys.stdin.readline()`;
  const created = await request(daemon, { cmd: 'create', cmd_args: ['python3', '-c', script] });
  const id = String(created['id']);
  await request(daemon, { cmd: 'wait', id, until: { awaiting_input: true } });
  await type(id, 'true');
  expect(await run(id, 'echo next')).toMatchObject({ ok: false, code: 'shell_busy' });
  const { lines } = await request(daemon, { cmd: 'text', id });
  expect((lines as string[]).join(' ')).not.toContain('INTERRUPTED');
});

itNeeds('zsh')('what a client has typed behind such a line is not taken away', async () => {
  const home = tempDir().path;
  writeFileSync(`${home}/.zshrc`, '');
  const env = { HOME: home, ZDOTDIR: home };
  const created = await request(daemon, { cmd: 'create', cmd_args: ['zsh'], env, wait: DONE });
  const id = String(created['id']);
  await type(id, 'print -z "echo put"');
  await request(daemon, { cmd: 'send', id, input: ' more' });
  expect(await run(id, 'echo next')).toMatchObject({ ok: false, code: 'shell_busy', hint: `t4a press ${id} Ctrl+C` });
  await request(daemon, { cmd: 'press', id, keys: ['Enter'], wait: DONE });
  expect(await request(daemon, { cmd: 'text', id, command: -1 })).toMatchObject({
    lines: [expect.stringMatching(/^put more *$/)],
  });
});
