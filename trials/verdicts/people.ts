/**
 * What people have in their shells, and do with them: frameworks, redirected output, virtual environments, words of hooks,
 * text that the shell itself puts on its command line, programs that read beside their work. Draws from FIRST on have them.
 */
import { Random } from '../support/random.js';
import type { Draw } from './drawn.js';
import type { Leftover } from './leftovers.js';
import type { Program } from './programs.js';
import type { DrawnShell, Setting } from './settings.js';

export const FIRST_OF_PEOPLE = 10_000;
/** Draws from here on have these settings of frameworks, too. */
const FIRST_OF_INSTANT = 100_000;

/** Shells that are drawn for these kinds alone. */
const SH: readonly DrawnShell[] = ['dash', 'ash', 'mksh', 'ksh93', 'sh'];

const FRAMEWORKS: readonly Setting[] = [
  {
    name: 'as oh-my-zsh sets',
    rc: {
      zsh: `setopt auto_cd auto_pushd prompt_subst interactive_comments extended_history share_history hist_verify hist_ignore_space
setopt hist_expire_dups_first hist_ignore_dups complete_in_word always_to_end long_list_jobs
autoload -Uz add-zsh-hook bracketed-paste-magic url-quote-magic
zle -N bracketed-paste bracketed-paste-magic; zle -N self-insert url-quote-magic
title_precmd() { print -Pn '\\e]2;%n@%m:%~\\a\\e]1;%~\\a' }; title_preexec() { print -rn -- $'\\e]2;'"\${1%% *}"$'\\a' }
add-zsh-hook precmd title_precmd; add-zsh-hook preexec title_preexec
git_prompt_info() { print -n ' (main)' }
PROMPT='%(?:%F{green}➜ :%F{red}➜ ) %F{cyan}%c%f$(git_prompt_info) '`,
    },
  },
  {
    name: 'as prezto sets',
    rc: {
      zsh: `setopt combining_chars rc_quotes auto_resume notify prompt_subst hist_verify hist_beep bang_hist correct
unsetopt bg_nice hup check_jobs mail_warning
zmodload zsh/terminfo; bindkey -e
editor-info() { zle reset-prompt; zle -R }; zle -N editor-info
zle-keymap-select() { zle editor-info }; zle -N zle-keymap-select
PROMPT='%F{4}%~%f %B%F{1}❯%F{3}❯%F{2}❯%f%b '; RPROMPT='%(?::%F{1}⏎%f)'; SPROMPT='zsh: correct %R to %r [nyae]? '`,
    },
  },
  {
    name: 'a prompt that shrinks once its line is entered',
    rc: {
      zsh: `setopt prompt_subst; long=$'%F{blue}%~%f\\n%F{green}❯%f '; PROMPT=$long
shrink() { PROMPT='%F{8}❯%f '; RPROMPT=''; zle reset-prompt; PROMPT=$long }; autoload -Uz add-zle-hook-widget
add-zle-hook-widget line-finish shrink`,
    },
  },
  {
    name: 'a prompt that is drawn again by itself',
    rc: { zsh: `TMOUT=1; TRAPALRM() { zle && zle reset-prompt }; PROMPT='%D{%S} %# '` },
  },
  {
    name: 'a start-up that is redirected',
    rc: {
      zsh: `exec {kept_out}>&1 {kept_err}>&2 >/dev/null 2>&1; print hidden; exec >&$kept_out 2>&$kept_err {kept_out}>&- {kept_err}>&-`,
    },
  },
  {
    name: 'as oh-my-bash sets',
    rc: {
      bash: `shopt -s histverify histreedit histappend cmdhist lithist checkwinsize autocd cdspell dirspell globstar
title() { printf '\\e]0;%s\\a' "\${PWD##*/}"; }; PROMPT_COMMAND='history -a; title'
git_branch() { printf ' (main)'; }; PS1='\\[\\e[32m\\]\\u@\\h\\[\\e[0m\\]:\\[\\e[34m\\]\\w\\[\\e[0m\\]$(git_branch)\\n\\$ '`,
    },
  },
  {
    name: 'a mode in the prompt',
    rc: { bash: `set -o vi; bind 'set show-mode-in-prompt on'; bind 'set enable-bracketed-paste on'` },
  },
  {
    name: 'as tide sets',
    rc: {
      fish: `set -g fish_greeting hello; function fish_mode_prompt; end; fish_vi_key_bindings
function fish_prompt --on-variable never; set_color blue; echo -n (prompt_pwd); set_color normal; echo; echo -n '❯ '; end
function fish_right_prompt; date +%H; end; function fish_title; echo title; end; abbr -a g git`,
    },
  },
  { name: 'promptvars off', rc: { bash: 'shopt -u promptvars' } },
  {
    name: 'a function named builtin',
    rc: { bash: 'builtin() { command builtin "$@"; }', zsh: 'builtin() { command builtin "$@" }' },
  },
];

