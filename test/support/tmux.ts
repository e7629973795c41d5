/** The tmux door of a test's own, as programs call it: the file `tmux` of the folder that `t4a tmux --path` prints. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import type { CliResult } from './cli.js';
import { cacheHome } from './daemon.js';
import { eventually } from './eventually.js';
import { execute } from './execute.js';
import { tempDir } from './temp-dir.js';

/** The client that needs neither a compiler nor a processor. */
export const SCRIPT = fileURLToPath(new URL('../../dist/tmux/tmux', import.meta.url));
const NATIVE = fileURLToPath(new URL(`../../dist/tmux/${process.arch}/tmux`, import.meta.url));
/** The client that `t4a tmux --path` means. */
export const DOOR = existsSync(NATIVE) ? NATIVE : SCRIPT;

export interface Tmux {
  (...args: string[]): Promise<CliResult>;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** @param program the door's, or that of the real one beside it */
export function tmuxOf(program: string = DOOR, more: Readonly<Record<string, string>> = {}): Tmux {
  const dir = tempDir();
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    HOME: dir.path,
    XDG_CACHE_HOME: cacheHome,
    PS1: '$ ',
    SHELL: '/bin/bash',
    LC_ALL: 'C.UTF-8',
    TMUX_TMPDIR: dir.path,
    ...more,
  };
  const tmux = (...args: string[]): Promise<CliResult> =>
    execute(program, ['-f', '/dev/null', ...args], { env, cwd: dir.path });
  onTestFinished(async () => {
    // A shell that ends writes its history into the directory, which is removed then.
    const { stdout } = await tmux('display-message', '-p', '#{pid}', ';', 'list-panes', '-a', '-F', '#{pane_pid}');
    await tmux('kill-server');
    await eventually(() => expect(stdout.split('\n').filter(isAlive)).toEqual([]));
  });
  return Object.assign(tmux, { env, cwd: dir.path });
}

function isAlive(pid: string): boolean {
  try {
    return Number(pid) > 0 && process.kill(Number(pid), 0);
  } catch {
    return false; // ESRCH
  }
}
