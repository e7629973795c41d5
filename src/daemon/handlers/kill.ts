import { constants } from 'node:os';
import { nearestWords } from '../../base/nearest.js';
import { T4aError, quote } from '../../protocol/errors.js';
import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { SIGNAL_NAMES, parseSignal, sendSignal } from '../system/processes.js';

export const kill =
  (daemon: Daemon): Handler<'kill'> =>
  async (params) => {
    const terminal = daemon.terminals.use(params.id);
    if (params.signal === undefined) {
      const orphans = await daemon.remove(terminal);
      return orphans.length === 0 ? {} : { survivors: orphans };
    }
    const signal = parseSignal(params.signal);
    if (signal === undefined) throw unknownSignal(params.signal);
    if (!terminal.alive) throw terminal.exitedError();
    const outcome = sendSignal(-terminal.foregroundGroup, signal.number);
    if (outcome === 'gone') throw terminal.exitedError();
    if (outcome === 'not_ours') throw notPermitted(terminal.id);
    if (signal.number === constants.signals.SIGINT) terminal.detectors.shell.onInterrupt();
    return {};
  };

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