/** Prompts that come before the start-up file is read, are made anew each time, or are drawn again at once. */
const INSTANT: readonly Setting[] = [
  {
    name: 'an instant prompt, as powerlevel10k has it',
    rc: {
      zsh: `print -rn -- $'\\e[32m~\\e[0m ❯ '; exec {kept_out}>&1 {kept_err}>&2 >$HOME/instant 2>&1; print hidden
autoload -Uz add-zsh-hook; show() { exec >&$kept_out 2>&$kept_err {kept_out}>&- {kept_err}>&-
print -rn -- $'\\r\\e[0m\\e[J'; cat $HOME/instant; add-zsh-hook -d precmd show }
add-zsh-hook precmd show; setopt no_prompt_bang prompt_percent prompt_subst; PROMPT='%F{4}%~%f %F{2}❯%f '; RPROMPT='%T'`,
    },
  },
  {
    name: 'a prompt of two rows that is drawn again at once and shrinks',
    rc: {
      zsh: `setopt prompt_subst; long=$'%F{blue}╭─%~%f\\n╰─%F{green}❯%f '; PROMPT=$long; RPROMPT='%(?..%F{red}%?%f) %T'
autoload -Uz add-zle-hook-widget; redraw() { zle reset-prompt; zle -R }; add-zle-hook-widget line-init redraw
shrink() { PROMPT='❯ ' RPROMPT='' ; zle reset-prompt; PROMPT=$long }; add-zle-hook-widget line-finish shrink`,
    },
  },
  {
    name: 'as starship sets',
    rc: {
      bash: `began() { began_at=\${began_at:-$SECONDS}; }; trap began DEBUG
ready() { local status=$?; began_at=; PS1="\\n\\[\\e[1;36m\\]\\w\\[\\e[0m\\] \${status#0}\\n\\[\\e[1;32m\\]❯\\[\\e[0m\\] "; return $status; }; PROMPT_COMMAND=ready`,
      zsh: `preexec() { began=$EPOCHREALTIME }; precmd() { last=$? }; setopt prompt_subst; PROMPT=$'\\n%F{6}%~%f \${last#0}\\n%F{2}❯%f '`,
      fish: `function fish_prompt; set -l last $status; echo; set_color cyan; prompt_pwd; set_color normal; echo -n "$last ❯ "; end`,
    },
  },
];

/** Words of hooks around a command are not its lines. */
const HOOKS: readonly Setting[] = [
  { name: 'words of PS0', rc: { bash: `PS0='[start]\\n'` } },
  {
    name: 'words of preexec',
    rc: { zsh: `autoload -Uz add-zsh-hook; mine() { print '[start]' }; add-zsh-hook preexec mine` },
  },
  {
    name: 'words of hooks before and after',
    rc: {
      fish: `function begins --on-event fish_preexec; echo '[start]'; end; function ends --on-event fish_postexec; echo '[end]'; end`,
      zsh: `preexec() { print '[start]' }; precmd() { print '[end]' }`,
      bash: `PS0='[start]\\n'; PROMPT_COMMAND='echo "[end]"'`,
    },
  },
];

const ALL: readonly DrawnShell[] = ['bash', 'zsh', 'fish', ...SH];
const POSIX: readonly DrawnShell[] = ['bash', 'zsh', ...SH];

const CHANGED_PROMPTS: readonly Leftover[] = [
  { name: 'a virtual environment', line: 'VIRTUAL_ENV=/v; PS1="(venv) ${PS1-}"', shells: POSIX },
  { name: 'a longer prompt', line: 'PS1="${PS1-}more "', shells: POSIX },
  { name: 'an environment that is left', line: 'OLD=$PS1; PS1="(venv) $PS1"; true; PS1=$OLD', shells: POSIX },
];

const REDIRECTED: readonly Leftover[] = [
  { name: 'errors to nowhere', line: 'exec 2>/dev/null', shells: ['bash', 'zsh'] },
  { name: 'errors to nowhere', line: 'exec 2>/dev/null', shells: ['dash', 'ash', 'mksh', 'ksh93'], mayRefuse: true },
  { name: 'a log of all', line: 'exec > >(tee log) 2>&1', shells: ['bash', 'zsh'], isLate: true },
  { name: 'a log of the output', line: 'exec > >(tee log)', shells: ['bash', 'zsh'], isLate: true },
];

