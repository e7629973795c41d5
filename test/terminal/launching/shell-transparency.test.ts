/**
 * Shells with and without the injected scripts, side by side: the same lines typed, the same bytes shown once the marks
 * are taken out. Each line is typed when the prompt is there, which its own text shows.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Pty } from '../../../src/terminal/pty/pty.js';
import { integrateShell } from '../../../src/terminal/launching/shell-integration.js';
import { Screen } from '../../../src/vt/screen.js';
import { requireProgram } from '../../support/programs.js';
import { casesOf } from '../../support/trial.js';
import { THEME } from '../../vt/screens.js';
import { readers } from '../../support/own-parts.js';

const SCRIPTS = fileURLToPath(new URL('../../../shell', import.meta.url));
/** The marks of the scripts: OSC 7777;shell, 133 with the shell's own `aid` (those of fish 4 have none), and OSC 7. */
const MARKS =
  // oxlint-disable-next-line no-control-regex
  /\x1b\](?:7777;shell;[^\x07]*|133;[A-D][^\x07\x1b]*aid=\d+[^\x07\x1b]*|7;(?:kitty-shell-cwd|file):[^\x07]*)\x07/g;
/** How the profile of systemd (256 and later) marks what runs in a login shell, with numbers that differ from run to run. */
// oxlint-disable-next-line no-control-regex
const CONTEXTS = /\x1b\]3008;[^\x07\x1b]*\x1b\\/g;
const PROMPT = 'PROMPT> ';
const SIZE = { cols: 100, rows: 24 };

/** Of the tables, for each shell what its users have most often; a trial has all. */
const IN_SUITE: ReadonlySet<string> = new Set([
  'a PROMPT_COMMAND that is set at the prompt',
  'an ERR trap',
  'a DEBUG trap that is set at the prompt',
  'a PROMPT_COMMAND',
  'a DEBUG trap',
  'PS0',
  'a readonly PROMPT_COMMAND',
  'as it is',
  'with hooks of the user',
  'with event handlers of the user',
]);
const inSuite = ([what]: readonly [string, ...unknown[]]): boolean => IN_SUITE.has(what);

let home = '';
const ptys: Pty[] = [];

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 't4a-home-'));
});
afterEach(() => {
  for (const pty of ptys.splice(0)) if (!pty.closed) process.kill(pty.pid, 'SIGKILL');
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

interface Session {
  readonly program: string;
  readonly args?: readonly string[];
  /** Start-up files by their path in the home directory. */
  readonly files: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Typed one after the other, each at a prompt. */
  readonly lines: readonly string[];
}

/** All that the terminal was sent, marks included, until the shell had shown its last prompt. */
async function transcript(
  { program, args = [], files, env = {}, lines }: Session,
  integrated: boolean,
): Promise<string> {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  for (const [name, content] of Object.entries({ '.keep': '', ...files })) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), content);
  }
  const file = requireProgram(program);
  const base = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', HOME: home, ...env };
  const start = integrated ? integrateShell({ file, args, env: base }, SCRIPTS) : { file, args, env: base };
  const pty = new Pty({ ...start, cwd: home, ...SIZE }, readers);
  ptys.push(pty);
  const exited = new Promise((resolve) => {
    pty.onExit.on(resolve);
  });
  let shown = '';
  let wake: (() => void) | undefined;
  const screen = new Screen({ ...SIZE, scrollback: 0, colors: THEME, version: '1' });
  // fish asks at its start and, from 4.1 on, at every prompt.
  screen.onReply.on((reply) => void pty.write(Buffer.from(reply)));
  pty.onData.on((bytes) => {
    shown += Buffer.from(bytes).toString('utf8');
    screen.write(bytes);
    wake?.();
  });
  const prompts = () => readyPrompts(shown.replaceAll(MARKS, ''), program);
  for (const [typed, line] of [...lines, ''].entries()) {
    while (prompts() <= typed) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    // What it asked is answered before anything is typed.
    expect(await screen.settle(10_000)).toBe(true);
    // At the last prompt, the end of input: what a shell shows after its prompt is compared, too.
    await pty.write(Buffer.from(typed < lines.length ? `${line}\r` : '\x04'));
  }
  await exited;
  screen.dispose();
  return shown;
}

