import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const shutdown =
  (daemon: Daemon): Handler<'shutdown'> =>
  async () => {
    try {
      const survivors = await daemon.shutdown();
      return survivors.length === 0 ? {} : { survivors };
    } finally {
      daemon.options.stop();
    }
  };
