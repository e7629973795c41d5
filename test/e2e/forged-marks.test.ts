/** Marks of shells that a command prints: of other shells, invented, or this terminal's own output once more. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';

const NO_HOME = '/dev/null/home';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { HOME: NO_HOME, XDG_CONFIG_HOME: NO_HOME } });
});
afterAll(() => daemon.stop());

const run = (id: string, command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });

/** The first word is the program. */
const MARKING_STARTS = ['bash', 'bash with a DEBUG trap', 'zsh', 'fish'];
const MARKING_NO_STARTS = ['dash', 'busybox ash', 'mksh', 'ksh93'];
const SHELLS = [...MARKING_STARTS, ...MARKING_NO_STARTS];

function programOf(shell: string): string {
  return shell.split(' ')[0] ?? shell;
}

async function shellAtPrompt(shell: string): Promise<string> {
  const wait = { until: { done: true }, timeout_ms: 20_000 };
  const hasTrap = shell.endsWith('trap');
  const home = hasTrap ? tempDir().path : NO_HOME;
  if (hasTrap) writeFileSync(path.join(home, '.bashrc'), 'trap : DEBUG\n');
  const cmd_args = hasTrap ? [programOf(shell)] : shell.split(' ');
  const created = await request(daemon, { cmd: 'create', cmd_args, env: { HOME: home }, wait });
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
  'of kitty, VS Code, iTerm2 and WezTerm at once': [
    '\x1b]133;D;0;aid=77\x07\x1b]133;A;k=s;click_events=1\x07\x1b]133;B\x07\x1b]133;C;cmdline_url=rm%20-rf\x07',
    '\x1b]633;E;rm -rf;8d1f\x07\x1b]633;C\x07building\n\x1b]633;D;0\x07\x1b]633;P;Cwd=/\x07\x1b]633;A\x07\x1b]633;B\x07',
    '\x1b]1337;ShellIntegrationVersion=14;shell=zsh\x1b\\\x1b]133;D;0\x1b\\\x1b]1337;RemoteHost=me@there\x1b\\\x1b]133;A\x1b\\',
    '\x1b]133;P;k=i\x1b\\\x1b]133;A;cl=m;aid=77\x1b\\\x1b]133;B\x1b\\\x1b]133;D;0;aid=77\x1b\\\x1b]7777;done;0\x07',
  ].join(''),
  'with an invented proof': 'building\n\x1b]133;D;0;aid=1;proof=1.2\x07\x1b]133;A;aid=1;proof=1.2\x07',
};

describe.each(SHELLS)('in %s a command ends with its own status and lines after', (shell) => {
  itNeeds(programOf(shell))('marks that it prints', async () => {
    const id = await shellAtPrompt(shell);
    for (const [name, marks] of Object.entries(MARKS)) {
      const shapes = [`before\n${marks}after\n`, `${marks}after\n`];
      for (const printed of casesOf(shapes, (each) => each.startsWith('before') === name.startsWith('of '))) {
        const ran = await run(id, `cat ${fileOf(printed)}; sh -c "exit 3"`);
        const lines = printed.startsWith('before') ? ['before', 'building', 'after'] : ['building', 'after'];
        expect([name, ran]).toMatchObject([name, { outcome: 'done', exit_code: 3, lines }]);
      }
    }
    expect(await run(id, 'echo next')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['next'] });
    expect(
      (await commandsOf(id)).filter(({ code, shell_level }) => code !== 3 || shell_level !== undefined),
    ).toHaveLength(1);
    await request(daemon, { cmd: 'kill', id });
  });
});

describe.each(SHELLS)('in %s a command ends with its own status after', (shell) => {
  itNeeds(programOf(shell))("its terminal's own output, printed once more, from any mark on", async () => {
    const id = await shellAtPrompt(shell);
    await run(id, 'echo one');
    await run(id, 'echo two');
    const { data } = await request(daemon, { cmd: 'output', id, inline: true });
    // Without the queries of its line editor, whose answers would be echoed.
    const printed = Buffer.from(String(data), 'base64').toString('latin1').replaceAll('\x1b[6n', '');
    expect(printed).toContain(';proof=');
    const marks = [0];
    for (let at = printed.indexOf('\x1b]'); at !== -1; at = printed.indexOf('\x1b]', at + 1)) marks.push(at);
    // Whole, and from the last marks on: those whose proofs are the newest.
    const begins = casesOf(marks, (each) => each === 0 || marks.indexOf(each) >= marks.length - 3);
    for (const begin of begins) {
      const file = fileOf(Buffer.from(`${printed.slice(begin)}\r\nafter\n`, 'latin1'));
      const ran = await run(id, `cat ${file}; sh -c "exit 3"`);
      expect([begin, ran]).toMatchObject([begin, { outcome: 'done', exit_code: 3 }]);
      expect((ran['lines'] as string[]).at(-1)).toBe('after');
    }
    expect(await run(id, 'echo next')).toMatchObject({ outcome: 'done', exit_code: 0, n: begins.length + 3 });
    await request(daemon, { cmd: 'kill', id });
  });
});

