import { protocolSchema } from '../../protocol/json-schema.js';
import type { Handler } from '../../rpc/service.js';

/** Made once: it takes some 25 ms, in which nobody else is answered. */
let made: Record<string, unknown> | undefined;

export const schema = (): Handler<'schema'> => () => ({ schema: (made ??= protocolSchema()) });
