import type { Core } from '../../features/core.js';
import { constants } from 'node:os';
import { nearestWords } from '../../base/nearest.js';
import { T4aError, quote } from '../../protocol/errors.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { Call, Handler } from '../../rpc/service.js';
import { admitAct } from '../../terminal/admitted-act.js';
import type { Daemon } from '../daemon.js';
import {
  liveSession,
  SIGNAL_NAMES,
  parseSignal,
  sendSignal,
  type SignalOutcome,
} from '../../terminal/system/processes.js';
import type { Terminal } from '../../terminal/terminal.js';
import { terminalsWhere, treeOf } from '../../terminal/where.js';

export const kill =
  (daemon: Daemon): Handler<'kill'> =>
  async (params, call) => {
    const terminals = meant(daemon.core, params, call);
    const { signal: name, keep, tree } = params;
    if (name !== undefined && (keep || tree)) throw unfit(keep ? 'keep' : 'tree');
    const signal = name === undefined ? undefined : signalOf(name, 'kill');
    const all = tree ? withTrees(daemon.core, terminals) : terminals;
    // Before anything is done: of several all are ended, or none.
    const living = all.filter(({ alive }) => alive);
    admitAct(daemon.core.terminals, living, params.force, call);
    if (signal === undefined) return endAll(daemon, all, params);
    for (const terminal of terminals) send(terminal, signal);
    return {};
  };

/** @throws T4aError terminal_not_found, invalid_field, bad_regex */
function meant({ terminals }: Core, { id, exited, all, where }: Params<'kill'>, call: Call): Terminal[] {
  const ways = [id !== undefined, exited, all, where !== undefined].filter(Boolean).length;
  if (ways !== 1) {
    throw new T4aError('invalid_field', 'Exactly one of "id", "exited", "where" and "all" of "kill" is needed.', {
      field: 'id',
      hint: 'Name the terminal, or "@" for the one used last.',
    });
  }
  if (where !== undefined) return terminalsWhere(terminals, where).filter(({ recording }) => recording === undefined);
  const isMeant = ({ alive, recording }: Terminal): boolean => all || (!alive && recording === undefined);
  if (id === undefined) return terminals.all().filter(isMeant);
  const ids = [id].flat();
  try {
    return [...new Set(ids.map((each) => terminals.use(each, call)))];
  } catch (error) {
    if (!(error instanceof T4aError) || ids.length === 1) throw error;
    throw new T4aError(error.code, `${error.message} None of the ${ids.length} was ended.`, error.details);
  }
}

type Ending = Pick<Params<'kill'>, 'keep' | 'tree' | 'grace_ms'>;

/** All at once; of a tree one after the other, children first. */
async function endAll(
  daemon: Daemon,
  terminals: readonly Terminal[],
  { keep, tree, grace_ms }: Ending,
): Promise<Reply<'kill'>> {
  const end = (terminal: Terminal): Promise<number[]> =>
    keep ? terminal.end({ graceMs: grace_ms ?? daemon.core.config.kill_grace_ms }) : daemon.remove(terminal, grace_ms);
  const orphans: number[][] = [];
  if (tree) for (const terminal of terminals) orphans.push(await end(terminal));
  else orphans.push(...(await Promise.all(terminals.map(end))));
  const ended = terminals.map(({ id, exit: { code, signal } }) => ({ id, exit_code: code, signal }));
  const survivors = orphans.flat();
  return survivors.length === 0 ? { ended } : { ended, survivors };
}

function withTrees({ terminals }: Core, roots: readonly Terminal[]): Terminal[] {
  return [...new Set(roots.flatMap((root) => treeOf(terminals, root)))];
}

/** @throws T4aError terminal_exited, not_permitted */
function send(terminal: Terminal, signal: number): void {
  if (!terminal.alive) throw terminal.exitedError();
  const outcome = signalForeground(terminal, signal);
  if (outcome === 'gone') throw terminal.exitedError();
  if (outcome === 'not_ours') throw notPermitted(terminal.id);
  if (signal === constants.signals.SIGINT) terminal.detectors.shell.onInterrupt();
}

export function signalForeground({ pid, foregroundGroup }: Terminal, signal: number): SignalOutcome {
  const outcome = sendSignal(-foregroundGroup, signal);
  if (outcome !== 'gone') return outcome;
  // Right after the fork the process is still in the daemon's session, and its group does not exist yet.
  const session = liveSession(pid);
  if (session === undefined) return outcome;
  if (session === pid) return sendSignal(-pid, signal);
  return session === liveSession(process.pid) ? sendSignal(pid, signal) : outcome;
}

function unfit(field: string): T4aError {
  return new T4aError('invalid_field', `"${field}" goes without "signal": it ends the program.`, { field });
}

function notPermitted(id: string): T4aError {
  return new T4aError('not_permitted', `The foreground process of terminal "${id}" belongs to another user.`, {
    hint: `A key works, since the kernel sends its signal: t4a press ${id} ctrl+c`,
  });
}

/** @throws T4aError invalid_field */
export function signalOf(given: string | number, command: string): number {
  const signal = parseSignal(given);
  if (signal === undefined) throw unknownSignal(given, command);
  return signal.number;
}

function unknownSignal(given: string | number, command: string): T4aError {
  const closest = nearestWords(String(given), [...SIGNAL_NAMES, ...SIGNAL_NAMES.map((name) => name.slice(3))])[0];
  return new T4aError('invalid_field', `"signal" of "${command}" is ${quote(given)}: there is no such signal.`, {
    field: 'signal',
    hint: closest === undefined ? 'For example "SIGINT".' : `Did you mean "${closest}"?`,
    ...(closest === undefined ? {} : { closest }),
  });
}
