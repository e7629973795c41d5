import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const publish =
  (daemon: Daemon): Handler<'publish'> =>
  ({ name, data }, { as }) => {
    daemon.bus.announce({ event: 'published', name, data, ...(as === undefined ? {} : { as }) });
    return { seq: daemon.bus.lastSeq };
  };
