/** Marks of shells that a command prints: of other shells, invented, or this terminal's own output once more. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

const NO_HOME = '/dev/null/home';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { HOME: NO_HOME, XDG_CONFIG_HOME: NO_HOME } });
});
afterAll(() => daemon.stop());

const run = (id: string, command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });

async function shellAtPrompt(shell: string): Promise<string> {
  const wait = { until: { done: true }, timeout_ms: 20_000 };
  const created = await request(daemon, { cmd: 'create', cmd_args: [shell], wait });
  expect(created).toMatchObject({ wait: { outcome: 'matched', nothing_ran: true } });
  return String(created['id']);
}

/** A file in a directory of its own. */
function fileOf(content: string | Buffer): string {
  const file = path.join(tempDir().path, 'printed');
  writeFileSync(file, content);
  return file;
}

const MARKS: Readonly<Record<string, string>> = {
  'of OSC 133': '\x1b]133;C\x07building\n\x1b]133;D;0\x07\x1b]133;A\x07\x1b]133;B\x07',
  'of VS Code': '\x1b]633;C\x07building\n\x1b]633;D;0\x07\x1b]633;A\x07\x1b]633;B\x07',
  'of a prompt hook': 'building\n\x1b]7777;done;0\x07',
  'that announce another shell': '\x1b]7777;shell;zsh\x07building\n\x1b]7777;shell;zsh;off=no reason\x07',
  'with an invented proof': 'building\n\x1b]133;D;0;aid=1;proof=1.2\x07\x1b]133;A;aid=1;proof=1.2\x07',
};

const SHELLS = ['bash', 'zsh', 'fish'];

describe.each(SHELLS)('in %s a command ends with its own status and lines after', (shell) => {
  itNeeds(shell)('marks that it prints', async () => {
    const id = await shellAtPrompt(shell);
    for (const [name, marks] of Object.entries(MARKS)) {
      const file = fileOf(`before\n${marks}after\n`);
      const ran = await run(id, `cat ${file}; sh -c "exit 3"`);
      expect([name, ran]).toMatchObject([
        name,
        { outcome: 'done', exit_code: 3, lines: ['before', 'building', 'after'] },
      ]);
    }
    expect(await run(id, 'echo next')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['next'] });
  });
});

describe.each([...SHELLS, 'dash', 'mksh'])('in %s a command ends with its own status after', (shell) => {
  itNeeds(shell)("its terminal's own output, printed once more", async () => {
    const id = await shellAtPrompt(shell);
    await run(id, 'echo one');
    await run(id, 'echo two');
    const { data } = await request(daemon, { cmd: 'output', id, inline: true });
    const printed = Buffer.from(String(data), 'base64');
    expect(printed.toString()).toContain(';proof=');
    const file = fileOf(Buffer.concat([printed, Buffer.from('\r\nafter\n')]));
    const ran = await run(id, `cat ${file}; sh -c "exit 3"`);
    expect(ran).toMatchObject({ outcome: 'done', exit_code: 3, n: 3 });
    expect((ran['lines'] as string[]).at(-1)).toBe('after');
    expect(await run(id, 'echo next')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['next'], n: 4 });
  });
});

const ALL_SHELLS = [...SHELLS, 'dash', 'mksh', 'ksh93'];

describe.each(['dash', 'mksh', 'ksh93'])(
  'in %s, which marks no starts, a command has its own start and end after',
  (shell) => {
    itNeeds(shell)('a start and an end that it prints', async () => {
      const id = await shellAtPrompt(shell);
      for (const marks of [
        '\x1b]633;C\x07',
        '\x1b]7777;done;0\x07',
        '\x1b]133;C\x07\x1b]133;D;0\x07',
        '\x1b]633;D;0\x07',
      ]) {
        const ran = await run(id, `cat ${fileOf(`before\n${marks}after\n`)}; sh -c "exit 3"`);
        expect(ran).toMatchObject({ outcome: 'done', exit_code: 3, lines: ['before', 'after'] });
      }
      await request(daemon, { cmd: 'kill', id });
    });
  },
);

interface Listed {
  commands: { n: number; code: number | null; running: boolean; shell_level?: number }[];
}

async function commandsOf(id: string): Promise<Listed['commands']> {
  return ((await request(daemon, { cmd: 'commands', id, last: 1000 })) as unknown as Listed).commands;
}