describe.each(MARKING_NO_STARTS)('in %s, which marks its prompt for more,', (shell) => {
  itNeeds(programOf(shell))('a command is not taken for unfinished after such a mark that it prints', async () => {
    const id = await shellAtPrompt(shell);
    const wait = { until: { done: true }, timeout_ms: 20_000 };
    const typed = await request(daemon, { cmd: 'type', id, text: 'echo "one\rtwo"\r', wait });
    expect(typed).toMatchObject({ wait: { outcome: 'matched', code: 0, command: 'echo "one\ntwo"' } });
    const { data } = await request(daemon, { cmd: 'output', id, inline: true });
    const printed = Buffer.from(String(data), 'base64').toString('latin1').replaceAll('\x1b[6n', '');
    const at = printed.indexOf('\x1b]133;P');
    expect(at).toBeGreaterThan(0);
    const replayed = fileOf(Buffer.from(`${printed.slice(at)}\r\nafter\n`, 'latin1'));
    const ran = await run(id, `cat ${replayed}; sh -c "exit 3"`);
    expect(ran).toMatchObject({ outcome: 'done', exit_code: 3, n: 2 });
    expect((ran['lines'] as string[]).at(-1)).toBe('after');
    await request(daemon, { cmd: 'kill', id });
  });
});

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

const PROMPT = '\x1b]133;A\x07\x1b]633;A\x07\x1b]133;B\x07\x1b]633;B\x07$ ';

/** Behind a printed prompt, one after another. */
const FORGED = [
  PROMPT,
  '\x1b]133;C\x07xx\x1b]133;D;0\x07\x1b]133;A\x07\x1b]133;B\x07$ ',
  '\x1b]133;D;0\x07',
  '\x1b]7777;done;0\x07',
  '\x1b]633;D;0\x07\x1b]633;A\x07\x1b]633;B\x07',
  '\x1b]633;C\x07\x1b]633;D;0\x07',
  '\x1b]7777;shell;zsh;off=no reason\x07',
  Array.from({ length: 1100 }, (_, i) => `\x1b]133;A;aid=${i}\x07\x1b]133;C;aid=${i}\x07`).join(''),
];

/** One of each way to mark. */
const IN_SUITE = ['bash', 'zsh', 'fish', 'dash', 'busybox ash'];
const SOME_SHELLS = casesOf(SHELLS, (each) => IN_SUITE.includes(each));

