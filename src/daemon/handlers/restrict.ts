import { UNRESTRICTED } from '../../rpc/restriction.js';
import type { Handler } from '../../rpc/service.js';

/** It holds since its line was read, before any other request of the connection could overtake it (rpc/dispatch.ts). */
export const restrict =
  (): Handler<'restrict'> =>
  (_params, { restriction = UNRESTRICTED }) => ({ ...restriction });
