/** Terminals that end with whoever made them: the connection, or a process. */
import { errnoOf } from '../base/errno.js';
import type { Disposable } from '../base/lifetime.js';
import { PartKey } from '../base/parts.js';
import { T4aError } from '../protocol/errors.js';
import type { Params } from '../protocol/registry.js';
import type { FrozenConnection } from '../rpc/left-connections.js';
import type { Call, CallConnection } from '../rpc/service.js';
import type { Daemon } from './daemon.js';
import { readStat } from '../terminal/system/processes.js';
import type { Terminal } from '../terminal/terminal.js';

type Tied = NonNullable<Params<'create'>['tied']>;
type TiedProcess = Exclude<Tied, boolean>;

/** Milliseconds in which the end of a process is noticed. */
const CHECK_MS = 500;

/** To be called before the terminal is made. @throws T4aError invalid_field */
export function checkTied(tied: Params<'create'>['tied']): void {
  if (typeof tied !== 'object' || isRunning(tied)) return;
  throw new T4aError('invalid_field', `"tied" names process ${tied.pid}, which does not run where the daemon runs.`, {
    field: 'tied',
    hint: 'true ties the terminal to the connection.',
  });
}

type Tie =
  | { readonly process: TiedProcess }
  | { readonly connection: CallConnection; readonly scope: string | undefined };

/** Tie as another daemon gets it. */
export type FrozenTie = { readonly process: TiedProcess } | { readonly connection: FrozenConnection };

const TIE = new PartKey<Tie | undefined>(() => undefined);

/** Ends and removes the terminal, with its grace, when the one that it is tied to has gone. */
export function tie(daemon: Daemon, terminal: Terminal, tied: Params<'create'>['tied'], call: Call): void {
  if (tied === undefined || tied === false) return;
  follow(daemon, terminal, tied === true ? { connection: call.connection, scope: call.scope } : { process: tied });
}

export function frozenTie({ core }: Daemon, terminal: Terminal): FrozenTie | undefined {
  const own = terminal.part(TIE).value;
  if (own === undefined || 'process' in own) return own;
  return { connection: core.left.freeze(own.connection, own.scope) };
}

export function tieAgain(daemon: Daemon, terminal: Terminal, frozen: FrozenTie): void {
  if ('process' in frozen) follow(daemon, terminal, frozen);
  else {
    const { connection } = frozen;
    follow(daemon, terminal, { connection: daemon.core.left.thaw(connection), scope: connection.scope });
  }
}

function follow(daemon: Daemon, terminal: Terminal, tied: Tie): void {
  terminal.part(TIE).value = tied;
  const end = (): void => {
    daemon.remove(terminal).catch((error: unknown) => {
      daemon.options.log.error(`ending terminal ${terminal.id}, whose client has gone`, error);
    });
  };
  const watch = 'process' in tied ? watchProcess(daemon, tied.process, end) : tied.connection.onGone(end);
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

/** Whether a process runs; without a start (macOS) by its pid alone. */
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
