/**
 * Shells with ordinary and strange start-up files: each reports its commands, or the reason why it cannot, and `done`
 * then comes from the kernel.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { keepFishFromManuals } from '../support/fish-manuals.js';
import { itNeeds, requireProgram } from '../support/programs.js';
import { casesOf } from '../support/trial.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

interface Row {
  readonly what: string;
  /** Lines of the start-up file. */
  readonly rc: string;
  /** Why the marks are off; absent: they are on. */
  readonly off?: string;
  /** Typed at the first prompt, before anything else. */
  readonly typed?: string;
  /** Answers to what the start-up file asks, one after the other where the questions are numbered from 0 (`0?`). */
  readonly answer?: string | readonly string[];
}

const DONE = { until: { done: true }, timeout_ms: 20_000 };

const RC_FILE = {
  bash: '.bashrc',
  zsh: '.zshrc',
  fish: '.config/fish/config.fish',
  dash: '.shrc',
  mksh: '.mkshrc',
} as const;
type ShellName = keyof typeof RC_FILE;

/** Starts the shell with such a start-up file; its home is to be removed. */
async function create(shell: ShellName, rc: string, wait: object): Promise<Record<string, unknown> & { home: string }> {
  const home = mkdtempSync(path.join(tmpdir(), 't4a-home-'));
  const file = path.join(home, RC_FILE[shell]);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${rc}\n`);
  keepFishFromManuals(path.join(home, '.local/share'));
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local/share'),
    ...(shell === 'dash' ? { ENV: file } : {}),
  };
  return { ...(await request(daemon, { cmd: 'create', cmd_args: [requireProgram(shell)], env, wait })), home };
}

async function check(shell: ShellName, { rc, off, typed, answer }: Row): Promise<void> {
  const asked = { until: { text: '?' }, timeout_ms: 20_000 };
  const { home, ...created } = await create(shell, rc, answer === undefined ? DONE : asked);
  try {
    const id = String(created['id']);
    const send = (line: string) => request(daemon, { cmd: 'send', id, input: `${line}\r`, wait: DONE });
    const answers = [answer ?? []].flat();
    const last = answers.pop();
    for (const [i, line] of answers.entries()) {
      const askedNext = { until: { text: `${i + 1}?` }, timeout_ms: 20_000 };
      const next = await request(daemon, { cmd: 'send', id, input: `${line}\r`, wait: askedNext });
      expect(next).toMatchObject({ wait: { outcome: 'matched' } });
    }
    const started = last === undefined ? created : await send(last);
    expect(started).toMatchObject({ wait: { outcome: 'matched' } });
    if (typed !== undefined) expect(await send(typed)).toMatchObject({ wait: { outcome: 'matched' } });
    const failed = await send('sh -c "exit 7"');
    expect(failed).toMatchObject({ wait: { outcome: 'matched', code: off === undefined ? 7 : null } });
    const run = await request(daemon, { cmd: 'run', id, command: 'sh -c "echo out; exit 3"', timeout_ms: 20_000 });
    const { shell: told } = (await request(daemon, { cmd: 'debug', id })) as { shell: unknown };
    if (off === undefined) {
      expect(run).toMatchObject({ outcome: 'done', exit_code: 3, lines: expect.arrayContaining(['out']) as unknown });
      expect(told).toMatchObject({ name: shell, integration: 'on' });
      expect(await send('sh -c "exit 5"')).toMatchObject({ wait: { outcome: 'matched', code: 5 } });
    } else {
      expect(run).toMatchObject({ ok: false, code: 'no_shell_prompt' });
      expect(run['error']).toContain(off);
      expect(told).toEqual({ name: shell, integration: 'off', reason: off });
    }
    await request(daemon, { cmd: 'kill', id });
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

const BASH: readonly Row[] = [
  { what: 'an empty start-up file', rc: '' },
  {
    what: 'a readonly PROMPT_COMMAND',
    rc: "PROMPT_COMMAND='true'; readonly PROMPT_COMMAND",
    off: 'PROMPT_COMMAND is readonly',
  },
  {
    what: 'a readonly PROMPT_COMMAND without a value',
    rc: 'readonly PROMPT_COMMAND',
    off: 'PROMPT_COMMAND is readonly',
  },
  {
    what: 'a readonly array of PROMPT_COMMANDs',
    rc: 'PROMPT_COMMAND=(true false); readonly PROMPT_COMMAND',
    off: 'PROMPT_COMMAND is readonly',
  },
  { what: 'a readonly PS1', rc: "PS1='> '; readonly PS1" },
  { what: 'a readonly PS1 without a value', rc: 'unset PS1; readonly PS1' },
  { what: 'a readonly PS0', rc: 'readonly PS0', off: 'PS0 is readonly' },
  { what: 'a readonly PS0 with a value', rc: "PS0='.'; readonly PS0", off: 'PS0 is readonly' },
  { what: 'readonly PS1 and PROMPT_COMMAND', rc: 'readonly PS1 PROMPT_COMMAND', off: 'PROMPT_COMMAND is readonly' },
  {
    what: 'readonly PROMPT_COMMAND under set -u',
    rc: 'set -u; readonly PROMPT_COMMAND',
    off: 'PROMPT_COMMAND is readonly',
  },
  {
    what: 'a PS1 that is readonly and assigned at each prompt',
    rc: "PS1='> '; readonly PS1; PROMPT_COMMAND='PS1=\"x> \"'",
  },
  {
    what: 'a readonly PS1 and a DEBUG trap',
    rc: "trap ':' DEBUG; readonly PS1",
    off: 'PS1 is readonly, and there is a DEBUG trap',
  },
  { what: 'readonly PS1, a DEBUG trap and a PROMPT_COMMAND', rc: "trap ':' DEBUG; PROMPT_COMMAND=true; readonly PS1" },
  { what: 'a PS1 that is made readonly at the prompt', rc: '', typed: 'readonly PS1' },
  { what: 'a PS1 that is set and made readonly at the prompt', rc: '', typed: "PS1='new> '; readonly PS1" },
  { what: 'a PROMPT_COMMAND that is made readonly at the prompt', rc: '', typed: 'readonly PROMPT_COMMAND PS0' },
  {
    what: 'a PROMPT_COMMAND that sets PS1 and makes it readonly',
    rc: 'PROMPT_COMMAND=\'PS1="x> " 2>/dev/null; readonly PS1\'',
  },
  { what: 'a PS1 that is assigned at each prompt', rc: 'PROMPT_COMMAND=\'PS1="x> "\'' },
  { what: 'a PS1 that is set at the prompt', rc: '', typed: "PS1='new> '" },
  { what: 'a PS1 that is unset at the prompt', rc: '', typed: 'unset PS1' },
  { what: 'a PS0 that is unset at the prompt', rc: '', typed: 'unset PS0' },
  { what: 'a PROMPT_COMMAND that is emptied at the prompt', rc: '', typed: 'PROMPT_COMMAND=' },
  {
    what: 'a PROMPT_COMMAND of its own that is emptied at the prompt',
    rc: "PROMPT_COMMAND='true'",
    typed: 'PROMPT_COMMAND=',
  },
  { what: 'queries whose answers are not read', rc: String.raw`printf '\e[c\e[6n\e]11;?\a'`, typed: '' },
  { what: 'an array of PROMPT_COMMANDs', rc: 'PROMPT_COMMAND=(true false)' },
  { what: 'a DEBUG trap', rc: "trap ':' DEBUG" },
  { what: 'traps for ERR and EXIT', rc: "trap 'echo err' ERR; trap 'echo exit' EXIT" },
  {
    what: 'a DEBUG trap and an exported PS1',
    rc: "trap ':' DEBUG; export PS1",
    off: 'PS1 is exported, and there is a DEBUG trap',
  },
  { what: 'set -u', rc: 'set -u' },
  { what: 'set -e, which is undone at the prompt', rc: 'set -e', typed: 'set +e' },
  { what: 'set -x', rc: 'set -x' },
  { what: 'set -f', rc: 'set -f' },
  { what: 'POSIX mode', rc: 'set -o posix' },
  { what: 'vi mode', rc: 'set -o vi' },
  {
    what: 'functions with the same names as in the script',
    rc: '__t4a_prompt() { :; }; __t4a_install() { :; }; __t4a_start() { :; }',
  },
  {
    what: 'functions in place of builtins',
    rc: 'printf() { echo mine; }; trap() { :; }; shopt() { return 1; }; history() { :; }; unset() { :; }',
  },
  {
    what: 'aliases in place of builtins',
    rc: 'shopt -s expand_aliases; alias printf=false trap=: shopt=false local=false builtin=false return=false unset=false',
  },
  { what: 'an IFS of its own', rc: 'IFS=0123:;abc' },
  { what: 'no prompt', rc: 'unset PS1 PS2 PS4' },
  { what: 'a prompt of several lines in colour', rc: String.raw`PS1='\[\e[31m\]\u\n\[\e[0m\]\w\n$ '` },
  {
    what: 'marks of its own',
    rc: String.raw`PS1='\[\e]133;A\a\]$ \[\e]133;B\a\]'; PS0='\e]133;C\a'; PROMPT_COMMAND='printf "\e]133;D;%s\a" $?'`,
  },
  {
    what: 'a DEBUG trap, and a prompt that is assigned after all hooks',
    rc: "trap ':' DEBUG; PROMPT_COMMAND='PS1=\"x> \"'",
  },
  {
    what: 'a DEBUG trap, and a slow prompt that is assigned only at first',
    rc: "trap ':' DEBUG; set_it() { [ -n \"$mine\" ] || PS1='x> '; mine=1; sleep 0.1; }; PROMPT_COMMAND=set_it",
  },
  {
    what: 'a PROMPT_COMMAND that is replaced by another one at the first prompt',
    rc: 'first() { PROMPT_COMMAND=\'PS1="x> "\'; }; PROMPT_COMMAND=first',
  },
  {
    what: 'marks of its own with the code of another command',
    rc: String.raw`PROMPT_COMMAND='true; printf "\e]133;D;%s\a\e]133;A\a" $?'; PS0='\e]133;C;cmdline=mine\a'`,
  },
  { what: 'a mark in its prompt', rc: String.raw`PS1='\[\e]133;A\a\]\w $ '` },
  { what: 'the end of a prompt marked at its beginning', rc: String.raw`PS1='\[\e]133;B\a\]\w $ '` },
  { what: 'failglob, nullglob, extglob and nocasematch', rc: 'shopt -s failglob extglob nocasematch' },
  { what: 'a return', rc: 'return 3' },
  { what: 'a failing last command', rc: 'false' },
  { what: 'a syntax error', rc: 'if true; then' },
  { what: 'TERM=dumb', rc: 'TERM=dumb' },
  { what: 'a terminal without echo', rc: 'stty -echo' },
  { what: 'an empty history', rc: 'HISTSIZE=0; unset HISTFILE; set +o history' },
  { what: 'a question', rc: 'read -p "name? " name', answer: 'me' },
  {
    what: 'a loop that reads lines',
    rc: 'echo "lines?"; while read line; do [ "$line" = end ] && break; done',
    answer: 'one\rend',
  },
  { what: 'no job control', rc: 'set +m' },
  { what: 'no bracketed paste', rc: "bind 'set enable-bracketed-paste off'" },
];

const ZSH: readonly Row[] = [
  { what: 'an empty start-up file', rc: '' },
  { what: 'hook lists that are emptied', rc: 'precmd_functions=(); preexec_functions=()' },
  { what: 'hook lists that are replaced', rc: 'mine() { :; }; precmd_functions=(mine); preexec_functions=(mine)' },
  { what: 'hook lists that are unset', rc: 'unset precmd_functions preexec_functions' },
  { what: 'precmd and preexec of its own', rc: 'precmd() { false }; preexec() { false }' },
  { what: 'readonly hooks', rc: 'typeset -ra precmd_functions preexec_functions' },
  {
    what: 'readonly hooks of its own',
    rc: 'typeset -ra precmd_functions=(true) preexec_functions=(true)',
    off: 'precmd_functions is readonly',
  },
  { what: 'a readonly precmd_functions', rc: 'typeset -ra precmd_functions=()', off: 'precmd_functions is readonly' },
  {
    what: 'a readonly preexec_functions',
    rc: 'typeset -ra preexec_functions=()',
    off: 'preexec_functions is readonly',
  },
  { what: 'hook lists that are emptied at the prompt', rc: '', typed: 'precmd_functions=() preexec_functions=()' },
  { what: 'a prompt that is unset at the prompt', rc: '', typed: 'unset PROMPT' },
  { what: 'queries whose answers are not read', rc: String.raw`printf '\e[c\e[6n\e]11;?\a'`, typed: '' },
  {
    what: 'hooks that are made readonly at the prompt',
    rc: '',
    typed: 'typeset -r precmd_functions preexec_functions',
  },
  { what: 'a readonly PS1', rc: "PS1='> '; typeset -r PS1 PROMPT RPS1" },
  { what: 'no prompt', rc: 'unset PROMPT RPROMPT PS1 PS2' },
  { what: 'a prompt of several lines, on both sides', rc: "PROMPT=$'%F{red}%n\\n%f%~\\n%# '; RPROMPT='%T'" },
  { what: 'a transient right prompt', rc: "RPROMPT='right'; setopt transient_rprompt" },
  { what: 'a prompt that is expanded', rc: "setopt prompt_subst; PROMPT='$(false)$? > '" },
  {
    what: 'marks of its own',
    rc: "PROMPT=$'%{\\e]133;A\\a%}$ %{\\e]133;B\\a%}'; preexec() { print -n '\\e]133;C\\a' }; precmd() { print -n \"\\e]133;D;$?\\a\" }",
  },
  { what: 'vi mode', rc: 'bindkey -v' },
  { what: 'a line-init widget', rc: 'zle-line-init() { :; }; zle -N zle-line-init' },
  { what: 'widgets that wrap accept-line', rc: 'mine() { zle .accept-line }; zle -N accept-line mine' },
  { what: 'a keymap widget', rc: 'zle-keymap-select() { zle reset-prompt }; zle -N zle-keymap-select; bindkey -v' },
  { what: 'set -u', rc: 'setopt no_unset' },
  { what: 'set -x', rc: 'setopt xtrace' },
  { what: 'err_exit, which is undone at the prompt', rc: 'setopt err_exit', typed: 'setopt no_err_exit' },
  { what: 'err_return', rc: 'setopt err_return' },
  { what: 'ksh arrays, word splitting and no globbing', rc: 'setopt ksh_arrays sh_word_split no_glob' },
  { what: 'the emulation of sh', rc: 'emulate sh' },
  { what: 'extended globbing, and no nomatch', rc: 'setopt extended_glob no_nomatch null_glob' },
  { what: 'an IFS of its own', rc: 'IFS=0123:;abc' },
  {
    what: 'functions in place of builtins',
    rc: 'print() { echo mine }; printf() { echo mine }; setopt() { :; }; trap() { :; }',
  },
  {
    what: 'aliases in place of builtins',
    rc: 'alias print=false printf=false return=false local=false setopt=false; alias -g a=b',
  },
  { what: 'a DEBUG trap', rc: "TRAPDEBUG() { :; }; trap ':' DEBUG" },
  { what: 'traps for ZERR and EXIT', rc: "trap ':' ZERR; trap ':' EXIT" },
  { what: 'a return', rc: 'return 3' },
  { what: 'a failing last command', rc: 'false' },
  { what: 'a syntax error', rc: 'if true; then' },
  { what: 'TERM=dumb', rc: 'TERM=dumb' },
  { what: 'a terminal without echo', rc: 'stty -echo' },
  { what: 'no history', rc: 'unset HISTFILE; HISTSIZE=0; SAVEHIST=0' },
  { what: 'a question', rc: 'read "name?name? "', answer: 'me' },
  { what: 'a question for one key', rc: 'read -k 1 "key?sure? [y/n] "', answer: 'n' },
  {
    what: 'a loop that reads lines',
    rc: 'print "lines?"; while read line; do [[ $line == end ]] && break; done',
    answer: 'one\rend',
  },
  { what: 'no job control', rc: 'setopt no_monitor' },
  { what: 'no line editor', rc: 'unsetopt zle' },
  {
    what: 'a stack of precmds that print',
    rc: 'autoload -Uz add-zsh-hook; mine() { print -n .; }; add-zsh-hook precmd mine',
  },
  { what: 'no completion functions on its path', rc: 'fpath=()' },
  { what: 'a prompt that is assigned after all hooks', rc: "mine() { PROMPT='x> ' }; precmd_functions+=(mine)" },
  {
    what: 'a line-init widget that is removed at the first prompt',
    rc: 'mine() { zle -D zle-line-init 2>/dev/null }; zle -N mine; autoload -Uz add-zle-hook-widget; later() { add-zle-hook-widget -D line-init __t4a_line_init }; precmd_functions+=(later)',
  },
  {
    what: 'marks of its own with the code of another command',
    rc: "precmd() { print -n '\\e]133;D;0\\a\\e]133;A\\a' }; preexec() { print -n '\\e]133;C;cmdline=mine\\a' }",
  },
  { what: 'a mark in its prompt', rc: "PROMPT=$'%{\\e]133;A\\a%}%~ $ '" },
  { what: 'the end of a prompt marked at its beginning', rc: "PROMPT=$'%{\\e]133;B\\a%}%~ $ '" },
];

const FISH: readonly Row[] = [
  { what: 'an empty start-up file', rc: '' },
  { what: 'a prompt of its own', rc: "function fish_prompt; echo -n 'mine> '; end" },
  {
    what: 'a prompt of several lines, on both sides',
    rc: "function fish_prompt; set_color red; echo two; echo -n 'lines> '; end; function fish_right_prompt; echo -n right; end",
  },
  { what: 'a prompt that fails', rc: "function fish_prompt; echo -n '> '; return 4; end" },
  { what: 'a prompt that is set at the prompt', rc: '', typed: "function fish_prompt; echo -n 'new> '; end" },
  { what: 'no prompt', rc: 'function fish_prompt; end' },
  { what: 'a prompt that is erased at the prompt', rc: '', typed: 'functions --erase fish_prompt' },
  { what: 'a query whose answer is not read', rc: String.raw`printf '\e[c'`, typed: '' },
  { what: 'a greeting', rc: 'function fish_greeting; echo hello; end' },
  { what: 'vi mode', rc: 'fish_vi_key_bindings' },
  { what: 'a mode prompt', rc: "fish_vi_key_bindings; function fish_mode_prompt; echo -n 'mode '; end" },
  { what: 'bindings of its own for Enter', rc: 'function fish_user_key_bindings; bind \\r execute; end' },
  {
    what: 'event handlers of its own',
    rc: 'function a --on-event fish_preexec; false; end; function b --on-event fish_postexec; false; end; function c --on-event fish_prompt; false; end',
  },
  {
    what: 'marks of its own',
    rc: String.raw`function fish_prompt; printf '\e]133;A\a> \e]133;B\a'; end; function c --on-event fish_preexec; printf '\e]133;C\a'; end; function d --on-event fish_postexec; printf '\e]133;D;%s\a' $status; end`,
  },
  {
    what: 'functions with the same names as in the script',
    rc: 'function __t4a_prompt; end; function __t4a_postexec; end; function __t4a_user_prompt; end',
  },
  { what: 'a function with the name of the first one in the script', rc: 'function __t4a_preexec; end' },
  {
    what: 'functions in place of builtins',
    rc: 'function printf; end; function string; end; function contains; end',
  },
  {
    what: 'abbreviations and aliases',
    rc: 'abbr -a sh false; alias printf=false; alias functions=false; alias status=false',
  },
  { what: 'a return', rc: 'return 3' },
  { what: 'a failing last command', rc: 'false' },
  { what: 'a syntax error', rc: 'if true' },
  { what: 'an IFS of its own', rc: 'set -g IFS 0123' },
  { what: 'another fish_pid and hostname', rc: 'set -g hostname; set -gx IFS' },
  { what: 'TERM=dumb', rc: 'set -gx TERM dumb' },
  { what: 'a terminal without echo', rc: 'stty -echo' },
  { what: 'a private history', rc: "set -g fish_history ''" },
  { what: 'a question', rc: "read --prompt-str 'name? ' name", answer: 'me' },
  {
    what: 'a loop that reads lines',
    // What is typed ahead of a `read` of fish 4.9 is lost.
    rc: 'set n 0; while read --prompt-str "line $n? " line; test $line = end; and break; set n (math $n + 1); end',
    answer: ['one', 'end'],
  },
  { what: 'no autosuggestions', rc: 'set -g fish_autosuggestion_enabled 0' },
  {
    what: 'an exit handler and a signal handler',
    rc: 'function e --on-event fish_exit; echo bye; end; function w --on-signal WINCH; end',
  },
  { what: 'fish_title', rc: 'function fish_title; echo title; end' },
  { what: 'job control off', rc: 'status job-control none' },
  {
    what: 'a prompt that is assigned after all hooks',
    rc: "function late --on-event fish_prompt; function fish_prompt; echo -n 'x> '; end; end",
  },
  {
    what: 'marks of its own with the code of another command',
    rc: String.raw`function c --on-event fish_preexec; printf '\e]133;C;cmdline=mine\a'; end; function d --on-event fish_postexec; printf '\e]133;D;0\a'; end`,
  },
  { what: 'a mark in its prompt', rc: String.raw`function fish_prompt; printf '\e]133;A\a> '; end` },
  {
    what: 'the end of a prompt marked at its beginning',
    rc: String.raw`function fish_prompt; printf '\e]133;B\a> '; end`,
  },
];

/** Of each shell, by what they have in common: marks that stay on, that are off, and lines and answers that are typed. */
const IN_SUITE = [
  'an empty start-up file',
  'a readonly PROMPT_COMMAND',
  'a DEBUG trap',
  'functions in place of builtins',
  'marks of its own',
  'a PROMPT_COMMAND that is emptied at the prompt',
  'hook lists that are emptied at the prompt',
  'a readonly precmd_functions',
  'a prompt that is set at the prompt',
  'a question',
];
const isInSuite = ({ what }: Row): boolean => IN_SUITE.includes(what);

describe('bash reports its commands, or why it cannot, with', () => {
  itNeeds('bash').concurrent.each(casesOf(BASH, isInSuite))('$what', (row) => check('bash', row));
});

describe('zsh reports its commands, or why it cannot, with', () => {
  itNeeds('zsh').concurrent.each(casesOf(ZSH, isInSuite))('$what', (row) => check('zsh', row));
});

describe('fish reports its commands, or why it cannot, with', () => {
  itNeeds('fish').concurrent.each(casesOf(FISH, isInSuite))('$what', (row) => check('fish', row));
});

/** What Ctrl+C leaves of the marks: the injected lines of bash and sh come after the user's, and end with them. */
const INTERRUPTED = { bash: false, zsh: true, fish: true, dash: false, mksh: false } as const;

describe.each(Object.keys(INTERRUPTED) as ShellName[])('%s with a start-up file that never returns', (shell) => {
  const started = { until: { text: 'started' }, timeout_ms: 20_000 };
  const code = INTERRUPTED[shell] ? 7 : null;
  const reason = 'its start-up files were interrupted';

  itNeeds(shell, 'sleep').concurrent.each(casesOf(['Ctrl+C', 'SIGINT'] as const, (how) => how === 'Ctrl+C'))(
    'is not done before %s has ended that file',
    async (how) => {
      const { home, id, wait } = await create(shell, 'sh -c "echo started; exec sleep 1000"', started);
      try {
        expect(wait).toMatchObject({ outcome: 'matched' });
        const now = { until: { done: true }, timeout_ms: 1 };
        expect(await request(daemon, { cmd: 'wait', id, ...now })).toMatchObject({ outcome: 'timeout' });
        const early = await request(daemon, { cmd: 'run', id, command: 'true', timeout_ms: 1 });
        expect(early).toMatchObject({ ok: false, code: 'shell_busy' });
        if (how === 'Ctrl+C') await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'] });
        else await request(daemon, { cmd: 'kill', id, signal: 'SIGINT' });
        expect(await request(daemon, { cmd: 'wait', id, ...DONE })).toMatchObject({ outcome: 'matched' });
        const failed = await request(daemon, { cmd: 'send', id, input: 'sh -c "exit 7"\r', wait: DONE });
        expect(failed).toMatchObject({ wait: { outcome: 'matched', code } });
        const run = await request(daemon, { cmd: 'run', id, command: 'sh -c "echo out; exit 3"', timeout_ms: 20_000 });
        const { shell: told } = await request(daemon, { cmd: 'debug', id });
        if (code === null) {
          expect(run).toMatchObject({ ok: false, code: 'no_shell_prompt' });
          expect(run['error']).toContain(reason);
          expect(told).toEqual({ name: shell, integration: 'off', reason });
        } else {
          expect(run).toMatchObject({ outcome: 'done', exit_code: 3, lines: ['out'] });
          expect(told).toMatchObject({ integration: 'on' });
        }
        await request(daemon, { cmd: 'kill', id });
      } finally {
        rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  );
});

itNeeds('bash', 'sleep')(
  'a question of a start-up file after Ctrl+C is no prompt, and the marks work after it',
  async () => {
    const rc = "trap : INT; sh -c 'echo started; exec sleep 1000'; read -p 'name? ' name; trap - INT";
    const { home, id } = await create('bash', rc, { until: { text: 'started' }, timeout_ms: 20_000 });
    try {
      const until = [{ done: true }, { awaiting_input: 'line' }];
      const asks = await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'], wait: { until, timeout_ms: 20_000 } });
      expect(asks).toMatchObject({ wait: { outcome: 'matched', index: 1 } });
      for (const [line, code] of [
        ['me', null],
        ['sh -c "exit 7"', 7],
      ] as const) {
        const sent = await request(daemon, { cmd: 'send', id, input: `${line}\r`, wait: DONE });
        expect(sent).toMatchObject({ wait: { outcome: 'matched', code } });
      }
      expect(await request(daemon, { cmd: 'debug', id })).toMatchObject({ shell: { name: 'bash', integration: 'on' } });
      await request(daemon, { cmd: 'kill', id });
    } finally {
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    }
  },
);

for (const [name, value] of [
  ['POSIXLY_CORRECT', 'y'],
  ['SHELLOPTS', 'braceexpand:posix'],
] as const) {
  itNeeds('bash')(
    `bash in the POSIX mode that ${name} asks for reads $ENV alone, and reports its commands`,
    async () => {
      const home = mkdtempSync(path.join(tmpdir(), 't4a-home-'));
      try {
        writeFileSync(path.join(home, '.bashrc'), 'read=bashrc\n');
        writeFileSync(path.join(home, 'own'), 'read=ENV\n');
        const env = { HOME: home, ENV: '$HOME/own', [name]: value };
        const { id } = await request(daemon, { cmd: 'create', cmd_args: ['bash'], env, wait: DONE });
        const command = 'echo $read; shopt -qo posix';
        const run = await request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
        expect(run).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['ENV'] });
        await request(daemon, { cmd: 'kill', id });
      } finally {
        rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  );
}