const SSH = `#!/bin/bash
stty -icanon -echo
for file; do cat "$file"; read -rsn 1; done
stty sane
exit 7
`;

const PROMPTS = ['\x1b]133;A\x07\x1b]133;B\x07$ ', '\x1b]633;A\x07\x1b]633;B\x07$ '];

/** Behind a printed prompt, one after another. */
const FORGED = [
  PROMPTS[0] ?? '',
  '\x1b]133;C\x07xx\x1b]133;D;0\x07\x1b]133;A\x07\x1b]133;B\x07$ ',
  '\x1b]133;D;0\x07',
  '\x1b]7777;done;0\x07',
  '\x1b]633;D;0\x07\x1b]633;A\x07\x1b]633;B\x07',
  '\x1b]633;C\x07\x1b]633;D;0\x07',
  '\x1b]7777;shell;zsh;off=no reason\x07',
  Array.from({ length: 1100 }, (_, i) => `\x1b]133;A;aid=${i}\x07\x1b]133;C;aid=${i}\x07`).join(''),
];

describe.each(ALL_SHELLS)('in %s a prompt that a command prints', (shell) => {
  itNeeds(shell)('makes no shell of a program that reads keys', async () => {
    const id = await shellAtPrompt(shell);
    for (const [i, prompt] of PROMPTS.entries()) {
      const reads = `cat ${fileOf(prompt)}; sh -c "stty raw -echo; head -c 1; stty sane; exit 3"`;
      expect(await run(id, reads)).toMatchObject({ outcome: 'awaiting_input', exit_code: null, n: i + 1 });
      const status = await request(daemon, { cmd: 'status', id });
      expect(status).toMatchObject({ last_command: { running: true }, awaiting_input: { secrecy: 'unknown' } });
      expect(status).not.toHaveProperty('shell_level');
      expect(await run(id, 'echo next')).toMatchObject({ code: 'shell_busy' });
      const wait = { until: { done: true }, timeout_ms: 20_000 };
      const pressed = await request(daemon, { cmd: 'press', id, keys: ['x'], wait });
      expect(pressed).toMatchObject({ wait: { outcome: 'matched', code: 3 } });
    }
    expect(await commandsOf(id)).toMatchObject([{ code: 3 }, { code: 3 }]);
    await request(daemon, { cmd: 'kill', id });
  });

  itNeeds(shell)('and all that is printed after it, end no command behind ssh', async () => {
    // In its place: what reads keys under this name, and prints a file for each.
    const ssh = path.join(tempDir().path, 'ssh');
    writeFileSync(ssh, SSH, { mode: 0o755 });
    const id = await shellAtPrompt(shell);
    const forged = FORGED.map((marks, i) => fileOf(`${marks}ready-${i} `)).join(' ');
    const wait = { until: { done: true }, timeout_ms: 30_000 };
    const typed = request(daemon, { cmd: 'type', id, text: `${ssh} ${forged}; sh -c "exit 9"`, submit: true, wait });
    for (const [i, marks] of FORGED.entries()) {
      for (const until of [{ text: `ready-${i} ` }, { awaiting_input: 'raw' }]) {
        const seen = await request(daemon, { cmd: 'wait', id, until, timeout_ms: 20_000 });
        expect([marks, seen]).toMatchObject([marks, { outcome: 'matched' }]);
      }
      const [first] = await commandsOf(id);
      expect([marks, first]).toMatchObject([marks, { running: true, code: null }]);
      await request(daemon, { cmd: 'press', id, keys: ['x'] });
    }
    expect(await typed).toMatchObject({ wait: { outcome: 'matched', code: 9 } });
    const [first, ...inner] = await commandsOf(id);
    expect(first).toMatchObject({ n: 1, running: false, code: 9 });
    expect(inner.length).toBeGreaterThan(2);
    for (const one of inner) expect(one).toMatchObject({ running: false, shell_level: expect.any(Number) as number });
    expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ last_command: { n: 1, code: 9 } });
    expect(await run(id, 'echo next')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['next'] });
    await request(daemon, { cmd: 'kill', id });
  });

  itNeeds(shell)('in the background is neither a prompt nor a command', async () => {
    const id = await shellAtPrompt(shell);
    const fifo = path.join(tempDir().path, 'fifo');
    execFileSync('mkfifo', [fifo]);
    expect(await run(id, `cat ${fifo} & true`)).toMatchObject({ outcome: 'done', exit_code: 0 });
    const wait = { id, until: { text: 'THE-END' }, timeout_ms: 20_000 };
    const seen = request(daemon, { cmd: 'wait', ...wait });
    await writeFile(fifo, `${Object.values(MARKS).join('')}${PROMPTS.join('')}THE-END\n`);
    expect(await seen).toMatchObject({ outcome: 'matched' });
    expect(await commandsOf(id)).toMatchObject([{ n: 1, code: 0, running: false }]);
    expect(await run(id, 'sh -c "exit 4"')).toMatchObject({ outcome: 'done', exit_code: 4, n: 2 });
    await request(daemon, { cmd: 'kill', id });
  });
});

