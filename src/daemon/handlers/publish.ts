import type { Handler } from '../../rpc/service.js';
import type { Core } from '../core.js';

export const publish =
  (core: Core): Handler<'publish'> =>
  ({ name, data, warn }, { as }) => {
    if (warn === true) {
      core.bus.announce({ event: 'warning', code: 'client', message: `${name}: ${data}` });
      return { seq: core.bus.lastSeq };
    }
    announcePublished(core, { name, data, as });
    return { seq: core.bus.lastSeq };
  };

interface Published {
  readonly name: string;
  readonly data: string;
  readonly as: string | undefined;
}

/** @param cause see `EventBus.announce` */
export function announcePublished({ bus }: Core, { name, data, as }: Published, cause?: object): void {
  bus.announce({ event: 'published', name, data, ...(as === undefined ? {} : { as }) }, cause);
}
