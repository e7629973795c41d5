/** The shells that people use, with their prompts and plugins: what each needs, and the lines of its start-up file. */

export type ShellName = 'bash' | 'zsh' | 'fish' | 'dash' | 'ash' | 'mksh' | 'ksh93' | 'sh';

export interface SetUp {
  readonly name: string;
  readonly shell: ShellName;
  /** Programs and files that must be there. */
  readonly needs: readonly string[];
  readonly rc: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Shell {
  /** The program that plays it, and the name by which it is called where that is another. */
  readonly program: string;
  /** Its start-up file in the home. */
  readonly rcFile: string;
  /** Where `#` at the prompt begins a comment. */
  readonly hasComments: boolean;
}

/** A shell that reads `$ENV` is given its start-up file by that name. */
export const SHELLS: Readonly<Record<ShellName, Shell>> = {
  bash: { program: 'bash', rcFile: '.bashrc', hasComments: true },
  zsh: { program: 'zsh', rcFile: '.zshrc', hasComments: false },
  fish: { program: 'fish', rcFile: '.config/fish/config.fish', hasComments: true },
  dash: { program: 'dash', rcFile: '.shrc', hasComments: true },
  ash: { program: 'busybox', rcFile: '.shrc', hasComments: true },
  mksh: { program: 'mksh', rcFile: '.mkshrc', hasComments: true },
  ksh93: { program: 'ksh93', rcFile: '.kshrc', hasComments: true },
  sh: { program: 'bash', rcFile: '.shrc', hasComments: true },
};

interface Part {
  readonly name: string;
  readonly needs: readonly string[];
  readonly rc: Partial<Record<ShellName, string>>;
}

const FZF = '/usr/share/doc/fzf/examples';
const POWERLINE = '/usr/share/powerline/bindings';
const GIT_PROMPT = '/usr/lib/git-core/git-sh-prompt';

const part = (name: string, needs: readonly string[], rc: Part['rc']): Part => ({ name, needs, rc });

const VI = part('vi mode', [], {
  bash: 'set -o vi',
  zsh: 'bindkey -v',
  fish: 'fish_vi_key_bindings',
  ash: 'set -o vi',
  mksh: 'set -o vi',
  ksh93: 'set -o vi',
});
const STARSHIP = part('starship', ['starship'], {
  bash: 'eval "$(starship init bash)"',
  zsh: 'eval "$(starship init zsh)"',
  fish: 'starship init fish | source',
});
const LIQUIDPROMPT = part('liquidprompt', ['/usr/share/liquidprompt/liquidprompt'], {
  bash: '. /usr/share/liquidprompt/liquidprompt',
  zsh: '. /usr/share/liquidprompt/liquidprompt',
});
const POWERLINES = part('powerline', ['powerline-render', `${POWERLINE}/bash/powerline.sh`], {
  bash: `. ${POWERLINE}/bash/powerline.sh`,
  zsh: `. ${POWERLINE}/zsh/powerline.zsh`,
  fish: `set fish_function_path $fish_function_path ${POWERLINE}/fish; powerline-setup`,
});
const GIT = part('__git_ps1 in PS1', ['git', GIT_PROMPT], {
  bash: `. ${GIT_PROMPT}; PS1='\\w$(__git_ps1 " (%s)")\\$ '`,
  zsh: `. ${GIT_PROMPT}; setopt PROMPT_SUBST; PS1='%~$(__git_ps1 " (%s)")%# '`,
});
const GIT_COMMAND = part('__git_ps1 at each prompt', ['git', GIT_PROMPT], {
  bash: `. ${GIT_PROMPT}; PROMPT_COMMAND='__git_ps1 "\\w" "\\\\\\$ "'`,
  zsh: `. ${GIT_PROMPT}; precmd() { __git_ps1 "%~" "%# "; }`,
});
const SUGGESTIONS = part('autosuggestions', ['/usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh'], {
  zsh: '. /usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh',
});
const HIGHLIGHTING = part('syntax highlighting', ['/usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh'], {
  zsh: '. /usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh',
});
const ATUIN = part('atuin', ['atuin'], {
  bash: 'eval "$(atuin init bash)"',
  zsh: 'eval "$(atuin init zsh)"',
  fish: 'atuin init fish | source',
});
const DIRENV = part('direnv', ['direnv'], {
  bash: 'eval "$(direnv hook bash)"',
  zsh: 'eval "$(direnv hook zsh)"',
  fish: 'direnv hook fish | source',
});
const ZOXIDE = part('zoxide', ['zoxide'], {
  bash: 'eval "$(zoxide init bash)"',
  zsh: 'eval "$(zoxide init zsh)"',
  fish: 'zoxide init fish | source',
});
const FZF_KEYS = part('fzf keys', ['fzf', `${FZF}/key-bindings.bash`], {
  bash: `. ${FZF}/key-bindings.bash`,
  zsh: `. ${FZF}/key-bindings.zsh`,
  fish: `source ${FZF}/key-bindings.fish; fzf_key_bindings`,
});
const COMPLETION = part('completion', ['/usr/share/bash-completion/bash_completion'], {
  bash: '. /usr/share/bash-completion/bash_completion',
  zsh: 'autoload -Uz compinit && compinit -u',
});
const MARKS = part('marks of its own', [], {
  bash: `PROMPT_COMMAND='printf "\\e]133;D;$?\\a\\e]133;A\\a"'; PS1='\\$ \\[\\e]133;B\\a\\]'; PS0='\\e]133;C\\a'`,
  zsh: `precmd() { print -n "\\e]133;D;$?\\a\\e]133;A\\a" }; preexec() { print -n "\\e]133;C\\a" }; PS1='%# %{'$'\\e]133;B\\a''%}'`,
});
const SET_ANEW = part('PS1 set at each prompt', [], {
  bash: `PROMPT_COMMAND='PS1="\\w> "'`,
  zsh: `precmd() { PS1='%~> ' }`,
  fish: `function set_anew --on-event fish_prompt; function fish_prompt; echo -n 'anew> '; end; end`,
});
const TWO_ROWS = part('prompt of two rows', [], {
  bash: `PS1='\\[\\e[32m\\]\\w\\[\\e[0m\\]\\n\\$ '`,
  zsh: `PS1=$'%F{green}%~%f\\n%# '; RPROMPT='%T'`,
  fish: `function fish_prompt; echo (prompt_pwd); echo -n '> '; end; function fish_right_prompt; echo -n right; end`,
  dash: `PS1='row\n$ '`,
  ash: `PS1='\\w\\n\\$ '`,
});

/** Of each shell: alone, with each part, and with several of them at once. */
const PARTS = [
  VI,
  STARSHIP,
  LIQUIDPROMPT,
  POWERLINES,
  GIT,
  GIT_COMMAND,
  SUGGESTIONS,
  HIGHLIGHTING,
  ATUIN,
  DIRENV,
  ZOXIDE,
  FZF_KEYS,
  COMPLETION,
  MARKS,
  SET_ANEW,
  TWO_ROWS,
];
const TOGETHER: readonly (readonly Part[])[] = [
  [GIT_COMMAND, DIRENV, ZOXIDE, FZF_KEYS, COMPLETION],
  [STARSHIP, SUGGESTIONS, HIGHLIGHTING, ZOXIDE, DIRENV],
  [STARSHIP, ATUIN, DIRENV, ZOXIDE, FZF_KEYS],
];

const NAMES = Object.keys(SHELLS) as ShellName[];

export const SET_UPS: readonly SetUp[] = NAMES.flatMap((shell) => [
  setUp(shell, 'plain', []),
  { ...setUp(shell, 'login', []), args: ['-l'] },
  ...PARTS.flatMap((each) => (each.rc[shell] === undefined ? [] : [setUp(shell, each.name, [each])])),
  ...TOGETHER.flatMap((parts) => {
    const usable = parts.filter(({ rc }) => rc[shell] !== undefined);
    return usable.length < 4 ? [] : [setUp(shell, usable.map(({ name }) => name).join(' + '), usable)];
  }),
]).concat(
  { ...setUp('dash', 'ENV that is not there', []), env: { ENV: '/nonexistent/shrc' } },
  { ...setUp('dash', 'ENV that is a directory', []), env: { ENV: '/tmp' } },
);

function setUp(shell: ShellName, name: string, parts: readonly Part[]): SetUp {
  return {
    name: `${shell}, ${name}`,
    shell,
    needs: [SHELLS[shell].program, ...parts.flatMap(({ needs }) => needs)],
    rc: parts.map(({ rc }) => rc[shell]).join('\n'),
  };
}
