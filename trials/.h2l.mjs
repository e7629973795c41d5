import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);

// trials/support/random.ts
var Random = class {
  #state;
  constructor(seed) {
    this.#state = seed >>> 0;
  }
  /** From 0 up to, not including, 1. */
  next() {
    this.#state = this.#state + 1831565813 >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ t >>> 15, t | 1);
    t ^= t + Math.imul(t ^ t >>> 7, t | 61);
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  }
  /** A whole number from 0 up to, not including, `end`. */
  below(end) {
    return Math.floor(this.next() * end);
  }
  chance(share) {
    return this.next() < share;
  }
  pick(items) {
    const item = items[this.below(items.length)];
    if (item === void 0) throw new RangeError("nothing to pick from");
    return item;
  }
};

// trials/verdicts/leftovers.ts
var ESC = "\x1B";
var LEFTOVERS = [
  { name: "the alternate screen", printed: `${ESC}[?1049h${ESC}[2J${ESC}[HA MENU\r
`, dropsRows: true },
  { name: "a scroll region", printed: `${ESC}[2J${ESC}[3;9r${ESC}[3;1H`, dropsRows: true },
  { name: "a scroll region as of apt", printed: `
${ESC}7${ESC}[1;23r${ESC}8${ESC}[1A` },
  { name: "a charset", printed: `${ESC}(0`, isLineDrawing: true },
  { name: "wrap off", printed: `${ESC}[?7l`, cuts: true },
  { name: "kitty flags 1", printed: `${ESC}[>1u`, mayRefuse: true },
  { name: "kitty flags 31", printed: `${ESC}[>31u`, mayRefuse: true },
  { name: "modifyOtherKeys", printed: `${ESC}[>4;2m`, mayRefuse: true },
  { name: "bracketed paste", printed: `${ESC}[?2004h`, mayRefuse: true },
  { name: "mouse", printed: `${ESC}[?1003h${ESC}[?1006h` },
  { name: "a hidden cursor", printed: `${ESC}[?25l` },
  { name: "application keys", printed: `${ESC}[?1h${ESC}=` },
  { name: "focus reports", printed: `${ESC}[?1004h` },
  { name: "a synchronized update", printed: `${ESC}[?2026h` },
  { name: "insert mode", printed: `${ESC}[4h`, shapes: true },
  { name: "a pen", printed: `${ESC}[1;7;31m` },
  { name: "a title and a link", printed: `${ESC}]2;left over${ESC}\\${ESC}]8;;http://example.org${ESC}\\` },
  {
    name: "answers that were not read",
    printed: `${ESC}[c${ESC}]11;?${ESC}\\${ESC}[6n`,
    mayRefuse: true,
    isInTheWay: true
  },
  { name: "a line typed and erased", typed: "echo never" },
  { name: "a half line", typed: "echo half", mayRefuse: true, isInTheWay: true },
  { name: "blanks", typed: "   ", mayRefuse: true, isInTheWay: true },
  {
    name: "a search in the history",
    typed: "x",
    shells: ["bash", "zsh", "fish"],
    mayRefuse: true,
    isInTheWay: true
  },
  { name: "an escape", typed: ESC, shells: ["bash", "zsh", "fish"], mayRefuse: true, isInTheWay: true },
  { name: "many lines", line: "seq 60" },
  { name: "a failed command", line: 'sh -c "exit 9"', fails: true },
  { name: "a clear", line: "clear" },
  {
    name: "a background job that prints",
    line: "(sleep 0.2; echo late) &",
    shells: ["bash", "dash", "ash", "mksh"],
    isJob: true
  }
];
var DRAWN = Object.fromEntries(
  Array.from("\u25C6\u2592\u2409\u240C\u240D\u240A\xB0\xB1\u2424\u240B\u2518\u2510\u250C\u2514\u253C\u23BA\u23BB\u2500\u23BC\u23BD\u251C\u2524\u2534\u252C\u2502\u2264\u2265\u03C0\u2260\xA3\xB7").map((glyph, at) => [String.fromCharCode(96 + at), glyph])
);

// trials/verdicts/more.ts
var FIRST = 2e3;
var SHARE = 0.4;
var NEEDS = {
  "over ssh": "sshd",
  "asked over ssh": "sshd"
};
var SEVERAL = [
  { name: "two reads", extra: `printf 'Two? '; read a; read b`, question: { kind: "line", answer: "yes\rno\r" } },
  {
    name: "three lines of python",
    extra: `python3 -c 'for at in range(3): input("%d? " % at)'`,
    question: { kind: "line", answer: "a\rb\rc\r" }
  }
];
var CHANGES = {
  "over ssh": (draw) => draw.way === "run" || isAsking(draw) || isKilled(draw) ? void 0 : inForm(draw, SSH),
  "asked over ssh": (draw) => draw.way === "run" ? void 0 : inForm(asking(draw, "read over ssh", `printf 'Name? '; read name`, { kind: "raw", answer: "yes\r" }), SSH),
  "beside an attach": (draw) => draw.way === "run" ? void 0 : { ...draw, meanwhile: "an attach" },
  "after its own output, printed again": (draw) => draw.way === "run" || isAsking(draw) || draw.program.truth !== "pipe" ? void 0 : {
    ...draw,
    leftovers: [],
    program: {
      ...draw.program,
      printsOwnOutput: true,
      truth: "last",
      pieces: [...draw.program.pieces, "the end\n"]
    }
  },
  "asked for several lines": (draw, random) => {
    const { name, extra, question } = random.pick(SEVERAL);
    return asking(draw, name, extra, question);
  },
  "in two columns": (draw) => isAsking(draw) || draw.program.truth !== "pipe" ? void 0 : { ...draw, cols: 2, settings: [], leftovers: [], meanwhile: "nothing" },
  "while the clock jumps": (draw) => ({ ...draw, meanwhile: "a clock that jumps" })
};
var SSH = {
  name: "over ssh",
  line: (command, sshConfig) => `ssh -qtt -F ${sshConfig} t4a-self '${command}'`
};
function withMore(draw, isThere2) {
  if (draw.number < FIRST) return draw;
  const random = new Random(Math.imul(draw.number + 1, 2246822507));
  if (!random.chance(SHARE)) return draw;
  const kinds = Object.keys(CHANGES).filter((kind) => isThere2(NEEDS[kind] ?? "sh"));
  const more = random.pick(kinds);
  const changed = CHANGES[more](draw, random);
  return changed === void 0 ? draw : { ...changed, more };
}
function inForm(draw, form) {
  return { ...draw, form };
}
function asking(draw, kind, extra, question) {
  const { status } = draw.program;
  return {
    ...draw,
    meanwhile: draw.meanwhile === "a resize" ? "nothing" : draw.meanwhile,
    program: {
      pieces: ["before\n"],
      truth: "last",
      kind,
      question,
      extra: `${extra}; echo after`,
      status: status % 128
    }
  };
}
function isAsking({ program }) {
  return program.question !== void 0;
}
function isKilled({ program }) {
  return program.kind.includes("ended by");
}

// trials/verdicts/people.ts
var FIRST_OF_PEOPLE = 1e4;
var FIRST_OF_INSTANT = 1e5;
var SH = ["dash", "ash", "mksh", "ksh93", "sh"];
var FRAMEWORKS = [
  {
    name: "as oh-my-zsh sets",
    rc: {
      zsh: `setopt auto_cd auto_pushd prompt_subst interactive_comments extended_history share_history hist_verify hist_ignore_space
setopt hist_expire_dups_first hist_ignore_dups complete_in_word always_to_end long_list_jobs
autoload -Uz add-zsh-hook bracketed-paste-magic url-quote-magic
zle -N bracketed-paste bracketed-paste-magic; zle -N self-insert url-quote-magic
title_precmd() { print -Pn '\\e]2;%n@%m:%~\\a\\e]1;%~\\a' }; title_preexec() { print -rn -- $'\\e]2;'"\${1%% *}"$'\\a' }
add-zsh-hook precmd title_precmd; add-zsh-hook preexec title_preexec
git_prompt_info() { print -n ' (main)' }
PROMPT='%(?:%F{green}\u279C :%F{red}\u279C ) %F{cyan}%c%f$(git_prompt_info) '`
    }
  },
  {
    name: "as prezto sets",
    rc: {
      zsh: `setopt combining_chars rc_quotes auto_resume notify prompt_subst hist_verify hist_beep bang_hist correct
unsetopt bg_nice hup check_jobs mail_warning
zmodload zsh/terminfo; bindkey -e
editor-info() { zle reset-prompt; zle -R }; zle -N editor-info
zle-keymap-select() { zle editor-info }; zle -N zle-keymap-select
PROMPT='%F{4}%~%f %B%F{1}\u276F%F{3}\u276F%F{2}\u276F%f%b '; RPROMPT='%(?::%F{1}\u23CE%f)'; SPROMPT='zsh: correct %R to %r [nyae]? '`
    }
  },
  {
    name: "a prompt that shrinks once its line is entered",
    rc: {
      zsh: `setopt prompt_subst; long=$'%F{blue}%~%f\\n%F{green}\u276F%f '; PROMPT=$long
shrink() { PROMPT='%F{8}\u276F%f '; RPROMPT=''; zle reset-prompt; PROMPT=$long }; autoload -Uz add-zle-hook-widget
add-zle-hook-widget line-finish shrink`
    }
  },
  {
    name: "a prompt that is drawn again by itself",
    rc: { zsh: `TMOUT=1; TRAPALRM() { zle && zle reset-prompt }; PROMPT='%D{%S} %# '` }
  },
  {
    name: "a start-up that is redirected",
    rc: {
      zsh: `exec {kept_out}>&1 {kept_err}>&2 >/dev/null 2>&1; print hidden; exec >&$kept_out 2>&$kept_err {kept_out}>&- {kept_err}>&-`
    }
  },
  {
    name: "as oh-my-bash sets",
    rc: {
      bash: `shopt -s histverify histreedit histappend cmdhist lithist checkwinsize autocd cdspell dirspell globstar
title() { printf '\\e]0;%s\\a' "\${PWD##*/}"; }; PROMPT_COMMAND='history -a; title'
git_branch() { printf ' (main)'; }; PS1='\\[\\e[32m\\]\\u@\\h\\[\\e[0m\\]:\\[\\e[34m\\]\\w\\[\\e[0m\\]$(git_branch)\\n\\$ '`
    }
  },
  {
    name: "a mode in the prompt",
    rc: { bash: `set -o vi; bind 'set show-mode-in-prompt on'; bind 'set enable-bracketed-paste on'` }
  },
  {
    name: "as tide sets",
    rc: {
      fish: `set -g fish_greeting hello; function fish_mode_prompt; end; fish_vi_key_bindings
function fish_prompt --on-variable never; set_color blue; echo -n (prompt_pwd); set_color normal; echo; echo -n '\u276F '; end
function fish_right_prompt; date +%H; end; function fish_title; echo title; end; abbr -a g git`
    }
  },
  { name: "promptvars off", rc: { bash: "shopt -u promptvars" } },
  {
    name: "a function named builtin",
    rc: { bash: 'builtin() { command builtin "$@"; }', zsh: 'builtin() { command builtin "$@" }' }
  }
];
var INSTANT = [
  {
    name: "an instant prompt, as powerlevel10k has it",
    rc: {
      zsh: `print -rn -- $'\\e[32m~\\e[0m \u276F '; exec {kept_out}>&1 {kept_err}>&2 >$HOME/instant 2>&1; print hidden
autoload -Uz add-zsh-hook; show() { exec >&$kept_out 2>&$kept_err {kept_out}>&- {kept_err}>&-
print -rn -- $'\\r\\e[0m\\e[J'; cat $HOME/instant; add-zsh-hook -d precmd show }
add-zsh-hook precmd show; setopt no_prompt_bang prompt_percent prompt_subst; PROMPT='%F{4}%~%f %F{2}\u276F%f '; RPROMPT='%T'`
    }
  },
  {
    name: "a prompt of two rows that is drawn again at once and shrinks",
    rc: {
      zsh: `setopt prompt_subst; long=$'%F{blue}\u256D\u2500%~%f\\n\u2570\u2500%F{green}\u276F%f '; PROMPT=$long; RPROMPT='%(?..%F{red}%?%f) %T'
autoload -Uz add-zle-hook-widget; redraw() { zle reset-prompt; zle -R }; add-zle-hook-widget line-init redraw
shrink() { PROMPT='\u276F ' RPROMPT='' ; zle reset-prompt; PROMPT=$long }; add-zle-hook-widget line-finish shrink`
    }
  },
  {
    name: "as starship sets",
    rc: {
      bash: `began() { began_at=\${began_at:-$SECONDS}; }; trap began DEBUG
ready() { local status=$?; began_at=; PS1="\\n\\[\\e[1;36m\\]\\w\\[\\e[0m\\] \${status#0}\\n\\[\\e[1;32m\\]\u276F\\[\\e[0m\\] "; return $status; }; PROMPT_COMMAND=ready`,
      zsh: `preexec() { began=$EPOCHREALTIME }; precmd() { last=$? }; setopt prompt_subst; PROMPT=$'\\n%F{6}%~%f \${last#0}\\n%F{2}\u276F%f '`,
      fish: `function fish_prompt; set -l last $status; echo; set_color cyan; prompt_pwd; set_color normal; echo -n "$last \u276F "; end`
    }
  }
];
var HOOKS = [
  { name: "words of PS0", rc: { bash: `PS0='[start]\\n'` } },
  {
    name: "words of preexec",
    rc: { zsh: `autoload -Uz add-zsh-hook; mine() { print '[start]' }; add-zsh-hook preexec mine` }
  },
  {
    name: "words of hooks before and after",
    rc: {
      fish: `function begins --on-event fish_preexec; echo '[start]'; end; function ends --on-event fish_postexec; echo '[end]'; end`,
      zsh: `preexec() { print '[start]' }; precmd() { print '[end]' }`,
      bash: `PS0='[start]\\n'; PROMPT_COMMAND='echo "[end]"'`
    }
  }
];
var ALL = ["bash", "zsh", "fish", ...SH];
var POSIX = ["bash", "zsh", ...SH];
var CHANGED_PROMPTS = [
  { name: "a virtual environment", line: 'VIRTUAL_ENV=/v; PS1="(venv) ${PS1-}"', shells: POSIX },
  { name: "a longer prompt", line: 'PS1="${PS1-}more "', shells: POSIX },
  { name: "an environment that is left", line: 'OLD=$PS1; PS1="(venv) $PS1"; true; PS1=$OLD', shells: POSIX }
];
var REDIRECTED = [
  { name: "errors to nowhere", line: "exec 2>/dev/null", shells: ["bash", "zsh"] },
  { name: "errors to nowhere", line: "exec 2>/dev/null", shells: ["dash", "ash", "mksh", "ksh93"], mayRefuse: true },
  { name: "a log of all", line: "exec > >(tee log) 2>&1", shells: ["bash", "zsh"], isLate: true },
  { name: "a log of the output", line: "exec > >(tee log)", shells: ["bash", "zsh"], isLate: true }
];
var HELD = [
  { name: "print -z", line: `print -z 'echo held'`, shells: ["zsh"] },
  { name: "a line to verify", line: "setopt hist_verify", typed: "!!\r", shells: ["zsh"] },
  { name: "a line to verify", line: "shopt -s histverify", typed: "!!\r", shells: ["bash"] },
  { name: "a pushed line", line: 'bindkey "^q" push-line', typed: "echo held", shells: ["zsh"] },
  {
    name: "a line that a hook puts there",
    line: `hold() { print -z 'echo held'; precmd_functions=(); }; precmd_functions+=(hold)`,
    shells: ["zsh"]
  },
  {
    name: "commandline -r",
    line: `function hold --on-event fish_prompt; commandline -r 'echo held'; functions -e hold; end`,
    shells: ["fish"]
  },
  { name: "command mode", line: "bindkey -v", typed: "echo half\x1B", shells: ["zsh"] },
  { name: "command mode", line: "set -o vi", typed: "echo half\x1B", shells: ["bash", "mksh", "ksh93"] },
  { name: "command mode", line: "fish_vi_key_bindings", typed: "echo half\x1B", shells: ["fish"] }
].map((each) => ({ ...each, shells: each.shells, mayRefuse: true, isInTheWay: true }));
var BESIDE = {
  "computes while it is read": {
    work: 'end = time.monotonic() + 5\nwhile time.monotonic() < end: pass\nprint("built", flush=True)',
    lines: ["built"]
  },
  "prints while it is read": {
    work: 'for at in range(3): time.sleep(1.3); print("step", at, flush=True)',
    lines: ["step 0", "step 1", "step 2"]
  },
  "has a child that computes": {
    work: 'subprocess.run([sys.executable, "-c", "import time\\nwhile time.process_time() < 2: pass"])\nprint("built", flush=True)',
    lines: ["built"]
  }
};
var CHANGES2 = [
  (draw, random) => withSetting(draw, random, frameworks(draw)),
  (draw, random) => withSetting(draw, random, frameworks(draw)),
  (draw, random) => withSetting(draw, random, HOOKS),
  (draw, random) => inAnyShell(draw, random, CHANGED_PROMPTS),
  (draw, random) => inAnyShell(draw, random, REDIRECTED),
  (draw, random) => random.chance(0.5) ? inAnyShell({ ...draw, way: "run --id" }, random, HELD) : void 0,
  (draw, random) => random.chance(0.3) ? besideWork(draw, random) : void 0
];
function withPeople(draw) {
  const random = new Random(Math.imul(draw.number + 1, 3266489909));
  return random.pick(CHANGES2)(draw, random) ?? draw;
}
function frameworks({ number }) {
  return number < FIRST_OF_INSTANT ? FRAMEWORKS : [...INSTANT, ...FRAMEWORKS];
}
function withSetting(draw, random, settings) {
  const fitting = settings.filter(({ rc }) => rc[draw.shell] !== void 0);
  if (fitting.length === 0 || draw.way === "run") return void 0;
  return { ...draw, settings: [random.pick(fitting)] };
}
function inAnyShell(draw, random, leftovers) {
  if (draw.way === "run") return void 0;
  const leftover = random.pick(leftovers);
  const shell = random.pick(leftover.shells ?? ALL);
  const fits = draw.form.shells === void 0 || draw.form.shells.includes(shell);
  const isWhole = leftover.name !== "errors to nowhere" || !draw.form.line("", "").includes("\n");
  const form = fits && isWhole ? draw.form : PLAIN;
  const program = leftover.isLate === true && draw.program.truth !== "pipe" ? LATE : draw.program;
  const isRefused = leftover.mayRefuse === true;
  return {
    ...draw,
    shell,
    form,
    program,
    settings: [],
    leftovers: [leftover],
    meanwhile: "nothing",
    way: isRefused ? "run --id" : draw.way
  };
}
var PLAIN = { name: "alone", line: (command) => command };
var LATE = { kind: "two lines", pieces: ["one\ntwo\n"], truth: "pipe", status: 3 };
function besideWork(draw, random) {
  const [kind, beside] = random.pick(Object.entries(BESIDE));
  const work = `import os, subprocess, sys, threading, time
threading.Thread(target=sys.stdin.readline, daemon=True).start()
${beside.work}
os._exit(0)`;
  const program = {
    kind,
    pieces: ["before\n"],
    extra: `python3 -c '${work}'`,
    truth: "pipe",
    lines: ["before", ...beside.lines],
    status: draw.program.status % 128
  };
  return { ...draw, program, form: draw.form.status === void 0 ? draw.form : PLAIN, meanwhile: "nothing" };
}

