import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const publish =
  (daemon: Daemon): Handler<'publish'> =>
  ({ name, data, warn }, { as }) => {
    if (warn === true) {
      daemon.bus.announce({ event: 'warning', code: 'client', message: `${name}: ${data}` });
      return { seq: daemon.bus.lastSeq };
    }
    announcePublished(daemon, { name, data, as });
    return { seq: daemon.bus.lastSeq };
  };

interface Published {
  readonly name: string;
  readonly data: string;
  readonly as: string | undefined;
}

/** @param cause see `EventBus.announce` */
export function announcePublished({ bus }: Daemon, { name, data, as }: Published, cause?: object): void {
  bus.announce({ event: 'published', name, data, ...(as === undefined ? {} : { as }) }, cause);
}
