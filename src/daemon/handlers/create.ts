import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { spawnTerminal } from '../spawn.js';
import { T4aError, quote } from '../../protocol/errors.js';

export const create =
  (daemon: Daemon): Handler<'create'> =>
  async (params) => {
    daemon.assertOpen();
    const present = params.name === undefined ? undefined : daemon.terminals.peek(params.name);
    if (present !== undefined) {
      if (!params.reuse) {
        throw new T4aError('name_taken', `There is a terminal ${quote(present.id)} already.`, {
          hint: `"reuse": true returns it; t4a kill ${present.id} ends it.`,
          field: 'name',
        });
      }
      if (present.alive) return describe(daemon.terminals.use(present.id));
      // What reuse asks for is a terminal that works: an exited one gives way.
      await daemon.remove(present);
    }
    return describe(spawnTerminal(daemon, params));
  };

function describe(terminal: { id: string; pid: number; screen: { cols: number; rows: number } }) {
  return { id: terminal.id, cols: terminal.screen.cols, rows: terminal.screen.rows, pid: terminal.pid };
}