// trials/verdicts/programs.ts
var ESC2 = "\x1B";
var WIDE = "\u6F22\u5B57\u4EEE\u540D\u4EA4\u3058\u308A\u6587";
var WORDS = [
  "error",
  "warning:",
  "ok",
  "src/main.ts",
  "100%",
  "x",
  "na\xEFve",
  "Zo\xEB",
  "\u6F22\u5B57",
  "\u{1F642}",
  "$",
  "#",
  "%",
  ">",
  "--"
];
var KINDS = {
  nothing: () => ({ pieces: [], truth: "pipe" }),
  "one line": (random) => ({ pieces: [`${words(random)}
`], truth: "pipe" }),
  "no end of the last line": (random) => ({ pieces: [`${words(random)}
${words(random)}`], truth: "pipe" }),
  "many lines": (random) => ({ pieces: [lines(random, random.below(120))], truth: "pipe" }),
  "blank lines": (random) => ({ pieces: [`

${words(random)}


${words(random)}
`], truth: "pipe" }),
  "a long line": (random) => ({ pieces: [`${"abcdefghij".repeat(1 + random.below(60))}END
`], truth: "pipe" }),
  "wide text at the edge": (random) => ({
    pieces: [`${"x".repeat(random.below(4))}${WIDE.repeat(1 + random.below(20))}${"y".repeat(random.below(3))}
`],
    truth: "pipe"
  }),
  "a line that just fits": (random) => ({
    pieces: [`${"z".repeat(random.pick([79, 80, 81, 160]))}
next
`],
    truth: "pipe"
  }),
  colours: (random) => ({
    pieces: [`${ESC2}[1;31m${words(random)}${ESC2}[0m ${ESC2}[48;2;1;2;3m${words(random)}${ESC2}[m
`],
    truth: "pipe"
  }),
  "titles, links, bells": () => ({
    pieces: [`${ESC2}]0;title${ESC2}\\${ESC2}]8;;http://example.org/${ESC2}\\link${ESC2}]8;;${ESC2}\\\x07 text
`],
    truth: "pipe"
  }),
  "a progress bar": (random) => ({
    pieces: Array.from({ length: 3 }, (_, step) => `\rat ${String(step * random.below(50)).padStart(3)} %`).concat(
      "\ndone\n"
    ),
    truth: "tmux"
  }),
  "a shorter line over a longer": () => ({ pieces: [`working on it\rdone
next
`, `abc\b\bX
`], truth: "tmux" }),
  "an erased line": () => ({ pieces: [`working\r${ESC2}[Kdone
`], truth: "tmux" }),
  "rows drawn again": (random) => ({
    pieces: ["one 0\ntwo 0\nthree 0\n", `${ESC2}[3A\rone ${random.below(100)}

`, `${ESC2}[K\rthree 9
end
`],
    truth: "tmux"
  }),
  "a clear": (random) => ({
    pieces: [`before
${ESC2}[H${ESC2}[2J${lines(random, 1 + random.below(5))}`],
    truth: "tmux"
  }),
  "a clear of all": (random) => ({
    pieces: [`${ESC2}[H${ESC2}[2J${ESC2}[3J${lines(random, 1 + random.below(30))}`],
    truth: "tmux"
  }),
  "many lines, then a clear": () => ({ pieces: [lines1(40), `${ESC2}[H${ESC2}[2J${ESC2}[3Jlast
`], truth: "tmux" }),
  "a reset": () => ({ pieces: [`${ESC2}cafter
`], truth: "tmux" }),
  "a full screen and back": () => ({
    pieces: ["before\n", `${ESC2}[?1049h${ESC2}[2J${ESC2}[Hmenu`, `${ESC2}[?1049lafter
`],
    truth: "tmux"
  }),
  "marks of other shells": (random) => ({
    pieces: [
      `${ESC2}]133;D;${random.below(256)}\x07${ESC2}]133;A\x07$ ${ESC2}]133;B\x07ls
${ESC2}]133;C\x07x
`,
      `${ESC2}]633;D;7\x07${ESC2}]633;A\x07${ESC2}]633;B\x07${ESC2}]633;E;forged\x07${ESC2}]633;C\x07`,
      `${random.chance(0.5) ? `${ESC2}]7777;done;9\x07` : ""}end of it
`
    ],
    truth: "pipe"
  }),
  "a status bar": () => ({
    pieces: [
      `
${ESC2}7${ESC2}[1;23r${ESC2}8${ESC2}[1A`,
      `a
${ESC2}7${ESC2}[24;1Hbar${ESC2}8`,
      `b
${ESC2}7${ESC2}[1;24r${ESC2}[24;1H${ESC2}[K${ESC2}8`
    ],
    truth: "tmux"
  }),
  "a job in the background": () => ({ pieces: ["started\n"], truth: "pipe", extra: "sleep 5 >/dev/null 2>&1 &" }),
  "modes set and reset": () => ({
    pieces: [`${ESC2}[?25l${ESC2}[?2004h${ESC2}[?1h${ESC2}[>1uwork
`, `${ESC2}[<u${ESC2}[?1l${ESC2}[?2004l${ESC2}[?25h`],
    truth: "pipe"
  })
};
var QUESTIONS = {
  "read of a line": { question: { kind: "line", answer: "yes\r" }, extra: `printf 'Name? '; read name`, needs: "sh" },
  "read of a key": {
    question: { kind: "raw", answer: "y" },
    extra: `printf 'Sure? '; bash -c 'read -n1 key'; echo`,
    needs: "bash"
  },
  "read of a password": {
    question: { kind: "password", answer: "secret\r" },
    extra: `bash -c 'read -s -p "Password: " word'; echo`,
    needs: "bash"
  },
  "input of python": {
    question: { kind: "line", answer: "yes\r" },
    extra: `python3 -c 'input("Name? ")'`,
    needs: "python3"
  },
  "readline of node": {
    question: { kind: "raw", answer: "yes\r" },
    extra: `node -e 'const r=require("readline").createInterface(process.stdin,process.stdout);r.question("Name? ",()=>r.close())'`,
    needs: "node"
  },
  "read behind script": {
    question: { kind: "line", answer: "yes\r" },
    extra: `script -qc "sh -c 'printf Name?; read n'" /dev/null`,
    needs: "script"
  },
  "read behind sudo": {
    question: { kind: "line", answer: "yes\r" },
    extra: `sudo -n sh -c 'printf Name?; read n'`,
    needs: "sudo"
  },
  "read behind su": {
    question: { kind: "line", answer: "yes\r" },
    extra: `su -s /bin/sh -c 'printf Name?; read n' root`,
    needs: "su"
  },
  "select of bash": {
    question: { kind: "line", answer: "1\r" },
    extra: `bash -c 'select x in a b; do break; done'`,
    needs: "bash"
  }
};
var SIGNALS = { HUP: 1, INT: 2, QUIT: 3, KILL: 9, TERM: 15, USR1: 10 };
function drawProgram(random, isThere2) {
  const kind = random.pick(Object.keys(KINDS));
  const made = KINDS[kind](random);
  if (random.chance(0.12)) {
    const usable = Object.entries(QUESTIONS).filter(([, { needs }]) => isThere2(needs));
    const [name, { question, extra }] = random.pick(usable);
    return {
      pieces: ["before\n"],
      truth: "last",
      kind: name,
      question,
      extra: `${extra}; echo after`,
      status: drawStatus(random)
    };
  }
  if (random.chance(0.08)) {
    const [name, number] = random.pick(Object.entries(SIGNALS));
    return {
      ...made,
      kind: `${kind}, ended by SIG${name}`,
      extra: `${made.extra ?? ""}
kill -${name} $$`,
      status: 128 + number
    };
  }
  return { ...made, kind, status: drawStatus(random) };
}
function drawStatus(random) {
  return random.chance(0.5) ? 0 : random.below(256);
}
function words(random) {
  return Array.from({ length: 1 + random.below(6) }, () => random.pick(WORDS)).join(" ");
}
function lines(random, count2) {
  return Array.from({ length: count2 }, (_, at) => `${at + 1} ${words(random)}
`).join("");
}
function lines1(count2) {
  return Array.from({ length: count2 }, (_, at) => `line ${at + 1}
`).join("");
}

// trials/verdicts/truths.ts
import { execFile } from "node:child_process";
import { promisify } from "node:util";
var call = promisify(execFile);
var COLS = 80;

// trials/verdicts/settings.ts
var DRAWN_SHELLS = ["bash", "zsh", "fish", "dash", "mksh", "ash"];
var POSIX2 = (rc) => ({ bash: rc, zsh: rc, dash: rc, mksh: rc, ash: rc });
var SETTINGS = [
  { name: "vi mode", rc: { ...POSIX2("set -o vi"), zsh: "bindkey -v", fish: "fish_vi_key_bindings" } },
  { name: "set -x", rc: { ...POSIX2("set -x"), fish: "set -g fish_trace 1" }, traces: true },
  // mksh goes on at its prompt.
  { name: "set -e", rc: { bash: "set -e", zsh: "set -e", dash: "set -e", ash: "set -e" }, endsOnError: true },
  { name: "set -u", rc: POSIX2("set -u") },
  {
    name: "HISTCONTROL",
    rc: { bash: "HISTCONTROL=ignoreboth:erasedups", zsh: "setopt hist_ignore_space hist_ignore_all_dups" }
  },
  { name: "no history", rc: { bash: "set +o history", zsh: "HISTSIZE=0", mksh: "HISTSIZE=0" } },
  {
    name: "a prompt hook that prints",
    rc: {
      bash: `PROMPT_COMMAND='echo "-- hook --"'`,
      zsh: `precmd() { print -- '-- hook --' }`,
      fish: `function hook --on-event fish_prompt; echo '-- hook --'; end`
    }
  },
  {
    name: "a prompt hook that clears",
    rc: {
      bash: `PROMPT_COMMAND='printf "\\e[2J\\e[H"'`,
      zsh: `precmd() { print -n '\\e[2J\\e[H' }`,
      fish: `function hook --on-event fish_prompt; printf '\\e[2J\\e[H'; end`
    },
    clears: true
  },
  {
    name: "a preexec that prints",
    rc: { bash: `PS0='-- starts --\\n'`, zsh: `preexec() { print -- '-- starts --' }` }
  },
  {
    name: "a prompt of several lines",
    rc: {
      ...POSIX2(`PS1='first row
$ '`),
      fish: `function fish_prompt; echo first row; echo -n '> '; end`
    }
  },
  {
    name: "a right prompt",
    rc: {
      bash: `PS1='\\[\\e7\\e[70G10:00\\e8\\]\\$ '`,
      zsh: `RPROMPT='%T'`,
      fish: "function fish_right_prompt; echo -n 10:00; end"
    }
  },
  { name: "a right prompt that goes", rc: { zsh: `RPROMPT='%T'; setopt transient_rprompt` } },
  { name: "a prompt of colours, unmarked", rc: POSIX2(`PS1="$(printf '\\033[31mred\\033[0m $ ')"`) },
  { name: "an empty prompt", rc: { ...POSIX2(`PS1=''`), fish: "function fish_prompt; end" } },
  { name: "echo off", rc: { ...POSIX2("stty -echo"), fish: "stty -echo" } },
  { name: "no mark of unfinished lines", rc: { zsh: "unsetopt prompt_sp prompt_cr" } },
  { name: "a DEBUG trap", rc: { bash: `trap 'last=$BASH_COMMAND' DEBUG` } },
  { name: "posix", rc: { bash: "set -o posix", zsh: "emulate sh" } },
  {
    name: "printf and stty of their own",
    rc: { bash: 'printf() { builtin printf "$@"; }', zsh: 'printf() { builtin printf "$@" }' }
  },
  { name: "IFS", rc: POSIX2("IFS=0123456789") },
  { name: "noclobber, noglob", rc: POSIX2("set -C; set -f") },
  { name: "ksh arrays", rc: { zsh: "setopt ksh_arrays sh_word_split" } }
];

