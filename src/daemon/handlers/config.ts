import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const config =
  (daemon: Daemon): Handler<'config'> =>
  (params) => {
    const given = Object.entries(params).filter(([, value]) => value !== undefined);
    return { ...daemon.configure(Object.fromEntries(given)) };
  };
