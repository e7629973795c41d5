import { protocolSchema } from '../../protocol/json-schema.js';
import type { Handler } from '../../rpc/service.js';

/** Created once: it takes some 25 ms, in which no other request is served. */
let made: Record<string, unknown> | undefined;

export const schema = (): Handler<'schema'> => () => ({ schema: (made ??= protocolSchema()) });
