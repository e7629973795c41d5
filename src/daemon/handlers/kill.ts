import { constants } from 'node:os';
import { nearestWords } from '../../base/nearest.js';
import { T4aError, quote } from '../../protocol/errors.js';
import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { liveSession, SIGNAL_NAMES, parseSignal, sendSignal, type SignalOutcome } from '../system/processes.js';
import type { Terminal } from '../terminal/terminal.js';
import { treeOf } from '../terminal/where.js';

export const kill =
  (daemon: Daemon): Handler<'kill'> =>
  async (params, call) => {
    const terminal = daemon.terminals.use(params.id, call);
    const { signal: wanted, keep, tree } = params;
    if (wanted !== undefined && (keep || tree)) throw unfit(keep ? 'keep' : 'tree');
    if (wanted === undefined) {
      const ended = tree ? treeOf(daemon.terminals, terminal) : [terminal];
      const orphans: number[] = [];
      for (const each of ended) orphans.push(...(keep ? await each.end() : await daemon.remove(each)));
      return {
        ...(orphans.length === 0 ? {} : { survivors: orphans }),
        ...(tree ? { ended: ended.map(({ id }) => id) } : {}),
      };
    }
    const signal = parseSignal(wanted);
    if (signal === undefined) throw unknownSignal(wanted);
    if (!terminal.alive) throw terminal.exitedError();
    const outcome = signalForeground(terminal, signal.number);
    if (outcome === 'gone') throw terminal.exitedError();
    if (outcome === 'not_ours') throw notPermitted(terminal.id);
    if (signal.number === constants.signals.SIGINT) terminal.detectors.shell.onInterrupt();
    return {};
  };

function signalForeground({ pid, foregroundGroup }: Terminal, signal: number): SignalOutcome {
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

function unknownSignal(given: string | number): T4aError {
  const closest = nearestWords(String(given), [...SIGNAL_NAMES, ...SIGNAL_NAMES.map((name) => name.slice(3))])[0];
  return new T4aError('invalid_field', `"signal" of "kill" is ${quote(given)}: there is no such signal.`, {
    field: 'signal',
    hint: closest === undefined ? 'For example "SIGINT".' : `Did you mean "${closest}"?`,
    ...(closest === undefined ? {} : { closest }),
  });
}