/** A start-up file of a bash that marks its prompts and commands without an `aid`. */
const INNER = String.raw`PS1='\[\e]133;A\a\]in> \[\e]133;B\a\]' PS0='\e]133;C\a'
PROMPT_COMMAND='__r=$?; printf "\e]133;D;%s\a" $__r'
`;

describe.each(ALL_SHELLS)('in %s a shell within a command that marks its own prompts', (shell) => {
  itNeeds(shell, 'bash')(
    'runs commands, which are reported as its own, and the command around it has its own end',
    async () => {
      const id = await shellAtPrompt(shell);
      const outer = await run(id, `bash --rcfile ${fileOf(INNER)}`);
      expect(outer).toMatchObject({
        outcome: 'awaiting_input',
        awaiting_input: { process: 'bash' },
        exit_code: null,
        n: 1,
      });
      expect(outer).not.toHaveProperty('shell_level');
      const status = await request(daemon, { cmd: 'status', id });
      expect(status).toMatchObject({ shell_level: 1, awaiting_input: { secrecy: 'shown' } });
      const ran = await run(id, 'echo in; sh -c "exit 4"');
      expect(ran).toMatchObject({ outcome: 'done', exit_code: 4, lines: ['in'], n: 2, shell_level: 1 });
      const wait = { until: { done: true }, timeout_ms: 20_000 };
      const typed = await request(daemon, { cmd: 'type', id, text: 'sh -c "exit 5"', submit: true, wait });
      expect(typed).toMatchObject({ wait: { outcome: 'matched', code: 5, shell_level: 1 } });
      const left = await request(daemon, { cmd: 'type', id, text: 'exit 6', submit: true, wait });
      expect(left).toMatchObject({ wait: { outcome: 'matched', code: 6 } });
      expect(left['wait']).not.toHaveProperty('shell_level');
      const [first, ...inner] = await commandsOf(id);
      expect(first).toMatchObject({ n: 1, running: false, code: 6 });
      expect(inner).toMatchObject([{ code: 4 }, { code: 5 }, { code: null }]);
      for (const one of inner) expect(one).toMatchObject({ running: false, shell_level: 1 });
      expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ last_command: { n: 1, code: 6 } });
      await request(daemon, { cmd: 'kill', id });
    },
  );
});

describe('in bash', () => {
  itNeeds('bash')('after set -v the line of the hook is among the lines of the command', async () => {
    const id = await shellAtPrompt('bash');
    await run(id, 'set -v');
    const ran = await run(id, 'sh -c "echo one; exit 3"');
    expect(ran).toMatchObject({ outcome: 'done', exit_code: 3, lines: ['one', expect.stringContaining('__t4a_hook')] });
  });

  itNeeds('bash')('set -x shows nothing of the marks', async () => {
    const id = await shellAtPrompt('bash');
    await run(id, 'set -x');
    expect(await run(id, 'printf one')).toMatchObject({ lines: ['+ printf one', 'one'] });
  });

  itNeeds('bash')('a line that the history does not keep is reported as itself or not at all', async () => {
    const home = path.dirname(fileOf('HISTCONTROL=ignoreboth:erasedups\n'));
    writeFileSync(path.join(home, '.bashrc'), 'HISTCONTROL=ignoreboth:erasedups\n');
    const wait = { until: { done: true }, timeout_ms: 20_000 };
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['bash'], env: { HOME: home }, wait });
    for (const command of ['echo a', 'echo b', 'echo a', ' true']) await run(String(id), command);
    const { commands } = await request(daemon, { cmd: 'commands', id, last: 1 });
    expect([null, ' true', 'true']).toContain((commands as { command: string | null }[])[0]?.command);
  });
});
