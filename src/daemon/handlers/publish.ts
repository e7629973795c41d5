import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const publish =
  (daemon: Daemon): Handler<'publish'> =>
  ({ name, data, warn }, { as }) => {
    if (warn === true) {
      daemon.bus.announce({ event: 'warning', code: 'client', message: `${name}: ${data}` });
      return { seq: daemon.bus.lastSeq };
    }
    daemon.bus.announce({ event: 'published', name, data, ...(as === undefined ? {} : { as }) });
    return { seq: daemon.bus.lastSeq };
  };