/** Prompts that were shown; zsh and fish draw them more than once, but turn bracketed paste on once for each line. */
function readyPrompts(shown: string, program: string): number {
  if (program === 'bash') return shown.split(PROMPT).length - 1;
  if (program === 'zsh') return shown.split('\x1b[?2004h').length - 1;
  return fishPrompts(shown).filter((row) => row.includes(PROMPT)).length;
}

/** The rows with a prompt, which fish 4.0 draws before it turns bracketed paste on, and other versions after that. */
function fishPrompts(shown: string): string[] {
  return shown.split('\n').filter((row) => row.includes('\x1b[?2004h'));
}

/** Numbers of processes differ from run to run. */
async function expectSame(session: Session): Promise<string> {
  const plain = await transcript(session, false);
  const marked = await transcript(session, true);
  expect(marked).toMatch(MARKS);
  expect(comparable(marked)).toBe(comparable(plain));
  return marked;
}

/** fish 4.0, also by itself, goes now and then to the first column before its mark, where it is already. */
// oxlint-disable-next-line no-control-regex
const IDLE_RETURNS = /(?<=\r\x1b\[K\x1b\[30m\x1b\(B\x1b\[m)\r(?=\x1b\]133;A)/g;

/** fish, also by itself, turns inverse on and off now and then with nothing in between. */
const NOTHING_INVERSE = '\x1b[7m\x1b[27m';

function comparable(shown: string): string {
  return shown
    .replaceAll(MARKS, '')
    .replaceAll(IDLE_RETURNS, '')
    .replaceAll(NOTHING_INVERSE, '')
    .replaceAll(CONTEXTS, withoutNumbers);
}

function withoutNumbers(context: string): string {
  return context.replaceAll(/(?<=;(?:start|end|pid)=)[\w-]+/g, '');
}

const BASHRC = `PS1='${PROMPT}'; bind 'set enable-bracketed-paste off'\n`;
const LINES = [
  'true',
  '(exit 3)',
  'echo "status $?"',
  '',
  'false | true',
  'echo "${PIPESTATUS[@]} $_"',
  'echo last',
  'echo "$_"',
];

function codes(marked: string): string[] {
  return [...marked.matchAll(/133;D;(\d+);aid=/g)].map(([, code = '']) => code);
}

/** The option of the C marks that holds the command line. */
function commandLines(marked: string, option = 'cmdline'): string[] {
  return (marked.match(MARKS) ?? []).flatMap((mark) => mark.slice(0, -1).split(`;${option}=`).slice(1));
}

describe('bash shows the same as without integration', () => {
  test('line by line, with exit statuses marked', async () => {
    const marked = await expectSame({ program: 'bash', files: { '.bashrc': BASHRC }, lines: LINES });
    expect(codes(marked)).toEqual(['0', '3', '0', '0', '0', '0', '0']);
    expect(commandLines(marked)).toHaveLength(7);
    expect(commandLines(marked)[1]).toBe(String.raw`\(exit\ 3\)`);
  });

  test.each(
    casesOf(
      [
        ['set -e', ['set -e', 'true', 'echo alive', 'cd /', 'echo "$PWD"']],
        ['set -u', ['set -u', 'true', 'echo alive']],
        ['no promptvars', ['shopt -u promptvars', 'echo one', 'shopt -s promptvars', 'echo two']],
        [
          'a prompt that is set at the prompt',
          ['PS1="x$PS1"', 'echo one', 'PS0="before "', 'echo two', 'PS0=', 'echo three'],
        ],
        ['an exported prompt', ['export PS1', 'sh -c "echo \\${#PS1}"', 'echo two']],
        [
          'a PROMPT_COMMAND that is set at the prompt',
          ['PROMPT_COMMAND="echo pc \\$?"', '(exit 4)', 'PROMPT_COMMAND=', 'true'],
        ],
        [
          'subshells and failing pipelines',
          ['(cd /; pwd; exit 5)', '! true', 'false || echo no', 'echo $(exit 9; echo x)'],
        ],
        ['an ERR trap', ['trap "echo err" ERR', 'false', 'true']],
        [
          'a DEBUG trap that is set at the prompt',
          [
            `trap 'echo "<$BASH_COMMAND>"' DEBUG`,
            'false',
            "trap 'echo return' RETURN; set -T",
            '(exit 3)',
            'echo "$?"',
          ],
        ],
        ['nested shells', ['bash --norc --noediting -c "echo inner"', 'sh -c "exit 6"', 'echo $?']],
        ['history', ['echo a', ' echo hidden', 'history', 'echo !!', 'fc -ln -2']],
        ['job control', ['jobs', 'set +m', 'jobs']],
        ['syntax errors', ['echo )', 'echo $?', 'if true; then echo yes; fi']],
      ],
      inSuite,
    ),
  )('with %s', async (_, lines) => {
    await expectSame({ program: 'bash', files: { '.bashrc': BASHRC }, lines });
  });

  test.each(
    casesOf(
      [
        ['a PROMPT_COMMAND', 'PROMPT_COMMAND=\'echo "pc $? ${PIPESTATUS[@]}"\''],
        ['an exported PROMPT_COMMAND', 'export PROMPT_COMMAND=\'echo "pc $?"\''],
        ['an array of PROMPT_COMMANDs', "PROMPT_COMMAND=('echo \"one $?\"' 'false' 'echo \"two $?\"')"],
        ['a PROMPT_COMMAND that makes the prompt', `PROMPT_COMMAND='PS1="$? ${PROMPT}"'`],
        ['a DEBUG trap', 'trap \'echo "<$BASH_COMMAND>"\' DEBUG'],
        ['PS0', "PS0='start\\n'"],
        ['a return', 'return; echo never'],
        ['a last line that fails', '(exit 2)'],
        ['a readonly PS1', 'readonly PS1'],
        ['aliases', 'alias printf=false shopt=false local=false; alias'],
        ['ignored commands', 'HISTCONTROL=ignoreboth HISTIGNORE="ls:cd*"'],
        ['timed history', 'HISTTIMEFORMAT="%F "'],
      ],
      inSuite,
    ),
  )('with %s of the user', async (_, setting) => {
    const lines = ['(exit 3)', 'echo "status $?"', '', ' echo spaced', 'false | true', 'cd /', 'echo last'];
    const marked = await expectSame({ program: 'bash', files: { '.bashrc': `${BASHRC}${setting}\n` }, lines });
    expect(codes(marked)).toEqual(['3', '0', '0', '0', '0', '0']);
  });

  test.each(
    casesOf(
      [
        ['a readonly PROMPT_COMMAND', 'PROMPT_COMMAND=\'echo "pc $?"\'; readonly PROMPT_COMMAND'],
        ['a readonly PS0', "PS0='start\\n'; readonly PS0"],
        ['a DEBUG trap and a readonly PS1', 'trap \'echo "<$BASH_COMMAND>"\' DEBUG; readonly PS1'],
      ],
      inSuite,
    ),
  )('with %s of the user, and marks nothing', async (_, setting) => {
    const lines = ['(exit 3)', 'echo "status $?"', 'alias; shopt expand_aliases'];
    const marked = await expectSame({ program: 'bash', files: { '.bashrc': `${BASHRC}${setting}\n` }, lines });
    expect(marked.match(MARKS)).toEqual([expect.stringContaining('7777;shell;bash;off=')]);
  });

  test('as a login shell, with any start-up files', async () => {
    const files = { '.bashrc': 'echo rc\n', '.profile': 'echo profile\n' };
    const session = {
      program: 'bash',
      args: ['-l'],
      lines: ['shopt login_shell', 'echo "$HISTFILE $ENV $POSIXLY_CORRECT"', 'set -o', 'shopt', 'env -u SHLVL'],
    };
    await expectSame({ ...session, files: { ...files, '.bash_profile': `echo bash_profile; ${BASHRC}` } });
    await expectSame({ ...session, files: { '.bash_login': `echo bash_login; ${BASHRC}`, ...files } });
    await expectSame({
      ...session,
      files: { ...files, '.profile': `echo profile; ${BASHRC}` },
      env: { ENV: '/nonexistent' },
    });
  });

  test('and writes the same history', async () => {
    const session = { program: 'bash', files: { '.bashrc': BASHRC }, lines: ['echo a', 'echo b', 'history -a'] };
    await transcript(session, false);
    const plain = readFileSync(path.join(home, '.bash_history'), 'utf8');
    await transcript(session, true);
    expect(readFileSync(path.join(home, '.bash_history'), 'utf8')).toBe(plain);
    expect(readdirSync(home).toSorted()).toEqual(['.bash_history', '.bashrc', '.keep']);
  });
});

const ZSHRC = `PROMPT='${PROMPT}'\n`;

describe('zsh shows the same as without integration', () => {
  test.each(
    casesOf(
      [
        ['as it is', ''],
        ['with hooks of the user', 'precmd() { print "precmd $? $pipestatus" }; preexec() { print "preexec $1" }'],
        ['with a line-init widget of the user', 'zle-line-init() { print -n i }; zle -N zle-line-init'],
        ['with errexit and nounset', 'setopt err_return no_unset'],
        ['with ksh arrays and sh word splitting', 'setopt ksh_arrays sh_word_split'],
        ['with a return', 'return; print never'],
        ['with a last line that fails', 'false'],
        ['with hooks set anew', 'precmd_functions=(); preexec_functions=()'],
        [
          'with hooks of its own in their place',
          'mine() { print mine $? }; precmd_functions=(mine); unset preexec_functions',
        ],
      ],
      inSuite,
    ),
  )('%s', async (_, setting) => {
    const lines = [
      'true',
      '(exit 3)',
      'print "status $? $_ ${ZDOTDIR-}"',
      '',
      'print a; true | false',
      'cd /',
      'print -- "$PWD"',
      'set -x',
      'print t',
      'set +x',
    ];
    const marked = await expectSame({ program: 'zsh', files: { '.zshrc': `${ZSHRC}${setting}\n` }, lines });
    expect(codes(marked)).toEqual(['0', '3', '0', '1', '0', '0', '0', '0', '0']);
  });

  test('with its files in another directory, as a login shell', async () => {
    const files = {
      'z/.zshenv': 'print zshenv\n',
      'z/.zprofile': 'print zprofile\n',
      'z/.zshrc': `print zshrc; ${ZSHRC}`,
      'z/.zlogin': 'print zlogin\n',
      '.zshenv': 'print wrong\n',
    };
    const env = { ZDOTDIR: path.join(home, 'z') };
    await expectSame({
      program: 'zsh',
      args: ['-l'],
      files,
      env,
      lines: ['print $ZDOTDIR', 'env | grep -c T4A_', 'zsh -c "print inner"'],
    });
  });

  test('when the user moves ZDOTDIR in .zshenv', async () => {
    const files = { '.zshenv': 'ZDOTDIR=$HOME/moved\n', 'moved/.zshrc': `print moved; ${ZSHRC}` };
    await expectSame({ program: 'zsh', files, lines: ['print $ZDOTDIR'] });
  });
});

const FISH_CONFIG = `
function fish_prompt; echo -n '${PROMPT}'; end
function fish_greeting; end
# What fish guesses and colours while it is typed into depends on how fast it is typed into.
set -g fish_autosuggestion_enabled 0
for color in (set --names | string match 'fish_color_*'); set -g $color normal; end
function fish_title; end
`;

describe('fish shows the same as without integration', () => {
  test.each(
    casesOf(
      [
        ['as it is', ''],
        [
          'with event handlers of the user',
          'function a --on-event fish_preexec; echo "<$argv>"; end\nfunction b --on-event fish_postexec; echo ">$status"; end',
        ],
        ['with a right prompt', 'function fish_right_prompt; echo -n right; end'],
        ['with a prompt that shows the status', `function fish_prompt; echo -n "$status $pipestatus ${PROMPT}"; end`],
        ['in vi mode', 'fish_vi_key_bindings'],
      ],
      inSuite,
    ),
  )('%s', async (_, setting) => {
    const lines = [
      'true',
      'sh -c "exit 3"',
      'echo "status $status"',
      '',
      'false | true; echo "$pipestatus"',
      'cd /',
      'echo $PWD',
      'echo no newline | tr -d "\\n"',
      'history search --exact echo | head -n 2',
      'set -S status',
      'functions --names | grep -v __t4a',
    ];
    const files = { '.config/fish/config.fish': `${FISH_CONFIG}${setting}\n` };
    const marked = await expectSame({ program: 'fish', files, lines });
    expect(codes(marked)).toEqual(['0', '3', '0', '0', '0', '0', '0', '0', '0', '0']);
  });

  test('with prompts that are redefined at the prompt', async () => {
    const files = { '.config/fish/config.fish': FISH_CONFIG };
    const lines = [
      `function fish_prompt; echo -n 'new ${PROMPT}'; end`,
      'sh -c "exit 3"',
      'functions --copy fish_prompt old_prompt',
      `function fish_prompt; echo -n 'venv '; old_prompt; end`,
      'sh -c "exit 4"',
      'functions --erase fish_prompt; functions --copy old_prompt fish_prompt; functions --erase old_prompt',
      'sh -c "exit 5"',
    ];
    const marked = await expectSame({ program: 'fish', files, lines });
    expect(codes(marked)).toEqual(['0', '3', '0', '0', '4', '0', '5']);
    expect(fishPrompts(marked)).toHaveLength(lines.length + 1);
    expect(fishPrompts(marked).filter((row) => !row.includes('133;B;aid='))).toEqual([]);
  });

  test('as a login shell, with its files', async () => {
    const files = {
      '.config/fish/config.fish': `status is-login; and echo login\n${FISH_CONFIG}echo config`,
      '.config/fish/conf.d/a.fish': 'echo conf.d',
      '.config/fish/functions/mine.fish': 'function mine; echo mine $argv; return 4; end',
    };
    const lines = ['mine one', 'echo $status', 'env | grep -c T4A_', 'fish --no-config -c "echo inner"'];
    await expectSame({ program: 'fish', args: ['-l'], files, lines });
  });

  test('and writes the same history', async () => {
    const files = { '.config/fish/config.fish': FISH_CONFIG };
    const session = { program: 'fish', files, lines: ['echo a', ' echo hidden', 'echo b', 'history save'] };
    const commands = (): string[] => {
      const history = readFileSync(path.join(home, '.local/share/fish/fish_history'), 'utf8');
      return history.split('\n').filter((line) => line.startsWith('- cmd: '));
    };
    await transcript(session, false);
    const plain = commands();
    await transcript(session, true);
    expect(commands()).toEqual(plain);
    expect(plain).toEqual(['- cmd: echo a', '- cmd: echo b', '- cmd: history save']);
  });
});

describe('fish', () => {
  test("runs the user's files, keeps $status, and marks each command", async () => {
    const config = `function fish_prompt; echo -n '${PROMPT}'; end; function fish_greeting; end; echo config\n`;
    const marked = await transcript(
      {
        program: 'fish',
        files: { '.config/fish/config.fish': config },
        lines: ['true', 'sh -c "exit 3"', 'echo status $status', 'cd /', 'false; true'],
      },
      true,
    );
    expect(marked).toContain('config');
    expect(marked).toContain('status 3');
    expect(codes(marked)).toEqual(['0', '3', '0', '0', '0']);
    expect(commandLines(marked, 'cmdline_url').map(decodeURIComponent)).toEqual([
      'true',
      'sh -c "exit 3"',
      'echo status $status',
      'cd /',
      'false; true',
    ]);
    expect(marked.match(/133;[AB];aid=/g)).toHaveLength(12);
  });
});
