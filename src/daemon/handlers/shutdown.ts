import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const shutdown =
  (daemon: Daemon): Handler<'shutdown'> =>
  async () => {
    await daemon.shutdown();
    daemon.options.stop();
    return {};
  };
