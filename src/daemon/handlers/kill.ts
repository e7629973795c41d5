import { nearestWords } from '../../base/nearest.js';
import { T4aError, quote } from '../../protocol/errors.js';
import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { SIGNAL_NAMES, parseSignal, sendSignal } from '../processes.js';

export const kill =
  (daemon: Daemon): Handler<'kill'> =>
  async (params) => {
    const terminal = daemon.terminals.use(params.id);
    if (params.signal === undefined) {
      await daemon.remove(terminal);
      return {};
    }
    const signal = parseSignal(params.signal);
    if (signal === undefined) throw unknownSignal(params.signal);
    if (!terminal.alive || !sendSignal(-terminal.foregroundGroup, signal.number)) throw terminal.exitedError();
    return {};
  };

function unknownSignal(given: string | number): T4aError {
  const closest = nearestWords(String(given), [...SIGNAL_NAMES, ...SIGNAL_NAMES.map((name) => name.slice(3))])[0];
  return new T4aError('invalid_field', `"signal" of "kill" is ${quote(given)}: there is no such signal.`, {
    field: 'signal',
    hint: closest === undefined ? 'For example "SIGINT".' : `Did you mean "${closest}"?`,
    ...(closest === undefined ? {} : { closest }),
  });
}
