import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const shutdown =
  (daemon: Daemon): Handler<'shutdown'> =>
  async () => {
    try {
      const orphans = await daemon.shutdown();
      return orphans.length === 0 ? {} : { survivors: orphans };
    } finally {
      daemon.options.stop();
    }
  };