// trials/verdicts/draw.ts
var POSIX3 = ["bash", "zsh", "dash", "mksh", "ash"];
var PASTING = ["bash", "zsh"];
var FORMS = [
  { name: "alone", line: (command) => command },
  { name: "after a blank", line: (command) => ` ${command}` },
  { name: "before a pipe", line: (command) => `${command} | cat`, status: 0 },
  { name: "after true", line: (command) => `true && ${command}` },
  { name: "in a subshell", shells: POSIX3, line: (command) => `(${command})` },
  { name: "of three lines", shells: PASTING, line: (command) => `if true
then ${command}
fi` },
  { name: "of three lines", shells: ["fish"], line: (command) => `if true
${command}
end` }
];
function drawOf(number, isThere2) {
  const random = new Random(Math.imul(number + 1, 2654435761));
  const shell = random.pick(DRAWN_SHELLS);
  const settings = some(
    random,
    SETTINGS.filter(({ rc }) => rc[shell] !== void 0),
    [0.4, 0.75]
  );
  const way = random.pick(["run", "run --id", "run --id", "type", "type"]);
  const usable = LEFTOVERS.filter(({ shells }) => shells === void 0 || shells.includes(shell));
  const ends = settings.some(({ endsOnError }) => endsOnError === true);
  const fitting = usable.filter(({ isInTheWay }) => way === "run --id" || isInTheWay === void 0).filter(({ fails }) => !(ends && fails === true));
  const drawnLeftovers = way === "run" ? [] : some(random, fitting, [0.5, 0.85]);
  const program = drawProgram(random, isThere2);
  const isEnded = shell === "ash" && settings.some(({ name }) => name === "echo off");
  const leftovers = drawnLeftovers.filter(({ isJob }) => isJob === void 0 || !(program.truth === "tmux" || isEnded)).toSorted((a, b) => Number(isTyped(a)) - Number(isTyped(b)));
  const forms = FORMS.filter(({ shells }) => shells === void 0 || shells.includes(shell));
  const form = way === "run" ? FORMS[0] : random.pick(way === "type" ? forms.filter(({ line }) => !line("", "").includes("\n")) : forms);
  const mayResize = program.truth === "pipe" && !leftovers.some(({ dropsRows, cuts, shapes }) => dropsRows === true || cuts === true || shapes === true);
  const drawn = random.pick(["nothing", "nothing", "a resize", "other readers"]);
  const meanwhile = drawn === "a resize" && !mayResize ? "nothing" : drawn;
  const draw = { number, shell, settings, leftovers, program, way, form, meanwhile, cols: COLS };
  return number < FIRST_OF_PEOPLE ? withMore(draw, isThere2) : withPeople(draw);
}
function some(random, items, [none, one]) {
  const share = random.next();
  const count2 = share < none ? 0 : share < one ? 1 : 2;
  return Array.from({ length: count2 }, () => random.pick(items)).filter((item, at, all) => all.indexOf(item) === at);
}
function isTyped({ typed, isInTheWay }) {
  return typed !== void 0 || isInTheWay === true;
}
function describe({ number, shell, settings, leftovers, program, way, form, meanwhile, more }) {
  const parts = [shell, ...settings.map(({ name }) => name)].join(" + ");
  const before = leftovers.length === 0 ? "" : `; after ${leftovers.map(({ name }) => name).join(", ")}`;
  return `${number} ${way}: ${parts}${before}; ${program.kind}, ${form.name}, status ${program.status}; ${meanwhile}${more === void 0 ? "" : `; ${more}`}`;
}

// trials/verdicts/around.ts
import { execFile as execFile2 } from "node:child_process";
import { mkdtempSync as mkdtempSync2, readdirSync as readdirSync2, readFileSync as readFileSync5, rmSync as rmSync2 } from "node:fs";
import path2 from "node:path";
import { promisify as promisify2 } from "node:util";

