/** The `tmux` that programs find on the PATH: the door, by `--path` or by a link of `--install`, or another one. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../../base/npx-environment.js';
import { defaultCommandLine } from '../../client/paths.js';
import { type Finding, passed } from './finding.js';

const CHECK = 'tmux';

/** @param commandLine file of t4a, beside which the folder of the door lies */
export function examineTmuxDoor(env: Environment, commandLine = defaultCommandLine()): Finding {
  const files = (env['PATH'] ?? '').split(':').map((folder) => join(folder || '.', 'tmux'));
  const first = files.find((file) => existsSync(file));
  if (first === undefined) return passed(CHECK, 'no tmux is on PATH: "t4a tmux --path" prints the folder of the door');
  const doors = join(realpathSync(dirname(commandLine)), 'tmux');
  const isDoor = realpathSync(first).startsWith(`${doors}/`);
  return passed(
    CHECK,
    isDoor ? `${first} is the door` : `${first} is not the door: "t4a tmux --path" prints its folder`,
  );
}
