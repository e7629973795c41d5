import type { Handler } from '../../rpc/service.js';
import type { Core } from '../../features/core.js';

export const publish =
  (core: Core): Handler<'publish'> =>
  ({ name, data, warn }, { as }) => {
    if (warn === true) {
      core.bus.announce({ event: 'warning', code: 'client', message: `${name}: ${data}` });
      return { seq: core.bus.lastSeq };
    }
    core.bus.announce({ event: 'published', name, data, ...(as === undefined ? {} : { as }) });
    return { seq: core.bus.lastSeq };
  };