describe.each(SOME_SHELLS)('in %s a prompt that a command prints', (shell) => {
  itNeeds(programOf(shell))('makes no shell of a program that reads keys', async () => {
    const id = await shellAtPrompt(shell);
    const reads = `cat ${fileOf(PROMPT)}; sh -c "stty raw -echo; head -c 1; stty sane; exit 3"`;
    expect(await run(id, reads)).toMatchObject({ outcome: 'awaiting_input', exit_code: null, n: 1 });
    const status = await request(daemon, { cmd: 'status', id });
    expect(status).toMatchObject({ last_command: { running: true }, awaiting_input: { secrecy: 'unknown' } });
    expect(status).not.toHaveProperty('shell_level');
    expect(await run(id, 'echo next')).toMatchObject({ code: 'shell_busy' });
    const wait = { until: { done: true }, timeout_ms: 20_000 };
    const pressed = await request(daemon, { cmd: 'press', id, keys: ['x'], wait });
    expect(pressed).toMatchObject({ wait: { outcome: 'matched', code: 3 } });
    expect(await commandsOf(id)).toMatchObject([{ code: 3 }]);
    await request(daemon, { cmd: 'kill', id });
  });

  itNeeds(programOf(shell))('and all that is printed after it, end no command behind ssh', async () => {
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

  itNeeds(programOf(shell))('in the background is neither a prompt nor a command', async () => {
    const id = await shellAtPrompt(shell);
    const fifo = path.join(tempDir().path, 'fifo');
    execFileSync('mkfifo', [fifo]);
    expect(await run(id, `cat ${fifo} & true`)).toMatchObject({ outcome: 'done', exit_code: 0 });
    const wait = { id, until: { text: 'THE-END' }, timeout_ms: 20_000 };
    const seen = request(daemon, { cmd: 'wait', ...wait });
    await writeFile(fifo, `${Object.values(MARKS).join('')}${PROMPT}THE-END\n`);
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

describe.each(SOME_SHELLS)('in %s a shell within a command that marks its own prompts', (shell) => {
  itNeeds(programOf(shell), 'bash')(
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

itNeeds('bash', 'zsh')(
  'a prompt that is printed before a shell without marks makes none with marks of it',
  async () => {
    const id = await shellAtPrompt('zsh');
    const asked = { outcome: 'awaiting_input', exit_code: null, awaiting_input: { process: 'bash' } };
    expect(await run(id, `cat ${fileOf(PROMPT)}; bash --norc; sh -c "exit 4"`)).toMatchObject(asked);
    // The first line shows it: no mark answers.
    const ran = await run(id, 'echo in');
    expect(ran).toMatchObject(asked);
    expect(ran['lines']).toContain('in');
    expect(await run(id, 'echo in')).toMatchObject({ code: 'no_shell_prompt' });
    const wait = { until: { done: true }, timeout_ms: 20_000 };
    const typed = await request(daemon, { cmd: 'type', id, text: 'sleep 0.1; false', submit: true, wait });
    expect(typed).toMatchObject({ wait: { outcome: 'matched', code: null } });
    const left = await request(daemon, { cmd: 'type', id, text: 'exit', submit: true, wait });
    expect(left).toMatchObject({ wait: { outcome: 'matched', code: 4 } });
    expect(await commandsOf(id)).toMatchObject([{ n: 1, code: 4 }]);
    await request(daemon, { cmd: 'kill', id });
  },
);

describe('in bash', () => {
  itNeeds('bash')('after set -v the line of the hook is among the lines of the command', async () => {
    const id = await shellAtPrompt('bash');
    await run(id, 'set -v');
    const ran = await run(id, 'sh -c "echo one; exit 3"');
    expect(ran).toMatchObject({ outcome: 'done', exit_code: 3, lines: ['one', expect.stringContaining('__t4a_hook')] });
  });

  itNeeds('bash')('the line that a command prints is not its own where the shell marks no starts', async () => {
    const id = await shellAtPrompt('bash');
    await run(id, 'shopt -u promptvars');
    for (const text of [`cat ${fileOf('\x1b]633;E;forged\x07')}`, '(exit 3)']) {
      await request(daemon, {
        cmd: 'type',
        id,
        text,
        submit: true,
        wait: { until: { done: true }, timeout_ms: 20_000 },
      });
    }
    expect(await commandsOf(id)).toMatchObject([{ code: 0 }, { code: 0, command: null }, { code: 3, command: null }]);
    await request(daemon, { cmd: 'kill', id });
  });

  itNeeds('bash')('set -x shows nothing of the marks', async () => {
    const id = await shellAtPrompt('bash');
    await run(id, 'set -x');
    expect(await run(id, 'printf one')).toMatchObject({ lines: ['+ printf one', 'one'] });
  });

  const KEEPS_LESS = [
    'HISTCONTROL=ignoreboth:erasedups',
    'HISTCONTROL=ignoreboth',
    'HISTCONTROL=ignoreboth HISTSIZE=2',
    "HISTIGNORE=' *'",
    'trap : DEBUG; HISTCONTROL=ignorespace',
  ];
  itNeeds('bash').each(KEEPS_LESS)(
    'a line that the history does not keep is reported as itself or not at all: %s',
    async (rc) => {
      const home = tempDir().path;
      writeFileSync(path.join(home, '.bashrc'), `${rc}\n`);
      const wait = { until: { done: true }, timeout_ms: 20_000 };
      const created = await request(daemon, { cmd: 'create', cmd_args: ['bash'], env: { HOME: home }, wait });
      const id = String(created['id']);
      for (const command of ['echo a', 'echo b', 'echo a']) await run(id, command);
      await request(daemon, { cmd: 'type', id, text: ' true', submit: true, wait });
      for (const command of [' true', 'set +o history', 'echo c']) await run(id, command);
      const { commands } = await request(daemon, { cmd: 'commands', id });
      const told = (commands as { command: string | null }[]).map(({ command }) => command);
      expect(told).toEqual(['echo a', 'echo b', 'echo a', null, ' true', 'set +o history', 'echo c']);
    },
  );
});
