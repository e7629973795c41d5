import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const config =
  (daemon: Daemon): Handler<'config'> =>
  ({ sources: wanted, ...params }) => {
    const given = Object.entries(params).filter(([, value]) => value !== undefined);
    const values = daemon.configure(Object.fromEntries(given));
    return wanted
      ? { ...values, sources: { ...daemon.configSources }, file: daemon.options.configFile }
      : { ...values };
  };
