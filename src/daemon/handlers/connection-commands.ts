/** Small commands about a connection, and what it says to others. */
import type { Core } from '../../features/core.js';
import { UNRESTRICTED } from '../../rpc/restriction.js';
import type { Handler } from '../../rpc/service.js';

export const cancel =
  (): Handler<'cancel'> =>
  ({ of }, call) => ({ cancelled: call.cancel(of) });

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

/** Restriction of a connection. It holds since its line was read, before any other request could overtake it (rpc/dispatch.ts). */
export const restrict =
  (): Handler<'restrict'> =>
  (_params, { restriction: { reach, person } = UNRESTRICTED }) => ({ reach, person });
