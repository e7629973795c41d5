/**
 * How a shell process was started: interactive, or with a script. On other systems than Linux nothing is known, and the
 * answers are false.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Names of programs, as they are called. */
const SHELLS: readonly string[] = ['bash', 'zsh', 'fish', 'sh', 'dash', 'ash', 'ksh', 'ksh93', 'mksh', 'busybox'];

/** Further shells, which mark their prompts themselves. */
const MORE_SHELLS = 'nu xonsh elvish pwsh tcsh csh osh ysh yash murex ion'.split(' ');
/** Programs that show a shell of another place or user. */
const OTHER_PLACES =
  'ssh mosh mosh-client et telnet docker podman kubectl nerdctl lxc incus machinectl distrobox toolbox nix wsl.exe'.split(
    ' ',
  );
const OTHER_USERS = 'su sudo doas login script screen tmux zellij t4a'.split(' ');
const SHOWS_SHELL: ReadonlySet<string> = new Set([...SHELLS, ...MORE_SHELLS, ...OTHER_PLACES, ...OTHER_USERS]);

/** Options that take the next argument. */
const OPTIONS_WITH_VALUE: readonly string[] = [
  '--rcfile',
  '--init-file',
  '--init-command',
  '-C',
  '-o',
  '+o',
  '-O',
  '+O',
];

/** Started without a script or a command to run: it reads lines from the terminal. */
export function isInteractiveShell(pid: number): boolean {
  const [program, ...args] = readStrings(pid, 'cmdline');
  if (program === undefined) return false;
  const name = path.basename(program).replace(/^-/, '');
  if (!SHELLS.includes(name)) return false;
  const options = name === 'busybox' ? args.slice(1) : args;
  return !options.some((arg, i) => {
    if (OPTIONS_WITH_VALUE.includes(options[i - 1] ?? '')) return false;
    // A script, a command (-c, -lc, --command), or one of fish's `-c` among others.
    return !/^[-+]/.test(arg) || /^-[a-zA-Z]*c/.test(arg) || arg.startsWith('--command');
  });
}

/**
 * It is known to be no shell, nor to show one: marks that it prints are none of a shell. False if nothing is known of it.
 * @param pid of the process in front
 */
export function isKnownNoShell(pid: number): boolean {
  const [program, script] = readStrings(pid, 'cmdline').map((part) => path.basename(part).replace(/^-/, ''));
  if (program === undefined || program === '') return false;
  return !SHOWS_SHELL.has(program) && (script === undefined || !SHOWS_SHELL.has(script));
}

/** Started with the injected scripts of that folder, which report everything by marks. */
export function isIntegratedShell(pid: number, scripts: string): boolean {
  return [...readStrings(pid, 'cmdline'), ...readStrings(pid, 'environ')].some((text) => text.includes(scripts));
}

/**
 * A shell whose standard error is no longer its terminal, where its prompts would go (`exec 2>log`). Not one that has kept the
 * terminal beside it: it goes back there after the command (`read line 2>log`).
 */
export function showsNoPrompt(pid: number): boolean {
  const [input, errors, ...kept] = [0, 2, 10, 12, 13].map((descriptor) => linkOf(pid, descriptor));
  return input !== undefined && errors !== input && !kept.includes(input);
}

/** Another program hands on its standard output (1) or error (2), as of `exec 2> >(tee log)`. */
export function hasPiped(pid: number, descriptor: 1 | 2): boolean {
  return /^(?:pipe|socket):/.test(linkOf(pid, descriptor) ?? '');
}

function linkOf(pid: number, descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    return undefined; // ENOENT, EACCES: closed, gone, or another user's.
  }
}

/** As of its start, or of its last exec. */
function readStrings(pid: number, file: 'cmdline' | 'environ'): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').slice(0, -1);
  } catch {
    // It is gone, or another user's.
    return [];
  }
}
