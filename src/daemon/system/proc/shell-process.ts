/**
 * What a process is as a shell, from how it was started: one at whose prompt somebody types, or one that runs a script.
 * Elsewhere than on Linux nothing is known, and the answers are no.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** By the name of the program, as it was called. */
const SHELLS: readonly string[] = ['bash', 'zsh', 'fish', 'sh', 'dash', 'ash', 'ksh', 'ksh93', 'mksh', 'busybox'];

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

/** Started with the injected scripts of that folder, which tell all that is to be known of it. */
export function isIntegratedShell(pid: number, scripts: string): boolean {
  return [...readStrings(pid, 'cmdline'), ...readStrings(pid, 'environ')].some((text) => text.includes(scripts));
}

/** As they were when it was started, or replaced itself by another program. */
function readStrings(pid: number, file: 'cmdline' | 'environ'): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').slice(0, -1);
  } catch {
    // It is gone, or somebody else's.
    return [];
  }
}