/** Nothing that a client types: it is on the command line all the same. */
const HELD: readonly Leftover[] = [
  { name: 'print -z', line: `print -z 'echo held'`, shells: ['zsh'] },
  { name: 'a line to verify', line: 'setopt hist_verify', typed: '!!\r', shells: ['zsh'] },
  { name: 'a line to verify', line: 'shopt -s histverify', typed: '!!\r', shells: ['bash'] },
  { name: 'a pushed line', line: 'bindkey "^q" push-line', typed: 'echo held\u0011', shells: ['zsh'] },
  {
    name: 'a line that a hook puts there',
    line: `hold() { print -z 'echo held'; precmd_functions=(); }; precmd_functions+=(hold)`,
    shells: ['zsh'],
  },
  {
    name: 'commandline -r',
    line: `function hold --on-event fish_prompt; commandline -r 'echo held'; functions -e hold; end`,
    shells: ['fish'],
  },
  { name: 'command mode', line: 'bindkey -v', typed: 'echo half\u001b', shells: ['zsh'] },
  { name: 'command mode', line: 'set -o vi', typed: 'echo half\u001b', shells: ['bash', 'mksh', 'ksh93'] },
  { name: 'command mode', line: 'fish_vi_key_bindings', typed: 'echo half\u001b', shells: ['fish'] },
].map((each): Leftover => ({
  ...each,
  shells: each.shells as DrawnShell[],
  mayRefuse: true,
  isInTheWay: true,
  ...(each.name === 'command mode' ? { isOfClient: true } : {}),
}));

/** One thread reads the terminal, and others work: no question. */
const BESIDE: Readonly<Record<string, { readonly work: string; readonly lines: readonly string[] }>> = {
  'computes while it is read': {
    work: 'end = time.monotonic() + 5\nwhile time.monotonic() < end: pass\nprint("built", flush=True)',
    lines: ['built'],
  },
  'prints while it is read': {
    work: 'for at in range(3): time.sleep(1.3); print("step", at, flush=True)',
    lines: ['step 0', 'step 1', 'step 2'],
  },
  'has a child that computes': {
    work: 'subprocess.run([sys.executable, "-c", "import time\\nwhile time.process_time() < 2: pass"])\nprint("built", flush=True)',
    lines: ['built'],
  },
};

type Change = (draw: Draw, random: Random) => Draw | undefined;

const CHANGES: readonly Change[] = [
  (draw, random) => withSetting(draw, random, frameworks(draw)),
  (draw, random) => withSetting(draw, random, frameworks(draw)),
  (draw, random) => withSetting(draw, random, HOOKS),
  (draw, random) => inAnyShell(draw, random, CHANGED_PROMPTS),
  (draw, random) => inAnyShell(draw, random, REDIRECTED),
  (draw, random) => (random.chance(0.5) ? inAnyShell({ ...draw, way: 'run --id' }, random, HELD) : undefined),
  (draw, random) => (random.chance(0.3) ? besideWork(draw, random) : undefined),
];

export function withPeople(draw: Draw): Draw {
  const random = new Random(Math.imul(draw.number + 1, 0xc2b2ae35));
  return random.pick(CHANGES)(draw, random) ?? draw;
}

function frameworks({ number }: Draw): readonly Setting[] {
  return number < FIRST_OF_INSTANT ? FRAMEWORKS : [...INSTANT, ...FRAMEWORKS];
}

function withSetting(draw: Draw, random: Random, settings: readonly Setting[]): Draw | undefined {
  const fitting = settings.filter(({ rc }) => rc[draw.shell] !== undefined);
  if (fitting.length === 0 || draw.way === 'run') return undefined;
  return { ...draw, settings: [random.pick(fitting)] };
}

/** In place of all that came before, with nothing in its start-up file: what is drawn is what is judged. */
function inAnyShell(draw: Draw, random: Random, leftovers: readonly Leftover[]): Draw | undefined {
  if (draw.way === 'run') return undefined;
  const leftover = random.pick(leftovers);
  const shell = random.pick(leftover.shells ?? ALL);
  const fits = draw.form.shells === undefined || draw.form.shells.includes(shell);
  // Where bash asks for no bracketed pastes, since it asks for them by its errors, several lines are refused.
  const isWhole = leftover.name !== 'errors to nowhere' || !draw.form.line('', '').includes('\n');
  const form = fits && isWhole ? draw.form : PLAIN;
  // What is printed late is compared line by line.
  const program = leftover.isLate === true && draw.program.truth !== 'pipe' ? LATE : draw.program;
  const isRefused = leftover.mayRefuse === true;
  return {
    ...draw,
    shell,
    form,
    program,
    settings: [],
    leftovers: [leftover],
    meanwhile: 'nothing',
    way: isRefused ? 'run --id' : draw.way,
  };
}

const PLAIN: Draw['form'] = { name: 'alone', line: (command) => command };
const LATE: Program = { kind: 'two lines', pieces: ['one\ntwo\n'], truth: 'pipe', status: 3 };

function besideWork(draw: Draw, random: Random): Draw {
  const [kind, beside] = random.pick(Object.entries(BESIDE));
  const work = `import os, subprocess, sys, threading, time\nthreading.Thread(target=sys.stdin.readline, daemon=True).start()\n${beside.work}\nos._exit(0)`;
  const program: Program = {
    kind,
    pieces: ['before\n'],
    extra: `python3 -c '${work}'`,
    truth: 'pipe',
    lines: ['before', ...beside.lines],
    status: draw.program.status % 128,
  };
  return { ...draw, program, form: draw.form.status === undefined ? draw.form : PLAIN, meanwhile: 'nothing' };
}