// src/base/emitter.ts
var listening = 0;
var Emitter = class {
  #listeners = [];
  get hasListeners() {
    return this.#listeners.length > 0;
  }
  on(listener) {
    this.#replace([...this.#listeners, listener]);
    return { dispose: () => this.#replace(this.#listeners.filter((other) => other !== listener)) };
  }
  emit(value) {
    const failures = [];
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
  clear() {
    this.#replace([]);
  }
  #replace(listeners) {
    listening += listeners.length - this.#listeners.length;
    this.#listeners = listeners;
  }
};

// src/protocol/errors.ts
var usage = (meaning) => ({ meaning, fault: "caller", exitStatus: 2 });
var state = (meaning) => ({ meaning, fault: "state", exitStatus: 1 });
var gone = (meaning) => ({ meaning, fault: "state", exitStatus: 4 });
var ours = (meaning) => ({ meaning, fault: "daemon", exitStatus: 1 });
var ERRORS = {
  bad_json: usage("The line is not JSON."),
  bad_request: usage("The line is JSON, but not an object; or it holds too much."),
  missing_cmd: usage('The request has no "cmd".'),
  unknown_cmd: usage("There is no such command."),
  unknown_field: usage("The command has no such field."),
  invalid_field: usage("A field has the wrong type or a value out of range."),
  line_too_long: usage("The request line exceeds its limit. The connection is closed."),
  too_many_requests: state("Too many requests of this connection are unanswered."),
  too_many_connections: state("The limit on connections is reached."),
  connection_streams: usage("The connection is an event stream and takes no further requests."),
  cancelled: state("The client cancelled the request."),
  terminal_not_found: gone("There is no terminal of that name."),
  terminal_exited: gone("The terminal's process has ended and reads no input."),
  not_allowed: state("The request needs more than its connection is restricted to."),
  host_unknown: usage("There is no such host. A daemon by itself has its own terminals only."),
  host_ambiguous: usage("Several hosts have the name, or fit the pattern."),
  host_unreachable: state("The host cannot be reached, or does not answer as t4a."),
  host_alias: state("The route of the host leads to a daemon of this user on this machine."),
  terminal_ambiguous: usage("Several hosts have a terminal of that name, or not all hosts have answered."),
  not_permitted: state("The processes belong to another user, so the system refuses the signal."),
  name_taken: state("A terminal of that name already exists."),
  too_many_terminals: state("The limit on terminals is reached."),
  over_limit: usage("A value exceeds a limit of the configuration."),
  memory_low: state(
    "The daemon is close to a limit of its memory: it takes no further terminal, or ends the connection that holds most."
  ),
  cwd_not_found: usage("The working directory does not exist or cannot be entered."),
  program_not_found: usage("The program does not exist on the PATH or at the path given."),
  program_not_executable: usage("The program exists but may not be executed."),
  spawn_failed: state("The operating system refused to start the program."),
  command_not_found: state("There is no such shell command, or the place of its output is unknown."),
  screen_not_shown: state("The alternate screen is not shown, and has no content then."),
  no_shell_prompt: state("No shell in the terminal has reported a prompt (shell integration)."),
  shell_busy: state("The shell is not at an empty prompt: it runs a command, or text was typed."),
  too_many_waits: state("Too many waits on this terminal are pending."),
  unsupported: state("This operating system does not report what the request asks for."),
  input_blocked: state("The program does not read its input, and its buffer is full."),
  input_interrupted: state("Ctrl+C or another interrupt overtook the input; the rest of it was dropped."),
  control_held: state("Another name has control of the terminal, so nothing was written or taken."),
  not_holder: state("The request needs control of the terminal, which its author does not have, or no longer."),
  entry_changed: state("The entry of `if_entry` has changed, or is not open any more: nothing was written."),
  file_changed: state("The file of `if_file` does not hold its text: nothing was started."),
  others_typed: state("The terminal has had another number of inputs than `if_inputs`: nothing was written."),
  key_reused: usage("The key names another delivery of this terminal, with another text."),
  ask_not_found: state("There is no such question, or it has ended already."),
  trigger_not_found: state("There is no such trigger."),
  too_many_triggers: state("The limit on triggers of a terminal is reached."),
  too_many_asks: state("The limit on open questions is reached."),
  would_echo: state("The text is a secret and was not written: no program is known to read a line without echo."),
  unknown_key: usage("A name is not the name of a key."),
  key_not_sendable: state("The key has no encoding in the keyboard mode that the program has set."),
  invalid_utf8: usage("A text is not UTF-8."),
  mouse_off: state("The program has not asked for mouse events of this kind."),
  focus_off: state("The program has not asked for focus events."),
  cell_outside: usage("The cell lies outside the grid."),
  run_not_found: state("No `run` with this `stream` is under way."),
  offset_gone: state("Output at this offset is kept no more; `first` is the first offset that is."),
  no_match: state("Nothing in the viewport matches."),
  bad_regex: usage("The pattern is not a regular expression of RE2 syntax, or is too large."),
  revision_unknown: usage("The screen has not reached this revision yet."),
  moment_lost: state("The moment lies before what the history of the terminal keeps, or in a gap of it."),
  moment_unknown: state(
    "The terminal has had no such moment: a time to come, or no such event, input, command or marker."
  ),
  image_too_large: usage("The picture would exceed the limit on its size."),
  region_outside: usage("The region lies outside the grid."),
  render_failed: ours("The picture could not be drawn."),
  profile_not_found: usage("There is no profile of rules of that name."),
  rules_changed: state("The rules are not of the version that the request names."),
  rules_invalid: usage("The rules are not valid; the message names the place."),
  recording_not_found: state("The terminal is not being recorded, or the file does not exist."),
  recording_invalid: usage("The file is no recording that can be read."),
  recording_exists: state("The terminal is being recorded already, or the file exists."),
  read_only: state("The terminal is an opened recording, which takes no input."),
  export_too_large: usage("The export would exceed a limit on its frames, pixels or bytes."),
  recording_failed: state("The file of the recording cannot be written."),
  shutting_down: state("The daemon is shutting down."),
  daemon_unreachable: state("No daemon answers on the socket, and none could be started."),
  daemon_stopped: state("The daemon is stopped (SIGSTOP) and answers no request until it is continued."),
  socket_owner: state("The socket belongs to another user."),
  socket_path: usage("The socket path cannot be used."),
  connection_lost: state("The daemon closed the connection before its reply."),
  version_mismatch: state("The running daemon has another version of the protocol."),
  usage: usage("The command line is wrong."),
  internal: ours("Internal error; the log of the daemon has the details.")
};
var T4aError = class extends Error {
  name = "T4aError";
  code;
  details;
  constructor(code, message, details = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
};
function isT4aError(error) {
  return error instanceof Error && error.name === "T4aError" && "code" in error && "details" in error;
}
function quote(value) {
  const text = jsonStart(value, MAX_QUOTED_LENGTH + 1);
  if (text.length <= MAX_QUOTED_LENGTH) return text;
  return `${text.slice(0, MAX_QUOTED_LENGTH - 3).replace(LONE_HIGH_SURROGATE, "")}\u2026`;
}
var MAX_QUOTED_LENGTH = 80;
var LONE_HIGH_SURROGATE = /[\uD800-\uDBFF]$/;
function jsonStart(value, most) {
  const cut = (text2) => JSON.stringify(text2.slice(0, Math.max(0, most)));
  if (typeof value === "string") return cut(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? String(value);
  const fields = value;
  const isList = Array.isArray(value);
  let text = isList ? "[" : "{";
  for (const key of isList ? value.keys() : Object.keys(value)) {
    if (text.length > most) break;
    if (text.length > 1) text += ",";
    if (typeof key === "string") text += `${cut(key)}:`;
    text += jsonStart(fields[key], most - text.length);
  }
  return `${text}${isList ? "]" : "}"}`;
}

// src/client/daemon-lock.ts
import { closeSync, constants, openSync, readSync } from "node:fs";

// src/base/errno.ts
function errnoOf(error) {
  if (!(error instanceof Error) || !("code" in error)) return void 0;
  return typeof error.code === "string" ? error.code : void 0;
}

// src/protocol/socket-path.ts
var DEFAULT_SOCKET_PATH = "/tmp/t4a.sock";
function maxSocketPathBytes(platform) {
  return platform === "linux" ? 107 : 103;
}
function checkSocketPath(path3, platform, maxBytes = maxSocketPathBytes(platform)) {
  if (path3.includes("\0")) throw unusableSocketPath(path3, "it contains a NUL");
  const length = new TextEncoder().encode(path3).length;
  if (length > maxBytes)
    throw unusableSocketPath(path3, `it has ${length} bytes, and a socket's path at most ${maxBytes}`);
}
function lockPath(socketPath) {
  return `${socketPath}.lock`;
}
function logPath(socketPath) {
  return `${socketPath}.log`;
}
function unusableSocketPath(path3, reason) {
  return new T4aError("socket_path", `The socket path ${JSON.stringify(path3)} cannot be used: ${reason}.`, {
    hint: "Set T4A_SOCKET to a short path in a directory of your own."
  });
}
function notASocket(path3, isLink) {
  const what = isLink ? "a symbolic link is there, which is not followed" : "something that is not a socket is there";
  return unusableSocketPath(path3, what);
}
function foreignSocket(path3, uid) {
  return new T4aError("socket_owner", `${JSON.stringify(path3)} belongs to another user (uid ${uid}).`, {
    hint: "Set T4A_SOCKET to a path in a directory of your own."
  });
}
var UNUSABLE = {
  ENOENT: "its directory does not exist",
  ENOTDIR: "its directory is not a directory",
  EACCES: "its directory may not be written",
  EPERM: "its directory may not be written",
  EROFS: "its directory is on a read-only file system",
  ENAMETOOLONG: "its name is too long",
  ELOOP: "its directory is a loop of symbolic links",
  ENOSPC: "its file system is full",
  EDQUOT: "the quota on its file system is used up",
  EFBIG: "the limit on the size of files (ulimit -f) leaves no room for what lies beside it",
  EISDIR: "it is a directory",
  EOPNOTSUPP: "its file system holds no sockets"
};
function asPlaceError(path3, error) {
  const reason = placeReason(error);
  return reason === void 0 ? error : unusableSocketPath(path3, reason);
}
function placeReason(error) {
  return UNUSABLE[errnoOf(error) ?? ""];
}
var REFUSALS = ["EPERM", "EACCES", "EAFNOSUPPORT", "ENOSYS", "EPROTONOSUPPORT"];
function socketsRefused(errno) {
  if (!REFUSALS.includes(errno)) return void 0;
  const message = `No daemon can be started or reached: a sandbox refuses Unix sockets here (${errno}).`;
  return new T4aError("daemon_unreachable", message, { hint: SANDBOX_HINT });
}
var SANDBOX_HINT = "Allow Unix sockets (AF_UNIX) in the settings of the sandbox, or use t4a outside of it.";
var NOBODYS_SOCKET = "/dev/null/t4a.sock";

// src/client/daemon-lock.ts
var MAX_LOCK_BYTES = 1024;
function daemonLock(socketPath) {
  if (!socketPath.startsWith("/")) return void 0;
  try {
    const file = openSync(lockPath(socketPath), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(MAX_LOCK_BYTES);
      const content = JSON.parse(bytes.toString("latin1", 0, readSync(file, bytes)));
      return typeof content === "object" && content !== null ? content : void 0;
    } finally {
      closeSync(file);
    }
  } catch {
    return void 0;
  }
}
function servedProtocol(socketPath, lock = daemonLock(socketPath)) {
  const protocol = lock?.["protocol"];
  return typeof protocol === "number" ? protocol : void 0;
}

// src/protocol/reach.ts
var REACHES = ["read", "use", "create", "admin"];
function isWithin(reach, most) {
  return REACHES.indexOf(reach) <= REACHES.indexOf(most);
}

// src/client/envelope.ts
function envelopeFor({ scope, as }, announced) {
  return {
    ...scope !== void 0 && scope !== "" && hasFeature(announced, "scope") ? { scope } : {},
    ...as !== void 0 && hasFeature(announced, "as") ? { as } : {}
  };
}
function hasFeature(announced, feature) {
  const features = announced !== void 0 && "features" in announced ? announced.features : void 0;
  return Array.isArray(features) && features.includes(feature);
}
function randomName() {
  return `r${Math.random().toString(36).slice(2)}`;
}

// src/protocol/limits.ts
var MAX_LINE_BYTES = 10 * 1024 * 1024;
var MAX_INPUT_BYTES = 1024 * 1024;
var OUTPUT_RING_BYTES = 1024 * 1024;
var MAX_NAME_LENGTH = 64;
var MAX_HOST_LENGTH = 256 - 1 - MAX_NAME_LENGTH;
var MAX_TIMEOUT_MS = 24 * 60 * 60 * 1e3;
var PROTOCOL_VERSION = 1;

// src/protocol/framing.ts
var LONG_LINE_BYTES = 1024 * 1024;
function concatBytes(pieces) {
  let total = 0;
  for (const piece of pieces) total += piece.length;
  const whole = new Uint8Array(total);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
var encoder = new TextEncoder();
function encodeLine(value) {
  return encoder.encode(`${JSON.stringify(value)}
`);
}

// src/client/foreign-server.ts
var SETTINGS2 = /^\0\0[\0-\x7e]\x04\0\0\0\0\0/;
var SPEAKS_GRPC = "speaks gRPC, not t4a's wire, as a coordinator of vtr does";
function grpcWords(start) {
  return SETTINGS2.test(start) ? SPEAKS_GRPC : void 0;
}
function whyForeign(start) {
  const words2 = grpcWords(start);
  return words2 === void 0 ? `the answer is not from t4a (${JSON.stringify(start)})` : `what listens there ${words2}`;
}

// src/client/open-socket.ts
import { lstatSync } from "node:fs";
import { createConnection } from "node:net";

// src/base/caller.ts
var KEY = /* @__PURE__ */ Symbol.for("t4a.caller");
var shared = globalThis;
function callerHere() {
  return shared[KEY]?.();
}

// src/base/ownership.ts
var OVERFLOW_UID = 65534;
var ALL_USERS = /^\s*0\s+0\s+4294967295\s*$/;
var OTHERS_WRITE = 18;
function isOthersToWrite({ mode }) {
  return (mode & OTHERS_WRITE) !== 0;
}
function isOurs(path3, stat) {
  if (stat.uid !== process.getuid?.()) return false;
  return stat.uid !== OVERFLOW_UID || !hidesUsers() || maySetTimes(path3, stat);
}
function hidesUsers() {
  if (process.platform !== "linux") return false;
  try {
    const { readFileSync: readFileSync6 } = process.getBuiltinModule("node:fs");
    return !ALL_USERS.test(readFileSync6("/proc/self/uid_map", "latin1"));
  } catch {
    return true;
  }
}
function maySetTimes(path3, { atime, mtime }) {
  try {
    process.getBuiltinModule("node:fs").lutimesSync(path3, atime, mtime);
    return true;
  } catch {
    return false;
  }
}

// src/client/open-socket.ts
var MAX_BUSY_RETRIES = 200;
var BUSY_DELAY_MS = 10;
async function openSocket(path3, signal) {
  checkSocketPath(path3, process.platform);
  return connectWhile(() => isSocketPresent(path3), path3, path3, signal);
}
async function connectWhile(isPresent, via, path3, signal) {
  for (let attempt = 0; attempt < MAX_BUSY_RETRIES; attempt++) {
    signal?.throwIfAborted();
    if (!isPresent()) return "absent";
    const result = await connectOnce(via);
    if (result instanceof Error) throw await refusalOfSockets() ?? unreachable(path3, result.code ?? result.message);
    if (result !== "busy") {
      if (result !== "absent") callerHere()?.opened?.(result);
      return result;
    }
    await process.getBuiltinModule("node:timers/promises").setTimeout(BUSY_DELAY_MS);
  }
  throw unreachable(path3, "too many clients are waiting for it");
}
function unreachable(path3, reason, hint = `Its log is ${JSON.stringify(`${path3}.log`)}.`) {
  return new T4aError("daemon_unreachable", `No daemon could be reached on ${JSON.stringify(path3)}: ${reason}.`, {
    hint
  });
}
function isSocketPresent(path3) {
  let stat;
  try {
    stat = lstatSync(path3, { throwIfNoEntry: false });
  } catch (error) {
    throw asPlaceError(path3, error);
  }
  if (stat === void 0) return false;
  if (!isOurs(path3, stat)) throw foreignSocket(path3, stat.uid);
  if (!stat.isSocket()) throw notASocket(path3, stat.isSymbolicLink());
  return true;
}
async function refusalOfSockets() {
  const result = await connectOnce(NOBODYS_SOCKET);
  return result instanceof Error ? socketsRefused(result.code) : void 0;
}
function connectOnce(path3) {
  return new Promise((resolve2) => {
    const socket = createConnection({ path: path3 });
    const onError = (error) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve2("absent");
      else if (error.code === "EAGAIN" || error.code === "ECONNRESET") resolve2("busy");
      else resolve2(error);
    };
    socket.once("error", onError);
    socket.once("connect", () => {
      socket.off("error", onError);
      resolve2(socket);
    });
  });
}

// src/client/received-error.ts
function receivedError(header) {
  const { error, code, hint, closest, field, first } = header;
  const details = Object.entries({ hint, closest, field }).filter(([, value]) => typeof value === "string");
  return new T4aError(
    typeof code === "string" ? code : "internal",
    typeof error === "string" ? error : `The daemon refused: ${quote(header)}`,
    { ...Object.fromEntries(details), ...typeof first === "number" ? { first } : {} }
  );
}

// src/client/reply-budget.ts
var ReplyBudget = class {
  #options;
  #bytes = 0;
  constructor(options) {
    this.#options = options;
  }
  /** @param held by this connection already @returns false if there is no room: then nothing is taken */
  take(bytes, held) {
    const { mostBytes, mostOfOne, alsoHeld: alsoHeld2 } = this.#options;
    if (held + bytes > mostOfOne || this.#bytes + alsoHeld2() + bytes > mostBytes) return false;
    this.#bytes += bytes;
    return true;
  }
  giveBack(bytes) {
    this.#bytes -= bytes;
  }
};
function noRoom(bytes) {
  return new T4aError(
    "connection_lost",
    `A reply of ${bytes} bytes or more has no room here, and its connection was cut.`,
    {
      hint: "Ask for less: fewer lines, a smaller picture."
    }
  );
}

// src/client/reply-reader.ts
var NEWLINE = 10;
var NUL = 0;
var MAX_PART_BYTES = 1024 * 1024 * 1024;
var ReplyReader = class {
  #sink;
  #budget;
  /** Of the budget. */
  #taken = 0;
  #linePieces = [];
  #lineBytes = 0;
  /** Set while raw bytes are due. */
  #body;
  #failed = false;
  constructor(sink, budget) {
    this.#sink = sink;
    this.#budget = budget;
  }
  /** What has come of an incomplete reply is dropped, and so is all that comes. */
  dispose() {
    this.#failed = true;
    this.#linePieces = [];
    this.#body = void 0;
    this.#giveBack();
  }
  /** Whether an incomplete reply has begun. */
  get unfinished() {
    return this.#body !== void 0 || this.#lineBytes > 0;
  }
  push(chunk) {
    let start = 0;
    while (start < chunk.length && !this.#failed) {
      start = this.#body === void 0 ? this.#takeLine(chunk, start) : this.#takeBody(chunk, start);
    }
  }
  #takeLine(chunk, start) {
    if (this.#lineBytes === 0 && chunk[start] === NUL) {
      this.#fail(chunk.subarray(start));
      return chunk.length;
    }
    const newline = chunk.indexOf(NEWLINE, start);
    const end = newline === -1 ? chunk.length : newline;
    if (!this.#take(end - start)) return chunk.length;
    this.#linePieces.push(chunk.subarray(start, end));
    this.#lineBytes += end - start;
    if (newline !== -1) this.#finishLine();
    else if (this.#lineBytes > MAX_PART_BYTES) this.#fail(chunk.subarray(start, end));
    return end + 1;
  }
  #finishLine() {
    const [first] = this.#linePieces;
    const line = this.#linePieces.length === 1 && first !== void 0 ? first : concatBytes(this.#linePieces);
    this.#linePieces = [];
    this.#lineBytes = 0;
    this.#giveBack();
    const header = parseHeader(line);
    if (header === void 0) return this.#sink.malformed === void 0 ? this.#fail(line) : this.#sink.malformed();
    const len = header["ok"] === true ? header["len"] : void 0;
    if (len === void 0 || len === 0) return this.#sink.reply(header, void 0, line.length);
    if (typeof len !== "number" || !Number.isInteger(len) || len < 0 || len > MAX_PART_BYTES) return this.#fail(line);
    if (!this.#take(len)) return;
    this.#body = { header, lineBytes: line.length, bytes: new Uint8Array(len), filled: 0 };
  }
  #takeBody(chunk, start) {
    const body = this.#body;
    if (body === void 0) return start;
    const piece = chunk.subarray(start, start + body.bytes.length - body.filled);
    body.bytes.set(piece, body.filled);
    body.filled += piece.length;
    if (body.filled === body.bytes.length) {
      this.#body = void 0;
      this.#giveBack();
      this.#sink.reply(body.header, body.bytes, body.lineBytes);
    }
    return start + piece.length;
  }
  #take(bytes) {
    if (this.#budget === void 0) return true;
    if (this.#budget.take(bytes, this.#taken)) {
      this.#taken += bytes;
      return true;
    }
    const most = this.#taken + bytes;
    this.dispose();
    this.#sink.noRoom?.(most);
    return false;
  }
  #giveBack() {
    this.#budget?.giveBack(this.#taken);
    this.#taken = 0;
  }
  #fail(line) {
    this.#failed = true;
    this.#sink.garbage(textOf(line.subarray(0, 60)));
  }
};
function parseHeader(line) {
  try {
    const value = JSON.parse(textOf(line));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : void 0;
  } catch {
    return void 0;
  }
}
function textOf(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
}

// src/client/event-stream.ts
var MAX_QUEUED_BYTES = 4 * 1024 * 1024;
var LONG_BYTES = 4096;
var longLines = /* @__PURE__ */ new WeakMap();
function bytesOfLine(line) {
  return longLines.get(line) ?? LONG_BYTES;
}
var ALWAYS = /* @__PURE__ */ new Set(["lagged", "host"]);
var EventStream = class {
  /** The `seq` of the last event before the subscription, once the daemon has subscribed. */
  subscribed;
  #socketPath;
  #signal;
  #envelope;
  #open;
  #budget;
  #received;
  #types;
  #ofTerminal;
  #onAbort = () => this.#finish(this.#signal?.reason);
  #lines = [];
  #bytes = 0;
  #socket;
  #ended = false;
  #end;
  /** Of the subscription; before it nothing is an end. */
  #seq = Number.POSITIVE_INFINITY;
  #failure;
  #wake = () => {
  };
  /**
   * @param envelope sent with the request: asked for once connected
   * @param open connects in place of a socket at the path
   * @param budget of its lines, shared with other connections
   */
  constructor(socketPath, filter = {}, signal, envelope = () => ({}), open = () => openPath(socketPath, signal), budget, { received, outlives = false } = {}) {
    this.#received = received;
    this.#types = filter.types;
    this.#ofTerminal = filter.terminal !== void 0 && !outlives;
    this.#budget = budget;
    this.#open = open;
    this.#envelope = envelope;
    this.#socketPath = socketPath;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.subscribed = this.#subscribe(this.#ofTerminal ? withEnd(filter) : filter);
    this.subscribed.catch((error) => this.#finish(error));
  }
  /** Why it has ended; undefined before, and where the iteration throws. */
  get ended() {
    return this.#end;
  }
  async *[Symbol.asyncIterator]() {
    try {
      for (; ; ) {
        const line = this.#lines.shift();
        if (line !== void 0) {
          this.#taken(line);
          if (this.#bytes < MAX_QUEUED_BYTES) this.#socket?.resume();
          yield line;
        } else if (this.#ended) {
          if (this.#failure !== void 0) throw this.#failure;
          return;
        } else {
          await new Promise((resolve2) => {
            this.#wake = resolve2;
          });
        }
      }
    } finally {
      this.close();
    }
  }
  /** Ends the subscription; events that were not consumed are dropped. */
  close() {
    this.#finish(void 0, "closed");
    for (const line of this.#lines.splice(0)) this.#taken(line);
  }
  [Symbol.asyncDispose]() {
    this.close();
    return Promise.resolve();
  }
  async #subscribe(filter) {
    const socket = await this.#open();
    this.#socket = socket;
    return new Promise((resolve2, reject) => {
      let acknowledged = false;
      const received = this.#received;
      const sink = {
        reply: (header, _raw, bytes) => {
          const isEvent = "event" in header && !("ok" in header);
          if (received !== void 0 && (isEvent || acknowledged)) {
            const taken = received(isEvent ? header : NO_EVENT, "events", bytes);
            return this.#enqueue(taken, taken["event"] === header["event"] ? bytes : 0);
          }
          if (isEvent) return this.#enqueue(header, bytes);
          if (header["ok"] !== true) return reject(receivedError(received?.(header) ?? header));
          const { seq } = header;
          if (seq !== void 0 && !Number.isSafeInteger(seq)) return this.#finish(malformed(this.#socketPath));
          acknowledged = true;
          this.#seq = Number(seq ?? 0);
          resolve2(seq);
        },
        // Of another host: the lines before and after it are events.
        ...received === void 0 ? {} : {
          malformed: () => acknowledged ? this.#enqueue(received(NO_EVENT), 0) : this.#finish(malformed(this.#socketPath))
        },
        garbage: (start) => this.#finish(unreachable(this.#socketPath, whyForeign(start))),
        noRoom: (bytes) => this.#finish(noRoom(bytes))
      };
      const reader = new ReplyReader(sink, this.#budget);
      socket.on("data", (chunk) => reader.push(chunk)).resume();
      let lost;
      socket.on("error", (error) => {
        if (isT4aError(error)) lost = error;
      });
      socket.once("close", () => {
        reader.dispose();
        if (acknowledged) this.#finish(lost ?? daemonEnded());
        else reject(this.#failure ?? lost ?? connectionLost());
      });
      if (this.#ended) socket.destroy();
      else socket.write(encodeLine({ cmd: "events", ...this.#envelope(), ...filter, ack: true }));
    });
  }
  #enqueue(header, bytes) {
    if (this.#ended) return;
    const { event, state: state2, seq } = header;
    const isEnd = this.#ofTerminal && event === "removed" && Number(seq) > this.#seq;
    const isAskedFor = !this.#ofTerminal || this.#types === void 0 || ALWAYS.has(event) || this.#types.includes(event);
    if (isAskedFor) {
      if (bytes > LONG_BYTES) {
        if (this.#budget?.take(bytes, this.#bytes) === false) return this.#finish(noRoom(bytes));
        longLines.set(header, bytes);
      }
      this.#lines.push(header);
      this.#bytes += bytesOfLine(header);
    }
    if (isEnd) return this.#finish(void 0, "removed");
    if (this.#ofTerminal && event === "host" && state2 === "down") return this.#finish(hostLost(header));
    if (this.#bytes >= MAX_QUEUED_BYTES) this.#socket?.pause();
    this.#wake();
  }
  #taken(line) {
    this.#bytes -= bytesOfLine(line);
    this.#budget?.giveBack(longLines.get(line) ?? 0);
  }
  /** The first cause counts. */
  #finish(failure, end) {
    if (!this.#ended) {
      this.#ended = true;
      this.#end = end;
      this.#failure = failure;
      this.#signal?.removeEventListener("abort", this.#onAbort);
    }
    this.#socket?.destroy();
    this.#wake();
  }
};
async function openPath(path3, signal) {
  const socket = await openSocket(path3, signal);
  if (socket === "absent") throw unreachable(path3, "no daemon listens there");
  return socket;
}
function withEnd({ types, ...filter }) {
  return types === void 0 ? filter : { ...filter, types: [.../* @__PURE__ */ new Set([...types, "removed"])] };
}
var NO_EVENT = { event: null };
function malformed(path3) {
  return unreachable(path3, 'its reply to "events" is malformed');
}
function daemonEnded() {
  const message = "The daemon has closed the stream of events: it has ended, or is shutting down.";
  return new T4aError("connection_lost", message, { hint: "t4a ping" });
}
function hostLost({ host, error }) {
  const why = typeof error === "string" ? `: ${error}` : ".";
  return new T4aError("host_unreachable", `The host ${quote(host)} is not reached any more${why}`);
}
function connectionLost() {
  return new T4aError("connection_lost", "The daemon closed the connection before it had subscribed.");
}

// src/base/version.ts
var VERSION = typeof T4A_VERSION === "string" ? T4A_VERSION : "0.0.0-source";

// src/client/handshake.ts
function checkedPong(pong, socketPath) {
  if (Number.isInteger(pong.protocol) && Number.isInteger(pong.pid)) return pong;
  throw unreachable(socketPath, `the answer is not from t4a (${JSON.stringify(pong).slice(0, 60)})`);
}
function isReplaceable(pong) {
  return pong.protocol < PROTOCOL_VERSION && pong.terminals === 0;
}
function versionMismatch(pong) {
  const daemon = `The running daemon (t4a ${pong.version}, pid ${pong.pid}) speaks version ${pong.protocol} of the protocol`;
  const hint = pong.protocol < PROTOCOL_VERSION ? `"t4a shutdown" ends it and its terminals (${pong.terminals}); the next command starts the newer one.` : "Use the newer t4a that started it, or set another T4A_SOCKET.";
  return new T4aError("version_mismatch", `${daemon}, this client version ${PROTOCOL_VERSION}.`, { hint });
}
var UNKNOWN = ["unknown_cmd", "unknown_field"];
function withVersions(error, { version, terminals }, isFar = false) {
  if (!(error instanceof T4aError) || !UNKNOWN.includes(error.code) || version === VERSION) return error;
  const says = `The daemon is t4a ${version}, this is ${VERSION}`;
  const why = isFar ? `${says}.` : `${says}: "t4a shutdown" ends it and its terminals (${terminals}).`;
  const hint = error.details.hint === void 0 ? why : `${error.details.hint} ${why}`;
  return new T4aError(error.code, error.message, { ...error.details, hint });
}

// src/client/stopped-daemon.ts
import { readFileSync } from "node:fs";
function stoppedError(socketPath, lock = daemonLock(socketPath)) {
  if (stateOf(lock) !== "T") return void 0;
  const pid = lock?.["pid"];
  return new T4aError("daemon_stopped", `The daemon (pid ${pid}) is stopped by SIGSTOP and answers no requests.`, {
    hint: `kill -CONT ${pid}`
  });
}
function stateOf(lock) {
  const { pid, started } = lock ?? {};
  if (typeof pid !== "number" || typeof started !== "string") return void 0;
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return void 0;
  }
  const [state2, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return started.endsWith(`/${rest[18]}`) ? state2 : void 0;
}

// src/client/connection.ts
var LOOK_AFTER_MS = 250;
var LEAVING_NOTHING = /* @__PURE__ */ new Set([
  "ping",
  "list",
  "status",
  "text",
  "grep",
  "find",
  "cursor",
  "commands",
  "ports",
  "output",
  "screenshot",
  "stats",
  "wait",
  "type",
  "press",
  "send",
  "paste",
  "label"
]);
var DaemonConnection = class {
  socketPath;
  /** Sent with every call: none until the daemon is known to understand it. */
  envelope = {};
  /** Whether the daemon is known to understand `cancel`. */
  canCancel = false;
  /** Whether the daemon is known to understand `traceparent`. */
  canTrace = false;
  #socket;
  #received;
  #pending = /* @__PURE__ */ new Map();
  #closed;
  #isTied = false;
  #lastReq = 0;
  /** Why no further call is possible. */
  #end;
  /** @param received what is taken of the replies of another host */
  constructor(socket, socketPath, budget, received) {
    this.socketPath = socketPath;
    this.#received = received;
    this.#socket = socket;
    const sink = {
      reply: (header, bytes) => this.#deliver(header, bytes),
      garbage: (start) => this.#fail(unreachable(socketPath, whyForeign(start))),
      noRoom: (bytes) => this.#fail(noRoom(bytes))
    };
    const reader = new ReplyReader(sink, budget);
    socket.on("data", (chunk) => reader.push(chunk)).resume();
    let lost;
    socket.on("error", (error) => {
      if (isT4aError(error)) lost = error;
    });
    this.#closed = new Promise((resolve2) => {
      socket.once("close", () => {
        reader.dispose();
        this.#fail(lost ?? new T4aError("connection_lost", "The daemon closed the connection.", { hint: "t4a ping" }));
        resolve2();
      });
    });
  }
  /**
   * @throws T4aError with the daemon's code, `connection_lost`, or `daemon_stopped`
   * @throws the signal's reason, if it is aborted first
   */
  call(cmd, ...[params, options]) {
    return new Promise((resolve2, reject) => {
      const signal = options?.signal;
      signal?.throwIfAborted();
      if (this.#end !== void 0) throw this.#failureOf(cmd);
      if (!LEAVING_NOTHING.has(cmd)) this.#isTied = true;
      const req = ++this.#lastReq;
      const traceparent = this.canTrace ? options?.traceparent : void 0;
      const trace = traceparent === void 0 ? {} : { traceparent };
      const line = requestLine({ cmd, req, ...this.envelope, ...trace }, params);
      const onAbort = () => {
        pending.reject(signal?.reason);
        if (this.canCancel && this.isOpen)
          this.#socket.write(requestLine({ cmd: "cancel", req: ++this.#lastReq }, { of: req }));
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      let look;
      let isOver = false;
      const end = () => {
        isOver = true;
        clearTimeout(look);
        signal?.removeEventListener("abort", onAbort);
      };
      const pending = {
        cmd,
        resolve(header, bytes) {
          end();
          resolve2(resultOf(header, bytes));
        },
        reject(error) {
          end();
          reject(error);
        }
      };
      this.#pending.set(req, pending);
      this.#socket.write(line);
      void Promise.resolve().then(() => {
        if (!isOver) look = setTimeout(() => this.#lookAfter(pending), LOOK_AFTER_MS).unref();
      });
    });
  }
  /** Whether calls still reach the daemon. */
  get isOpen() {
    return this.#end === void 0;
  }
  /** Whether nothing of its calls is left: neither one under way, nor what the daemon ties to the connection. */
  get isFree() {
    return this.isOpen && !this.#isTied && this.#pending.size === 0;
  }
  /** Calls under way fail with `connection_lost`. */
  async close() {
    this.#fail(new T4aError("connection_lost", "The client was closed."));
    await this.#closed;
  }
  /** The call stays pending: its answer comes when the daemon is continued, and is dropped. */
  #lookAfter(pending) {
    const stopped = stoppedError(this.socketPath);
    if (stopped === void 0) return;
    const message = `${stopped.message} "${pending.cmd}" reaches it once it is continued.`;
    pending.reject(new T4aError(stopped.code, message, stopped.details));
  }
  #deliver(given, bytes) {
    const req = given["req"];
    const asked = typeof req === "number" ? this.#pending.get(req)?.cmd : void 0;
    const header = this.#received?.(given, asked) ?? given;
    const error = header["ok"] === true ? void 0 : receivedError(header);
    if (typeof req !== "number") {
      return this.#fail(error ?? unreachable(this.socketPath, "its reply names no request"));
    }
    const pending = this.#pending.get(req);
    if (pending === void 0) return;
    this.#pending.delete(req);
    if (error === void 0) pending.resolve(header, bytes);
    else pending.reject(error);
  }
  #fail(error) {
    this.#end ??= { code: error.code, message: error.message, details: error.details };
    for (const [req, pending] of this.#pending) {
      this.#pending.delete(req);
      pending.reject(this.#failureOf(pending.cmd));
    }
    this.#socket.destroy();
  }
  /** Each call gets an error of its own, with the caller's stack. */
  #failureOf(cmd) {
    const { code, message, details } = this.#end ?? { code: "internal", message: "Not closed.", details: {} };
    const unanswered = code === "connection_lost" ? ` "${cmd}" was not answered.` : "";
    return new T4aError(code, `${message}${unanswered}`, details);
  }
};
function resultOf(header, bytes) {
  const { ok: _ok, req: _req, ...fields } = header;
  return bytes === void 0 ? fields : { ...fields, bytes };
}
function requestLine(head, params) {
  let line;
  try {
    line = encodeLine({ ...head, ...params, cmd: head.cmd, req: head.req });
  } catch (error) {
    const reason = error instanceof TypeError ? error.message.split("\n", 1)[0] : "it is nested too deep";
    throw new T4aError("invalid_field", `A field of "${head.cmd}" cannot be sent: ${reason}.`);
  }
  if (line.length > MAX_LINE_BYTES) throw lineTooLong(line.length);
  return line;
}
function lineTooLong(bytes) {
  return new T4aError("line_too_long", `The request has ${bytes} bytes, more than the ${MAX_LINE_BYTES} allowed.`, {
    hint: "Send large input in several requests."
  });
}

// src/client/deadline.ts
var Deadline = class {
  #afterMs;
  #sinceMs = uptimeMs();
  #timer;
  #passed = false;
  #onPassed;
  constructor(afterMs) {
    this.#afterMs = afterMs;
  }
  /** It does not pass before this is called, or {@link stop} with an action. */
  begin() {
    if (this.#timer !== void 0) return;
    const leftMs = Math.max(0, this.#afterMs - (uptimeMs() - this.#sinceMs));
    this.#timer = setTimeout(() => {
      this.#passed = true;
      this.#onPassed?.();
    }, leftMs);
    this.#timer.unref();
  }
  get passed() {
    return this.#passed;
  }
  /** Sets the action that stops the attempt: one at a time. */
  stop(what) {
    this.#onPassed = what;
    if (what !== void 0) this.begin();
    if (this.#passed) what?.();
  }
  dispose() {
    clearTimeout(this.#timer);
    this.#onPassed = void 0;
  }
};
function uptimeMs() {
  return process.uptime() * 1e3;
}

// src/client/paths.ts
import { dirname as dirname2, join as join2, resolve } from "node:path";
import { fileURLToPath } from "node:url";

// src/base/allocator.ts
var ALLOCATOR_ENVIRONMENT = {
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
  MALLOC_ARENA_MAX: "1"
};

// src/base/home-directory.ts
var NO_HOME = "/";
function homeDirectory(env) {
  if (env["HOME"]) return env["HOME"];
  try {
    return process.getBuiltinModule("node:os").userInfo().homedir || NO_HOME;
  } catch {
    return NO_HOME;
  }
}

// src/base/settings-file.ts
var MAX_SETTINGS_BYTES = 1024 * 1024;
var RefusedFile = class extends Error {
  /** For the owner it is a mistake; with another user's HOME it is none. */
  isOthers;
  constructor(says, isOthers = false) {
    super(says);
    this.isOthers = isOthers;
  }
};
function openSettingsFile(path3, maxBytes = MAX_SETTINGS_BYTES) {
  const { closeSync: closeSync5, constants: constants5, fstatSync: fstatSync2, openSync: openSync5, statSync } = process.getBuiltinModule("node:fs");
  check(statSync(path3), maxBytes);
  const file = openSync5(path3, constants5.O_RDONLY | constants5.O_NONBLOCK | constants5.O_NOCTTY);
  try {
    const stat = fstatSync2(file);
    check(stat, maxBytes);
    return { text: readText(file, maxBytes), stat };
  } finally {
    closeSync5(file);
  }
}
function readSettingsFile(path3) {
  return openSettingsFile(path3).text;
}
function check(stat, maxBytes) {
  if (!stat.isFile()) throw new RefusedFile(`is ${kindOf(stat)}, no regular file`);
  if (stat.uid !== 0 && stat.uid !== process.getuid?.()) {
    throw new RefusedFile(`belongs to another user (uid ${stat.uid})`, true);
  }
  if (stat.size > maxBytes) throw tooLong(maxBytes);
}
function readText(file, maxBytes) {
  const { readSync: readSync2 } = process.getBuiltinModule("node:fs");
  const parts = [];
  for (let length = 0; ; ) {
    const part = Buffer.allocUnsafe(PART_BYTES);
    const count2 = readSync2(file, part);
    if (count2 === 0) return Buffer.concat(parts, length).toString("utf8");
    parts.push(part.subarray(0, count2));
    length += count2;
    if (length > maxBytes) throw tooLong(maxBytes);
  }
}
var PART_BYTES = 64 * 1024;
function tooLong(maxBytes) {
  return new RefusedFile(`has more than ${maxBytes} bytes`);
}
function kindOf(stat) {
  if (stat.isDirectory()) return "a directory";
  if (stat.isFIFO()) return "a FIFO";
  return stat.isSocket() ? "a socket" : "a device";
}

// src/base/json-places.ts
var TOKEN = /[ \t\n\r]*(?:([{}[\],:])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))/y;
var BLANKS = /[ \t\n\r]*/y;
var MAX_SHOWN = 20;
var MAX_RECORDED_DEPTH = 16;
function jsonPlaces(text) {
  const scan = new Scan(text);
  try {
    scan.all();
  } catch (error) {
    if (!(error instanceof NoJson)) throw error;
    return { lines: scan.lines, error: { line: scan.line, says: error.message } };
  }
  return { lines: scan.lines, error: void 0 };
}
var NoJson = class extends Error {
};
var Scan = class {
  lines = /* @__PURE__ */ new Map();
  #text;
  /** An explicit stack, since the text may be nested deeper than calls can be. */
  #open = [];
  #at = 0;
  #line = 1;
  #lineAt = 0;
  constructor(text) {
    this.#text = text;
  }
  /** Line of the next token. */
  get line() {
    for (const end = this.#behindBlanks(); this.#lineAt < end; this.#lineAt++) {
      if (this.#text[this.#lineAt] === "\n") this.#line++;
    }
    return this.#line;
  }
  all() {
    let path3 = "";
    do {
      this.#begin(path3);
      while (this.#endsHere()) this.#open.pop();
      const around = this.#open.at(-1);
      if (around !== void 0) path3 = this.#next(around);
    } while (this.#open.length > 0);
    if (this.#behindBlanks() < this.#text.length) throw this.#expected("the end");
  }
  /** Begins a value, with or without others in it. */
  #begin(path3) {
    const token = this.#peek();
    if (token === void 0 || "}],:".includes(token)) throw this.#expected("a value");
    this.#take();
    if (token !== "{" && token !== "[") return;
    const isTold = this.#open.length < MAX_RECORDED_DEPTH;
    this.#open.push({ close: token === "{" ? "}" : "]", path: isTold ? path3 : void 0, members: 0 });
  }
  #endsHere() {
    const around = this.#open.at(-1);
    if (around === void 0 || this.#peek() !== around.close) return false;
    this.#take();
    return true;
  }
  /** @returns path of the next value */
  #next(around) {
    if (around.members > 0) {
      if (this.#peek() !== ",") throw this.#expected(`"," or "${around.close}"`);
      this.#take();
    }
    const index = around.members++;
    return around.close === "]" ? this.#placeOf(around, String(index)) : this.#name(around);
  }
  #name(around) {
    const name = this.#peek();
    if (name?.startsWith('"') !== true) throw this.#expected("the name of a field in double quotes");
    const path3 = this.#placeOf(around, String(JSON.parse(name)));
    this.#take();
    if (this.#peek() !== ":") throw this.#expected('":"');
    this.#take();
    return path3;
  }
  #placeOf({ path: path3 }, key) {
    if (path3 === void 0) return void 0;
    const own = path3 === "" ? key : `${path3}.${key}`;
    this.lines.set(own, this.line);
    return own;
  }
  #peek() {
    TOKEN.lastIndex = this.#at;
    return TOKEN.exec(this.#text)?.slice(1).find((group) => group !== void 0);
  }
  #take() {
    this.#at = this.#behindBlanks() + (this.#peek() ?? "").length;
  }
  #behindBlanks() {
    BLANKS.lastIndex = this.#at;
    return this.#at + (BLANKS.exec(this.#text)?.[0].length ?? 0);
  }
  #expected(what) {
    const at = this.#behindBlanks();
    const found = /^[^\n,]*/.exec(this.#text.slice(at, at + MAX_SHOWN))?.[0].trim() || this.#text[at];
    return new NoJson(`expected ${what}, found ${found === void 0 ? "the end of the file" : JSON.stringify(found)}`);
  }
};

// src/protocol/config-file.ts
function configFilePath(env, home) {
  const given = env["XDG_CONFIG_HOME"];
  return `${given?.startsWith("/") === true ? given.replace(/\/+$/, "") : `${home}/.config`}/t4a/config.json`;
}
function readConfigFile(path3, read, onRefused = () => {
}) {
  let text;
  try {
    text = read(path3);
  } catch (error) {
    if (isT4aError(error)) throw error;
    if (error instanceof RefusedFile) {
      if (!error.isOthers) throw new T4aError("usage", `${JSON.stringify(path3)} ${error.message}: it is not read.`);
      onRefused(`${JSON.stringify(path3)} ${error.message}, and counts as absent`);
      return void 0;
    }
    const reason = errnoOf(error) ?? "";
    if (["ENOENT", "ENOTDIR"].includes(reason)) return void 0;
    if (["EACCES", "EPERM"].includes(reason)) {
      onRefused(`${JSON.stringify(path3)} may not be read (${reason}), and counts as absent`);
      return void 0;
    }
    throw new T4aError("usage", `${JSON.stringify(path3)} cannot be read (${errnoOf(error) ?? String(error)}).`);
  }
  return parseConfigFile(path3, text);
}
function parseConfigFile(path3, text) {
  let fields;
  try {
    fields = JSON.parse(text);
  } catch {
    const { line, says } = jsonPlaces(text).error ?? { line: 1, says: "expected JSON" };
    throw new T4aError("usage", `In ${JSON.stringify(path3)}, line ${line}: ${says}.`);
  }
  if (typeof fields === "object" && fields !== null && !Array.isArray(fields)) {
    return { path: path3, text, fields };
  }
  throw new T4aError("usage", `${JSON.stringify(path3)} is not a JSON object.`, { hint: EXAMPLE });
}
function configFileError(file, field, says, details = {}) {
  const line = jsonPlaces(file.text).lines.get(field);
  const place = line === void 0 ? "" : `, line ${line}`;
  return new T4aError("usage", `In ${JSON.stringify(file.path)}${place}: ${says}`, { ...details, field });
}
var EXAMPLE = 'For example {"scrollback":5000}.';

// src/client/socket-places.ts
import { accessSync, constants as constants3, lstatSync as lstatSync3, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

// src/client/start-claim.ts
import { closeSync as closeSync2, constants as constants2, lstatSync as lstatSync2, openSync as openSync2, readFileSync as readFileSync2, unlinkSync, writeSync } from "node:fs";
var MAX_CLAIM_AGE_MS = 1e4;
var StartClaim = class _StartClaim {
  #path;
  constructor(path3) {
    this.#path = path3;
  }
  /** Undefined if another client is starting the daemon right now. */
  static take(socketPath) {
    const path3 = `${socketPath}.start`;
    if (isStale(path3)) remove(path3);
    const flags = constants2.O_WRONLY | constants2.O_CREAT | constants2.O_EXCL | constants2.O_NOFOLLOW;
    try {
      const fd = openSync2(path3, flags, 384);
      writeSync(fd, String(process.pid));
      closeSync2(fd);
    } catch (error) {
      if (errnoOf(error) === "EEXIST" && !isStale(path3)) return void 0;
    }
    return new _StartClaim(path3);
  }
  /** Whether a client is starting the daemon right now. */
  static isTaken(socketPath) {
    const path3 = `${socketPath}.start`;
    return lstatSync2(path3, { throwIfNoEntry: false }) !== void 0 && !isStale(path3);
  }
  release() {
    remove(this.#path);
  }
};
function isStale(path3) {
  const stat = lstatSync2(path3, { throwIfNoEntry: false });
  if (stat === void 0) return false;
  if (!stat.isFile() || stat.uid !== process.getuid?.()) return true;
  return Math.abs(Date.now() - stat.mtimeMs) > MAX_CLAIM_AGE_MS || isLeftBehind(path3);
}
function isLeftBehind(path3) {
  try {
    const pid = Number(readFileSync2(path3, "utf8"));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return errnoOf(error) === "ESRCH";
  }
}
function remove(path3) {
  try {
    unlinkSync(path3);
  } catch {
  }
}

// src/client/socket-places.ts
var NAME = "t4a.sock";
function socketPlaces({ uid, runtimeDirectory, tmp, run }) {
  const given = runtimeDirectory?.startsWith("/") === true ? [join(runtimeDirectory, NAME)] : [];
  return {
    shared: join(tmp, NAME),
    own: join(tmp, `t4a-${uid}`, NAME),
    runtime: [.../* @__PURE__ */ new Set([join(run, String(uid), NAME), ...given])]
  };
}
function ownSockets({ shared: shared2, own, runtime }) {
  const inOwnDirectory = [own, ...runtime].filter((path3) => isOwn(dirname(path3), isSafeDirectory));
  return [...inOwnDirectory, shared2].filter((path3) => isOwn(path3, (stat) => stat.isSocket()));
}
function placeToStart(places) {
  const all = [places.shared, places.own, ...places.runtime];
  const problems = all.map((path3) => problemOf(path3, places));
  const usable = all.filter((_path, i) => problems[i] === void 0);
  const chosen = usable.find((path3) => StartClaim.isTaken(path3)) ?? usable[0];
  if (chosen !== void 0) return chosen;
  const says = problems.flatMap((problem) => problem === void 0 ? [] : [clause(problem)]);
  throw new T4aError(problems[0]?.code ?? "socket_path", `There is no place for the socket: ${says.join("; ")}.`, {
    hint: 'Name a path in a directory that you may write to, with --socket or: export T4A_SOCKET="$PWD/t4a.sock"'
  });
}
function clause({ message }) {
  return message.replace(/^The socket path /, "").replace(/\.$/, "");
}
function makeOwnDirectory(path3, { own }) {
  if (path3 !== own) return;
  try {
    mkdirSync(dirname(own), { mode: 448 });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw asPlaceError(own, error);
    checkDirectory(own);
  }
}
function isOwn(path3, isFit) {
  try {
    const stat = lstatSync3(path3, { throwIfNoEntry: false });
    return stat !== void 0 && isOurs(path3, stat) && isFit(stat);
  } catch {
    return false;
  }
}
function isSafeDirectory(stat) {
  return stat.isDirectory() && !isOthersToWrite(stat);
}
function problemOf(path3, { shared: shared2, own }) {
  if (path3 === shared2) return errorOf(path3, () => checkShared(path3));
  return errorOf(path3, () => checkOwn(path3, path3 === own));
}
function checkShared(path3) {
  checkWritable(dirname(path3));
  for (const name of [lockPath(path3), logPath(path3)]) {
    const stat = lstatSync3(name, { throwIfNoEntry: false });
    if (stat !== void 0 && stat.uid !== process.getuid?.()) throw foreignSocket(name, stat.uid);
  }
  isSocketPresent(path3);
}
function checkOwn(path3, mayBeMade) {
  checkSocketPath(path3, process.platform);
  const directory = dirname(path3);
  if (mayBeMade && lstatSync3(directory, { throwIfNoEntry: false }) === void 0) {
    checkWritable(dirname(directory));
    return;
  }
  checkDirectory(path3);
  checkWritable(directory);
  isSocketPresent(path3);
}
function checkDirectory(path3) {
  const directory = dirname(path3);
  const stat = lstatSync3(directory, { throwIfNoEntry: false });
  if (stat === void 0) throw unusableSocketPath(path3, "its directory does not exist");
  if (!isOurs(directory, stat)) throw foreignSocket(directory, stat.uid);
  if (!stat.isDirectory()) throw unusableSocketPath(path3, "its directory is not a directory");
  if (!isSafeDirectory(stat)) throw unusableSocketPath(path3, "others may write to its directory");
}
function checkWritable(directory) {
  accessSync(directory, constants3.W_OK | constants3.X_OK);
}
function errorOf(path3, check2) {
  try {
    check2();
    return void 0;
  } catch (error) {
    const problem = asPlaceError(path3, error);
    if (problem instanceof T4aError) return problem;
    throw problem;
  }
}

// src/client/paths.ts
function namedSocketPath(given) {
  const named = given ?? (callersEnvironment()["T4A_SOCKET"] || socketOfFile());
  const path3 = named === void 0 ? void 0 : absolute(named);
  const caller = callerHere();
  return caller?.socket === void 0 ? path3 : caller.socket(path3);
}
function callersPlaces() {
  return socketPlaces({
    uid: process.getuid?.() ?? -1,
    runtimeDirectory: callersEnvironment()["XDG_RUNTIME_DIR"],
    tmp: dirname2(DEFAULT_SOCKET_PATH),
    run: "/run/user"
  });
}
function socketOfFile() {
  const file = callersConfigFile();
  const socket = file?.fields["socket"];
  if (file === void 0 || socket === void 0) return void 0;
  if (typeof socket === "string" && socket.startsWith("/")) return socket;
  throw configFileError(file, "socket", `"socket" is ${quote(socket)}: expected an absolute path.`);
}
function callersConfigFile(onRefused) {
  return readConfigFile(callersConfigPath(), (path3) => readSettings(path3), onRefused);
}
function callersConfigPath() {
  const env = callersEnvironment();
  return configFilePath(env, homeDirectory(env));
}
function defaultDaemonEntry() {
  return fileURLToPath(new URL("daemon.cjs", import.meta.url));
}
function defaultFleetEntry() {
  return new URL("fleet.js", import.meta.url).href;
}
function daemonEnvironment(socketPath) {
  return { ...ALLOCATOR_ENVIRONMENT, ...callersEnvironment(), T4A_SOCKET: socketPath };
}
function callersEnvironment() {
  return callerHere()?.env ?? process.env;
}
function absolute(path3) {
  return path3.startsWith("/") ? resolve(path3) : resolve(callersDirectory(), path3);
}
function readSettings(path3) {
  return callerHere()?.readSettings?.(path3) ?? readSettingsFile(path3);
}
function callersDirectory() {
  return callerHere()?.cwd() ?? process.cwd();
}

// src/client/start-daemon.ts
import { closeSync as closeSync3, constants as constants4, fstatSync, ftruncateSync, lstatSync as lstatSync4, openSync as openSync3, readFileSync as readFileSync3 } from "node:fs";
var MAX_KEPT_LOG_BYTES = 1024 * 1024;
var DaemonStart = class {
  #program;
  /** Undefined if the system refused it at once. */
  #child;
  #logStart;
  #spawnError;
  /** It has ended, and its standard output is complete. */
  #isOver = false;
  #stdoutText = "";
  constructor(program) {
    callerHere()?.starts?.();
    this.#program = program;
    const log = openLog(program.socketPath);
    this.#logStart = fstatSync(log).size;
    try {
      const args = program.idleTimeoutMs === void 0 ? [] : [String(program.idleTimeoutMs)];
      const { spawn: spawn2 } = process.getBuiltinModule("node:child_process");
      this.#child = spawn2(process.execPath, [program.entry, ...args], {
        detached: true,
        stdio: ["ignore", "pipe", log],
        env: daemonEnvironment(program.socketPath)
      });
      this.#watch(this.#child);
    } catch (error) {
      if (errnoOf(error) === void 0) throw error;
      this.#spawnError = error;
    } finally {
      closeSync3(log);
    }
  }
  #watch(child) {
    child.once("error", (error) => {
      this.#spawnError = error;
    });
    child.once("close", () => {
      this.#isOver = true;
    });
    child.stdout?.on("data", (chunk) => {
      this.#stdoutText += chunk.toString();
    }).on("error", () => {
    });
    child.unref();
    child.stdout?.unref();
  }
  get state() {
    if (this.#child?.exitCode === 0) return "left";
    return this.#isOver || this.#spawnError !== void 0 ? "failed" : "running";
  }
  /** Call it once the daemon answers, or the start is given up: its output is not needed any more. */
  release() {
    this.#child?.stdout?.destroy();
  }
  /** The error of a failed start: a sandbox that refuses sockets, or the daemon's last line. */
  async failure() {
    const { socketPath } = this.#program;
    if (this.#child?.signalCode === "SIGSYS")
      return unreachable(socketPath, "a sandbox (seccomp) killed it at start-up with SIGSYS", SANDBOX_HINT);
    const refusal = await refusalOfSockets();
    if (refusal !== void 0) return refusal;
    if (this.#child === void 0 || this.#spawnError !== void 0) return refusedStart(socketPath, this.#spawnError);
    const how = this.#child.signalCode ?? `exit status ${this.#child.exitCode}`;
    const logged = readFileSync3(logPath(socketPath)).subarray(this.#logStart).toString();
    const lastLine = lastWords(this.#stdoutText || logged);
    const reason = `the daemon ended at start-up with ${how}${lastLine ? `: ${lastLine.replace(/\.$/, "")}` : ""}`;
    return unreachable(socketPath, reason, this.#stdoutText ? unwritableHint(socketPath) : void 0);
  }
};
var NO_PROCESS = {
  EMFILE: ["too many files are open", "Raise the limit on open files (ulimit -n)."],
  ENFILE: ["too many files are open on the whole machine", "Close some, or raise /proc/sys/fs/file-max."],
  EAGAIN: ["there are too many processes", "End some, or raise the limit (ulimit -u, pids.max of the control group)."],
  ENOENT: ["Node or /dev/null is not there", 'Give the sandbox a /dev, as "bwrap --dev /dev" does.'],
  ENOMEM: ["there is too little memory", "End some programs, or raise the limit of the control group (memory.max)."]
};
function refusedStart(socketPath, error) {
  const errno = errnoOf(error) ?? "";
  const [says, hint] = NO_PROCESS[errno] ?? [error?.message ?? "the reason is unknown", "Check its limits: ulimit -a"];
  return unreachable(socketPath, `the system does not start it, since ${says} (${errno})`, hint);
}
function lastWords(text) {
  const lines2 = text.trim().split("\n");
  return lines2.findLast((line) => line.startsWith("t4a daemon: ")) ?? lines2.at(-1);
}
function unwritableHint(socketPath) {
  const log = JSON.stringify(logPath(socketPath));
  return `The log ${log} cannot be written: free some space there, raise "ulimit -f", or set T4A_SOCKET to another place.`;
}
function openLog(socketPath) {
  const path3 = logPath(socketPath);
  const flags = constants4.O_WRONLY | constants4.O_CREAT | constants4.O_APPEND | constants4.O_NOFOLLOW | constants4.O_NONBLOCK;
  let fd;
  try {
    fd = openSync3(path3, flags, 384);
  } catch (error) {
    if (isThere(path3))
      throw unusableSocketPath(socketPath, `${JSON.stringify(path3)} cannot be written (${errnoOf(error)})`);
    throw asPlaceError(socketPath, error);
  }
  const stat = fstatSync(fd);
  if (stat.isFile() && stat.nlink === 1 && stat.uid === process.getuid?.()) {
    if (stat.size > MAX_KEPT_LOG_BYTES) ftruncateSync(fd);
    return fd;
  }
  closeSync3(fd);
  throw unusableSocketPath(socketPath, `${JSON.stringify(path3)} is not your log file`);
}
function isThere(path3) {
  try {
    return lstatSync4(path3, { throwIfNoEntry: false }) !== void 0;
  } catch {
    return false;
  }
}

// src/client/open-connection.ts
var DEFAULT_TIMEOUT_MS = 15e3;
var FIRST_DELAY_MS = 3;
var LAST_DELAY_MS = 40;
var PROMPT_MS = 1e3;
var FIRST_RESTART_DELAY_MS = 200;
async function openConnection(options = {}, askEarly, places = callersPlaces()) {
  if (options.route !== void 0) return openRoute(options.route, options, askEarly);
  const named = namedSocketPath(options.socketPath);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadline = new Deadline(timeoutMs);
  let socketPath = named ?? places.shared;
  try {
    const attempt = () => connectOnce2(socketPath, options, deadline, askEarly);
    for (socketPath of named === void 0 ? ownSockets(places) : [named]) {
      const kept = options.kept?.take(socketPath);
      const opened = (kept && await askKept(kept, options, deadline, askEarly)) ?? await attempt();
      if (opened !== void 0) return opened;
    }
    for (; ; ) {
      socketPath = named ?? placeToStart(places);
      try {
        if (named === void 0 && options.autoStart !== false) makeOwnDirectory(socketPath, places);
        return await startAndConnect(socketPath, options, deadline, attempt);
      } catch (error) {
        const isLost = named === void 0 && !deadline.passed && placeToStart(places) !== socketPath;
        if (!isLost) throw error;
      }
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    const isSilent = deadline.passed || error instanceof T4aError && error.code === "daemon_unreachable";
    const stopped = isSilent ? stoppedError(socketPath) : void 0;
    if (stopped !== void 0) throw stopped;
    if (!deadline.passed) throw error;
    throw unreachable(socketPath, `it did not answer within ${timeoutMs} ms`);
  } finally {
    deadline.dispose();
  }
}
var FAR_BYTES = 64 * 1024 * 1024;
var alsoHeld = () => 0;
async function openRoute(route, options, askEarly) {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const signal = options.signal === void 0 ? deadline : AbortSignal.any([deadline, options.signal]);
  const { stream, daemon } = await route.open({ signal });
  const budget = options.replyBudget ?? new ReplyBudget({ mostBytes: FAR_BYTES, mostOfOne: FAR_BYTES, alsoHeld });
  const connection = new DaemonConnection(stream, route.url, budget, route.received);
  await agree(connection, options, daemon);
  return { connection, hasStarted: false, daemon, early: askEarly?.(connection) };
}
async function agree(connection, options, pong) {
  connection.envelope = envelopeFor(options, pong);
  connection.canCancel = hasFeature(pong, "cancel");
  connection.canTrace = hasFeature(pong, "traceparent");
  if (options.reach === void 0 || !hasFeature(pong, "restrict")) return;
  await connection.call("restrict", { reach: options.reach, person: false }, { signal: options.signal });
}
async function askKept({ connection, daemon }, options, deadline, askEarly) {
  await agree(connection, options, daemon);
  const opened = { connection, hasStarted: false, daemon };
  if (askEarly !== void 0) return { ...opened, early: askEarly(connection), isKept: true };
  deadline.stop(() => void connection.close());
  try {
    await connection.call("ping", {}, { signal: options.signal });
    return opened;
  } catch (error) {
    const isLeaving = error instanceof T4aError && ["connection_lost", "shutting_down"].includes(error.code);
    if (deadline.passed || !isLeaving) throw error;
    await connection.close();
    return void 0;
  } finally {
    deadline.stop(void 0);
  }
}
async function connectOnce2(path3, options, deadline, askEarly) {
  const { signal, kept } = options;
  const place = kept?.placeOf(path3);
  const socket = await openSocket(path3, signal);
  if (socket === "absent") return void 0;
  const lock = daemonLock(path3);
  const stopped = stoppedError(path3, lock);
  if (stopped !== void 0) {
    socket.destroy();
    throw stopped;
  }
  const connection = new DaemonConnection(socket, path3, options.replyBudget);
  try {
    socket.cork();
    const asked = connection.call("ping", {}, { signal });
    connection.envelope = envelopeFor(options, lock);
    const early = servedProtocol(path3, lock) === PROTOCOL_VERSION ? askEarly?.(connection) : void 0;
    socket.uncork();
    deadline.stop(() => void connection.close());
    const pong = checkedPong(await asked, path3);
    if (pong.protocol === PROTOCOL_VERSION) {
      await agree(connection, options, pong);
      if (place !== void 0) kept?.opened({ connection, stream: socket, daemon: pong, lock, place });
      return { connection, hasStarted: false, daemon: pong, early };
    }
    if (options.autoStart === false || !isReplaceable(pong)) throw versionMismatch(pong);
    await connection.call("shutdown", {}, { signal });
  } catch (error) {
    if (deadline.passed) throw error;
    const isLeaving = error instanceof T4aError && ["connection_lost", "shutting_down"].includes(error.code);
    if (!isLeaving) {
      void connection.close();
      throw error;
    }
  } finally {
    deadline.stop(void 0);
  }
  await connection.close();
  return void 0;
}
async function startAndConnect(path3, options, deadline, attempt) {
  if (options.autoStart === false) throw nobodyListens(path3);
  const program = {
    socketPath: path3,
    entry: options.daemonEntry ?? defaultDaemonEntry(),
    idleTimeoutMs: options.idleTimeoutMs
  };
  deadline.begin();
  let claim;
  let start;
  let nextStartAt = 0;
  let restartDelayMs = FIRST_RESTART_DELAY_MS;
  const promptUntil = performance.now() + PROMPT_MS;
  try {
    for (let waitMs = FIRST_DELAY_MS; ; waitMs *= 1.5) {
      claim ??= StartClaim.take(path3);
      const opened = await attempt();
      if (opened !== void 0) return { ...opened, hasStarted: start?.state === "running" };
      if (deadline.passed) throw unreachable(path3, "it does not listen yet");
      if (start?.state === "failed") throw await start.failure();
      const mayStart = start === void 0 || start.state === "left" && performance.now() >= nextStartAt;
      if (claim !== void 0 && mayStart) {
        start = new DaemonStart(program);
        nextStartAt = performance.now() + restartDelayMs;
        restartDelayMs *= 2;
      }
      const isPrompt = claim !== void 0 && performance.now() < promptUntil;
      const mostMs = isPrompt ? FIRST_DELAY_MS : LAST_DELAY_MS;
      await process.getBuiltinModule("node:timers/promises").setTimeout(
        Math.min(waitMs, mostMs),
        void 0,
        options.signal === void 0 ? {} : { signal: options.signal }
      );
    }
  } finally {
    claim?.release();
    start?.release();
  }
}
function nobodyListens(path3) {
  const message = `No daemon listens on ${JSON.stringify(path3)}.`;
  return new T4aError("daemon_unreachable", message, { hint: "t4a daemon" });
}

// src/client/client.ts
var Client = class _Client {
  #options;
  #reconnections = new Emitter();
  #open;
  #opening;
  #closed = false;
  /** Clients of the same asker that may do less. */
  #within = /* @__PURE__ */ new Map();
  constructor(open, options) {
    this.#options = { ...options, socketPath: namedSocketPath(options.socketPath), signal: void 0 };
    this.#open = open;
  }
  /** Socket path of the daemon that answers, or answered last. */
  get socketPath() {
    return this.#open.connection.socketPath;
  }
  /** Whether this client has started the daemon. */
  get hasStartedDaemon() {
    return this.#open.hasStarted;
  }
  /** Name of the author of its requests. */
  get as() {
    return this.#options.as;
  }
  /** The daemon that answers, or answered last. */
  get daemon() {
    return this.#open.daemon;
  }
  /** Whether the daemon is that of another host, which gets neither directory nor environment of this process. */
  get isFar() {
    return this.#options.route !== void 0;
  }
  get isClosed() {
    return this.#closed;
  }
  /**
   * @throws T4aError with the daemon's code, or `connection_lost`
   * @throws the signal's reason, if it is aborted first
   */
  call(cmd, ...args) {
    const { connection } = this.#open;
    const isReady = connection.isOpen && this.#opening === void 0;
    const result = isReady ? connection.call(cmd, ...args) : this.#connected(args[1]?.signal).then((next) => next.call(cmd, ...args));
    return result.catch((error) => {
      throw withVersions(error, this.daemon, this.isFar);
    });
  }
  /**
   * Subscribes on a connection of its own. Events after {@link EventStream.subscribed} are never missed silently. Those of one terminal
   * end after its `removed`, unless the stream `outlives` it.
   */
  events(filter = {}, options = {}) {
    const path3 = this.socketPath;
    const envelope = () => envelopeFor(this.#options, daemonLock(path3) ?? this.daemon);
    const { route } = this.#options;
    const open = route === void 0 ? void 0 : async () => (await route.open({ signal: options.signal })).stream;
    const { replyBudget } = this.#options;
    const more = { received: route?.received, outlives: options.outlives };
    return new EventStream(path3, filter, options.signal, envelope, open, replyBudget, more);
  }
  /** @returns disposing it removes the listener */
  onReconnect(listener) {
    return this.#reconnections.on(listener);
  }
  /**
   * This client, or one on a connection of its own for the same asker, of which the daemon refuses what is above that reach and
   * what a person alone may decide. It closes with this one.
   */
  within(reach) {
    const { reach: own } = this.#options;
    if (own !== void 0 && isWithin(own, reach) || !hasFeature(this.daemon, "restrict"))
      return Promise.resolve(this);
    if (this.#closed) throw new T4aError("connection_lost", "The client was closed.");
    const known = this.#within.get(reach);
    if (known !== void 0) return known;
    const options = { ...this.#options, reach };
    const opening = openConnection(options).then((open) => {
      const client = new _Client(open, options);
      client.onReconnect((reconnection) => this.#reconnections.emit(reconnection));
      return client;
    });
    this.#within.set(reach, opening);
    opening.catch(() => this.#within.delete(reach));
    return opening;
  }
  /** Connects if not connected, and returns the daemon's `pong`. */
  async reach(options = {}) {
    await this.#connected(options.signal);
    return this.daemon;
  }
  /** Calls under way fail with `connection_lost`, and so does every later one. */
  async close() {
    this.#closed = true;
    this.#reconnections.clear();
    await this.#opening?.catch(() => {
    });
    const within = await Promise.allSettled(this.#within.values());
    for (const one of within) if (one.status === "fulfilled") await one.value.close();
    await this.#open.connection.close();
  }
  [Symbol.asyncDispose]() {
    return this.close();
  }
  async #connected(signal) {
    if (this.#open.connection.isOpen) return this.#open.connection;
    if (this.#closed) throw new T4aError("connection_lost", "The client was closed.");
    signal?.throwIfAborted();
    this.#opening ??= this.#reconnect().finally(() => {
      this.#opening = void 0;
    });
    return signal === void 0 ? this.#opening : orAborted(this.#opening, signal);
  }
  async #reconnect() {
    const before = this.daemon;
    this.#open = await openConnection(this.#options);
    this.#reconnections.emit({ before, now: this.daemon });
    return this.#open.connection;
  }
};
async function connect(given = {}) {
  const options = withScope(given.on === void 0 ? given : { ...given, route: await routeTo(given.on) });
  return new Client(await openConnection(options), options);
}
function withScope(options) {
  return { ...options, scope: options.scope ?? randomName() };
}
function orAborted(promise, signal) {
  return new Promise((resolve2, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve2, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
async function routeTo(on) {
  const fleet = await import(defaultFleetEntry());
  return fleet.routeTo(on);
}

// src/base/calling-agents.ts
var AGENTS = [
  {
    agent: "Claude Code",
    names: [
      "CLAUDECODE",
      "CLAUDE_CODE_CHILD_*",
      "CLAUDE_CODE_SESSION_*",
      "CLAUDE_CODE_PARENT_*",
      "CLAUDE_CODE_ENTRYPOINT",
      "CLAUDE_CODE_SSE_PORT",
      "CLAUDE_CODE_EXECPATH"
    ],
    source: "https://code.claude.com/docs/en/env-vars"
  },
  {
    agent: "Codex",
    names: ["CODEX_CI", "CODEX_SANDBOX", "CODEX_SANDBOX_*", "CODEX_THREAD_ID"],
    source: "https://github.com/openai/codex, UNIFIED_EXEC_ENV"
  },
  {
    agent: "Gemini CLI",
    names: ["GEMINI_CLI"],
    source: "https://github.com/google-gemini/gemini-cli, docs/tools/shell.md"
  },
  { agent: "Qwen Code", names: ["QWEN_CODE"], source: "https://github.com/QwenLM/qwen-code, docs/tools/shell.md" },
  { agent: "opencode", names: ["OPENCODE", "OPENCODE_PID"], source: "https://github.com/sst/opencode" },
  { agent: "Cursor", names: ["CURSOR_AGENT", "CURSOR_TRACE_ID"], source: "https://cursor.com/docs/agent/terminal" },
  { agent: "Amp", names: ["AMP_CURRENT_THREAD_ID"], source: "https://ampcode.com/manual" },
  { agent: "Cline", names: ["CLINE_ACTIVE"], source: "https://github.com/cline/cline" },
  { agent: "Augment", names: ["AUGMENT_AGENT"], source: "https://docs.augmentcode.com" },
  { agent: "Goose", names: ["GOOSE_TERMINAL"], source: "https://github.com/block/goose" },
  { agent: "Copilot CLI", names: ["COPILOT_CLI"], source: "https://github.com/github/copilot-cli" },
  { agent: "several", names: ["AI_AGENT", "AGENT"], source: "https://agents.md" }
];
var NAMES = AGENTS.flatMap(({ names }) => names);
var EXACT = new Set(NAMES.filter((name) => !name.endsWith("*")));
var PREFIXES = NAMES.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));

// src/base/other-terminals.ts
var OWNERS = [
  { owner: "any terminal", names: ["COLUMNS", "LINES", "TERMCAP", "WINDOWID", "COLORFGBG", "GPG_TTY", "SSH_TTY"] },
  { owner: "kitty", names: ["KITTY_*"] },
  { owner: "iTerm2", names: ["ITERM_*", "LC_TERMINAL", "LC_TERMINAL_VERSION", "TERM_FEATURES"] },
  { owner: "Terminal.app", names: ["TERM_SESSION_ID", "SHELL_SESSION_ID"] },
  { owner: "WezTerm", names: ["WEZTERM_*"] },
  { owner: "VTE", names: ["VTE_VERSION", "GNOME_TERMINAL_*", "TILIX_ID", "TERMINATOR_*"] },
  { owner: "Konsole", names: ["KONSOLE_*"] },
  { owner: "Ghostty", names: ["GHOSTTY_*"] },
  { owner: "Alacritty", names: ["ALACRITTY_*"] },
  { owner: "xterm", names: ["XTERM_*"] },
  { owner: "Windows Terminal, ConEmu", names: ["WT_*", "ConEmu*"] },
  { owner: "Warp", names: ["WARP_*"] },
  { owner: "VS Code", names: ["VSCODE_INJECTION", "VSCODE_NONCE", "VSCODE_SHELL_INTEGRATION", "VSCODE_IPC_HOOK_CLI"] },
  { owner: "other editors", names: ["CURSOR_TRACE_ID", "ZED_TERM", "TERMINAL_EMULATOR", "INSIDE_EMACS"] },
  { owner: "vim", names: ["NVIM", "NVIM_LISTEN_ADDRESS", "VIM_TERMINAL"] },
  { owner: "tmux, screen", names: ["TMUX", "TMUX_*", "STY", "WINDOW", "BYOBU_*"] },
  {
    owner: "other multiplexers",
    names: ["ZELLIJ", "ZELLIJ_*", "ABDUCO_SESSION", "DTACH_*", "HERDR_*", "CMUX_*", "TUIOS_*"]
  }
];
var NAMES2 = OWNERS.flatMap(({ names }) => names);
var EXACT2 = new Set(NAMES2.filter((name) => !name.endsWith("*")));
var PREFIXES2 = NAMES2.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));

// trials/support/trial-daemon.ts
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync as closeSync4, mkdtempSync, openSync as openSync4, readFileSync as readFileSync4, readdirSync, readlinkSync, rmSync } from "node:fs";
import path from "node:path";
var COLLECTED_MS = 3e4;
var TrialDaemon = class _TrialDaemon {
  dir;
  socketPath;
  process;
  exited;
  constructor(dir, child) {
    this.dir = dir;
    this.socketPath = path.join(dir, "s");
    this.process = child;
    this.exited = once(child, "exit");
  }
  /** @param dir of an earlier one, to take over from it */
  static async start(root, dir = mkdtempSync("/tmp/t4a-trial-"), more = {}) {
    const socketPath = path.join(dir, "s");
    const log = openSync4(`${socketPath}.log`, "a", 384);
    const collector = path.join(root, "trials/support/collect-on-signal.cjs");
    const args = ["--require", collector, path.join(root, "dist/daemon.cjs"), "--socket", socketPath];
    const child = spawn(process.execPath, args, {
      cwd: dir,
      stdio: ["ignore", "ignore", log],
      env: { ...ALLOCATOR_ENVIRONMENT, ...process.env, HOME: dir, HISTFILE: "", ...more }
    });
    closeSync4(log);
    const daemon = new _TrialDaemon(dir, child);
    const from2 = daemon.log.length;
    while (!daemon.log.slice(from2).includes(`(pid ${child.pid}) listens on`)) {
      if (daemon.over) throw new Error(`the daemon ended at its start: ${daemon.log.slice(from2)}`);
      await new Promise((resolve2) => setTimeout(resolve2, 10));
    }
    return daemon;
  }
  /** So that what is resident is what is held. */
  async collectGarbage() {
    const collections = () => this.log.split("collected garbage\n").length;
    const before = collections();
    this.process.kill("SIGUSR2");
    const isThere2 = await eventually(() => collections() !== before || this.over, COLLECTED_MS);
    if (!isThere2) throw new Error(`the daemon has collected no garbage in ${COLLECTED_MS} ms`);
  }
  get log() {
    return readFileSync4(`${this.socketPath}.log`, "utf8");
  }
  /** What each of its descriptors is open on. */
  get descriptors() {
    const dir = `/proc/${this.process.pid}/fd`;
    return readdirSync(dir).flatMap((fd) => {
      try {
        return [readlinkSync(path.join(dir, fd))];
      } catch {
        return [];
      }
    });
  }
  get over() {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }
  async stop() {
    if (!this.over) this.process.kill("SIGTERM");
    await this.exited;
  }
  remove() {
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
};
async function eventually(isTrue, timeoutMs) {
  for (const end = performance.now() + timeoutMs; !isTrue(); ) {
    if (performance.now() > end) return false;
    await new Promise((resolve2) => setTimeout(resolve2, 20));
  }
  return true;
}

// trials/verdicts/around.ts
var call2 = promisify2(execFile2);
var LIMIT_MS = 3e4;
function aroundOf(number) {
  if (number < FIRST_OF_PEOPLE || number % 10 !== 9) return void 0;
  const random = new Random(Math.imul(number + 1, 668265263));
  const { text, wrong } = random.chance(0.6) ? ending(random) : inheriting(random);
  return { text: `${number} ${text}`, wrong };
}
var COUNTER = `
import os, signal, sys, time
folder, ends, name, *others = sys.argv[1:]
if os.path.exists(os.path.join(folder, name)): sys.exit()
ALL = [signal.SIGHUP, signal.SIGTERM, signal.SIGINT]
signal.pthread_sigmask(signal.SIG_BLOCK, ALL)
signal.signal(signal.SIGHUP, lambda *_: None)
for other in others:
    if os.fork() == 0:
        if other.startswith('own'): os.setpgid(0, 0)
        name, others = other, []
        break
notes = open(os.path.join(folder, name), 'a', 1)
notes.write('up '); notes.flush()
left = None
while left is None or left > 0:
    info = signal.sigtimedwait(ALL, 0.05) if left is not None else signal.sigwaitinfo(ALL)
    if left is not None: left -= 1
    if info is None: continue
    notes.write('%s@%d ' % (signal.Signals(info.si_signo).name, time.monotonic() * 1000)); notes.flush()
    if ends == 'ends' and left is None: left = 3
`;
var ENDS = {
  kill: killing(({ client, graceMs: grace_ms }, id) => client.call("kill", { id, grace_ms })),
  "kill twice": killing(
    ({ client, graceMs: grace_ms }, id) => Promise.all([1, 2].map(() => client.call("kill", { id, grace_ms })))
  ),
  "kill of a tree": killing(({ client, graceMs: grace_ms }, id) => client.call("kill", { id, grace_ms, tree: true })),
  "kill that keeps it": killing(
    ({ client, graceMs: grace_ms }, id) => client.call("kill", { id, grace_ms, keep: true })
  ),
  restart: killing(({ client, graceMs: grace_ms }, id) => client.call("restart", { id, grace_ms })),
  shutdown: killing(async ({ client, daemon }) => {
    await client.call("shutdown", {});
    await daemon.exited;
  }),
  "the deadline of run": async ({ client, cmd_args, isUp }) => {
    const run = client.call("run", { cmd_args, timeout_ms: UP_MS });
    await isUp();
    return run;
  },
  "the end of the client that it is tied to": async ({ client, daemon, cmd_args, isUp }) => {
    const own = await connect({ socketPath: daemon.socketPath });
    await own.call("create", { cmd_args, tied: true });
    await isUp();
    await own.close();
    for (let left = 1; left > 0; left = (await client.call("list", {})).terminals.length) await pause();
  }
};
var UP_MS = 5e3;
function killing(end) {
  return async (ending2) => {
    const { id } = await ending2.client.call("create", { cmd_args: ending2.cmd_args });
    await ending2.isUp();
    return end(ending2, id);
  };
}
function ending(random) {
  const way = random.pick(Object.keys(ENDS));
  const ends = random.chance(0.5);
  const others = [[], ["member"], ["member", "own-group"]][random.below(3)] ?? [];
  const graceMs = 400 + random.below(400);
  const text = `${way}: of a program that ${ends ? "ends at the first signal" : "goes on"}, and ${others.length} more`;
  return {
    text,
    wrong: async (_client, root) => {
      const folder = mkdtempSync2("/tmp/t4a-verdict-");
      const daemon = await TrialDaemon.start(root);
      const client = await connect({ socketPath: daemon.socketPath });
      try {
        await client.call("config", { kill_grace_ms: graceMs });
        const cmd_args = ["python3", "-c", COUNTER, folder, ends ? "ends" : "stays", "leader", ...others];
        const notes = () => readdirSync2(folder).map((name) => [name, readFileSync5(path2.join(folder, name), "utf8").trim().split(" ")]);
        const isUp = async () => {
          while (notes().filter(([, [first]]) => first === "up").length <= others.length) await pause();
        };
        await ENDS[way]?.({ client, daemon, cmd_args, graceMs, isUp });
        return notes().flatMap(([name, [, ...noted]]) => judgeSignals(name, noted, ends, graceMs));
      } finally {
        await client.close();
        await daemon.stop();
        daemon.remove();
        rmSync2(folder, { recursive: true, force: true });
      }
    }
  };
}
function judgeSignals(name, noted, ends, graceMs) {
  const signals = noted.map((each) => each.split("@")[0] ?? "");
  const [firstMs, secondMs] = noted.map((each) => Number(each.split("@")[1]));
  const wrong = [];
  const got = `${name} got ${noted.join(", ")}`;
  if (new Set(signals).size !== signals.length) wrong.push(`${got}: one of them twice`);
  if (name === "leader" && signals[0] !== "SIGHUP") wrong.push(`${got}, not SIGHUP first`);
  if (!ends && !signals.includes("SIGTERM")) wrong.push(`${got}, and no SIGTERM`);
  if (ends && name === "leader" && signals.includes("SIGTERM")) wrong.push(`${got}: it had time to end by itself`);
  const isAtOnce = firstMs !== void 0 && secondMs !== void 0 && secondMs - firstMs < graceMs / 2;
  if (!ends && isAtOnce) wrong.push(`${got}: less than ${graceMs} ms between them`);
  return wrong;
}
var MARKERS = [
  "CLAUDECODE",
  "CLAUDE_CODE_SESSION_ID",
  "CODEX_CI",
  "CODEX_SANDBOX",
  "GEMINI_CLI",
  "OPENCODE",
  "AI_AGENT"
];
var KEPT = ["CLAUDE_CODE_USE_BEDROCK", "CODEX_HOME", "EDITOR", "LESS", "T4A_TRIAL_OWN"];
var OF_PIPES = { NO_COLOR: "1", PAGER: "cat", GIT_PAGER: "cat" };
function inheriting(random) {
  const some2 = (items) => items.filter(() => random.chance(0.4));
  const markers = random.chance(0.6) ? some2(MARKERS) : [];
  const [kept, pipes] = [some2(KEPT), some2(Object.keys(OF_PIPES))];
  const [files, mask] = [random.pick([256, 512, 1024, 4096]), random.pick(["0022", "0027", "0077", "0002"])];
  const keeps = random.chance(0.2);
  const variables = [...markers, ...kept, ...pipes];
  return {
    text: `inherited: ${files} open files, umask ${mask}, ${variables.join(" ")}${keeps ? ", --keep-agent-env" : ""}`,
    wrong: async (_client, root) => {
      const dir = mkdtempSync2("/tmp/t4a-verdict-");
      const t4a = `"${process.execPath}" "${path2.join(root, "dist/cli.cjs")}"`;
      const show = `ulimit -Sn; umask; env | grep -E '^(${[...MARKERS, ...KEPT, ...Object.keys(OF_PIPES)].join("|")})=' | sort`;
      const script = `ulimit -Sn ${files}; umask ${mask}
        ${t4a} run ${keeps ? "--keep-agent-env " : ""}-- sh -c "$T4A_TRIAL_SHOW"; ${t4a} shutdown >/dev/null 2>&1`;
      const bare = Object.entries(process.env).filter(([name]) => !isDrawn(name));
      const env = {
        ...Object.fromEntries(bare),
        ...Object.fromEntries(variables.map((name) => [name, OF_PIPES[name] ?? "x"])),
        HOME: dir,
        T4A_SOCKET: path2.join(dir, "s"),
        T4A_TRIAL_SHOW: show
      };
      try {
        const { stdout } = await call2("sh", ["-c", script], { env, timeout: LIMIT_MS });
        const isWithin2 = markers.length > 0 && !keeps;
        const stays = [...kept, ...isWithin2 ? [] : pipes, ...keeps ? markers : []];
        const right = [String(files), mask, ...stays.map((name) => `${name}=${OF_PIPES[name] ?? "x"}`).toSorted()];
        const found = stdout.trim().split("\n");
        const inOrder = [...found.slice(0, 2), ...found.slice(2).toSorted()];
        return inOrder.join("\n") === right.join("\n") ? [] : [`${inOrder.join(" ")} instead of ${right.join(" ")}`];
      } finally {
        rmSync2(dir, { recursive: true, force: true, maxRetries: 5 });
      }
    }
  };
}
function isDrawn(name) {
  return name.startsWith("T4A_") || [...MARKERS, ...KEPT, ...Object.keys(OF_PIPES)].includes(name) || /^(?:CLAUDE|CODEX|AGENT)/.test(name);
}
var pause = () => new Promise((resolve2) => setTimeout(resolve2, 20));

// ../../tmp/h2-list.ts
var [from, count, pattern] = process.argv.slice(2);
for (let n = Number(from); n < Number(from) + Number(count); n++) {
  if (aroundOf(n)) continue;
  const d = describe(drawOf(n, () => true));
  if (new RegExp(pattern).test(d)) console.log(d);
}
