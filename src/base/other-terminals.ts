/**
 * Variables by which terminals, editors and multiplexers describe themselves to their programs. In a terminal of t4a they
 * would describe another one: programs draw pictures, ask for passphrases or turn off line editors by them. A caller who
 * names one sets it all the same.
 */

interface Owner {
  readonly owner: string;
  /** `*` at the end stands for any rest. */
  readonly names: readonly string[];
}

const OWNERS: readonly Owner[] = [
  { owner: 'any terminal', names: ['COLUMNS', 'LINES', 'TERMCAP', 'WINDOWID', 'COLORFGBG', 'GPG_TTY', 'SSH_TTY'] },
  { owner: 'kitty', names: ['KITTY_*'] },
  { owner: 'iTerm2', names: ['ITERM_*', 'LC_TERMINAL', 'LC_TERMINAL_VERSION', 'TERM_FEATURES'] },
  { owner: 'Terminal.app', names: ['TERM_SESSION_ID', 'SHELL_SESSION_ID'] },
  { owner: 'WezTerm', names: ['WEZTERM_*'] },
  { owner: 'VTE', names: ['VTE_VERSION', 'GNOME_TERMINAL_*', 'TILIX_ID', 'TERMINATOR_*'] },
  { owner: 'Konsole', names: ['KONSOLE_*'] },
  { owner: 'Ghostty', names: ['GHOSTTY_*'] },
  { owner: 'Alacritty', names: ['ALACRITTY_*'] },
  { owner: 'xterm', names: ['XTERM_*'] },
  { owner: 'Windows Terminal, ConEmu', names: ['WT_*', 'ConEmu*'] },
  { owner: 'Warp', names: ['WARP_*'] },
  { owner: 'VS Code', names: ['VSCODE_INJECTION', 'VSCODE_NONCE', 'VSCODE_SHELL_INTEGRATION', 'VSCODE_IPC_HOOK_CLI'] },
  { owner: 'other editors', names: ['CURSOR_TRACE_ID', 'ZED_TERM', 'TERMINAL_EMULATOR', 'INSIDE_EMACS'] },
  { owner: 'vim', names: ['NVIM', 'NVIM_LISTEN_ADDRESS', 'VIM_TERMINAL'] },
  { owner: 'tmux, screen', names: ['TMUX', 'TMUX_*', 'STY', 'WINDOW', 'BYOBU_*'] },
  {
    owner: 'other multiplexers',
    names: ['ZELLIJ', 'ZELLIJ_*', 'ABDUCO_SESSION', 'DTACH_*', 'HERDR_*', 'CMUX_*', 'TUIOS_*'],
  },
];

const NAMES = OWNERS.flatMap(({ names }) => names);
const EXACT: ReadonlySet<string> = new Set(NAMES.filter((name) => !name.endsWith('*')));
const PREFIXES = NAMES.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
/** Databases of terminals that come with one of them. */
const OWN_TERMINFO = /kitty|ghostty/i;

/** Whether an inherited variable describes another terminal. */
export function isOfOtherTerminal(name: string, value: string | undefined): boolean {
  if (name === 'TERMINFO') return OWN_TERMINFO.test(value ?? '');
  return EXACT.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
}
