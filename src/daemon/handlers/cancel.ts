import type { Handler } from '../../rpc/service.js';

export const cancel =
  (): Handler<'cancel'> =>
  ({ of }, call) => ({ cancelled: call.cancel(of) });
