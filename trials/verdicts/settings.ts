/** Settings of shells that change what they print around a command, or what they do with its status. Each is one line of a start-up file. */
import type { ShellName } from '../shells/setups.js';

/** The shells that are drawn. */
export const DRAWN_SHELLS = ['bash', 'zsh', 'fish', 'dash', 'mksh', 'ash'] as const satisfies readonly ShellName[];

/** The last two are drawn for some kinds alone (people.ts). */
export type DrawnShell = (typeof DRAWN_SHELLS)[number] | 'ksh93' | 'sh';

export interface Setting {
  readonly name: string;
  readonly rc: Partial<Record<DrawnShell, string>>;
  /** The shell prints each command before it runs it. */
  readonly traces?: true;
  /** A status other than 0 ends the shell. */
  readonly endsOnError?: true;
  /** The screen is cleared before each prompt: lines may be gone, and the reply says so. */
  readonly clears?: true;
}

const POSIX = (rc: string): Setting['rc'] => ({ bash: rc, zsh: rc, dash: rc, mksh: rc, ash: rc });

export const SETTINGS: readonly Setting[] = [
  { name: 'vi mode', rc: { ...POSIX('set -o vi'), zsh: 'bindkey -v', fish: 'fish_vi_key_bindings' } },
  { name: 'set -x', rc: { ...POSIX('set -x'), fish: 'set -g fish_trace 1' }, traces: true },
  // mksh goes on at its prompt.
  { name: 'set -e', rc: { bash: 'set -e', zsh: 'set -e', dash: 'set -e', ash: 'set -e' }, endsOnError: true },
  { name: 'set -u', rc: POSIX('set -u') },
  {
    name: 'HISTCONTROL',
    rc: { bash: 'HISTCONTROL=ignoreboth:erasedups', zsh: 'setopt hist_ignore_space hist_ignore_all_dups' },
  },
  { name: 'no history', rc: { bash: 'set +o history', zsh: 'HISTSIZE=0', mksh: 'HISTSIZE=0' } },
  {
    name: 'a prompt hook that prints',
    rc: {
      bash: `PROMPT_COMMAND='echo "-- hook --"'`,
      zsh: `precmd() { print -- '-- hook --' }`,
      fish: `function hook --on-event fish_prompt; echo '-- hook --'; end`,
    },
  },
  {
    name: 'a prompt hook that clears',
    rc: {
      bash: `PROMPT_COMMAND='printf "\\e[2J\\e[H"'`,
      zsh: `precmd() { print -n '\\e[2J\\e[H' }`,
      fish: `function hook --on-event fish_prompt; printf '\\e[2J\\e[H'; end`,
    },
    clears: true,
  },
  {
    name: 'a preexec that prints',
    rc: { bash: `PS0='-- starts --\\n'`, zsh: `preexec() { print -- '-- starts --' }` },
  },
  {
    name: 'a prompt of several lines',
    rc: {
      ...POSIX(`PS1='first row\n$ '`),
      fish: `function fish_prompt; echo first row; echo -n '> '; end`,
    },
  },
  {
    name: 'a right prompt',
    rc: {
      bash: `PS1='\\[\\e7\\e[70G10:00\\e8\\]\\$ '`,
      zsh: `RPROMPT='%T'`,
      fish: 'function fish_right_prompt; echo -n 10:00; end',
    },
  },
  { name: 'a right prompt that goes', rc: { zsh: `RPROMPT='%T'; setopt transient_rprompt` } },
  { name: 'a prompt of colours, unmarked', rc: POSIX(`PS1="$(printf '\\033[31mred\\033[0m $ ')"`) },
  { name: 'an empty prompt', rc: { ...POSIX(`PS1=''`), fish: 'function fish_prompt; end' } },
  { name: 'echo off', rc: { ...POSIX('stty -echo'), fish: 'stty -echo' } },
  { name: 'no mark of unfinished lines', rc: { zsh: 'unsetopt prompt_sp prompt_cr' } },
  { name: 'a DEBUG trap', rc: { bash: `trap 'last=$BASH_COMMAND' DEBUG` } },
  { name: 'posix', rc: { bash: 'set -o posix', zsh: 'emulate sh' } },
  {
    name: 'printf and stty of their own',
    rc: { bash: 'printf() { builtin printf "$@"; }', zsh: 'printf() { builtin printf "$@" }' },
  },
  { name: 'IFS', rc: POSIX('IFS=0123456789') },
  { name: 'noclobber, noglob', rc: POSIX('set -C; set -f') },
  { name: 'ksh arrays', rc: { zsh: 'setopt ksh_arrays sh_word_split' } },
];
