/** Terminals that end with whoever made them: the connection, or a process. */
import { errnoOf } from '../base/errno.js';
import type { Disposable } from '../base/lifetime.js';
import { T4aError } from '../protocol/errors.js';
import type { Params } from '../protocol/registry.js';
import type { Call } from '../rpc/service.js';
import type { Daemon } from './daemon.js';
import { readStat } from '../terminal/system/processes.js';
import type { Terminal } from '../terminal/terminal.js';

type Tied = NonNullable<Params<'create'>['tied']>;
type TiedProcess = Exclude<Tied, boolean>;

/** How soon the end of a process is noticed. */
const CHECK_MS = 500;

/** To be called before the terminal is made. @throws T4aError invalid_field */
export function checkTied(tied: Params<'create'>['tied']): void {
  if (typeof tied !== 'object' || isRunning(tied)) return;
  throw new T4aError('invalid_field', `"tied" names process ${tied.pid}, which does not run where the daemon runs.`, {
    field: 'tied',
    hint: 'true ties the terminal to the connection.',
  });
}

/** Ends and removes the terminal, with its grace, when the one that it is tied to has gone. */
export function tie(daemon: Daemon, terminal: Terminal, tied: Params<'create'>['tied'], call: Call): void {
  if (tied === undefined || tied === false) return;
  const end = (): void => {
    daemon.remove(terminal).catch((error: unknown) => {
      daemon.options.log.error(`ending terminal ${terminal.id}, whose client has gone`, error);
    });
  };
  const watch = tied === true ? call.connection.onGone(end) : watchProcess(daemon, tied, end);
  terminal.feed.add({ onEvent: ({ event }) => void (event === 'removed' && watch.dispose()) });
}

function watchProcess({ options: { clock } }: Daemon, process: TiedProcess, end: () => void): Disposable {
  const check = (): void => {
    if (!isRunning(process)) end();
    else timer = clock.after(CHECK_MS, check);
  };
  let timer = clock.after(CHECK_MS, check);
  return { dispose: () => timer.dispose() };
}

/** Without a start (macOS) by its pid alone. */
function isRunning({ pid, started }: TiedProcess): boolean {
  if (started !== undefined) {
    const stat = readStat(pid);
    // A zombie only waits to be reaped.
    return stat?.started === started && stat.state !== 'Z';
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}
