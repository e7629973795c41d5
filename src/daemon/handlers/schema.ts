import { protocolSchema } from '../../protocol/json-schema.js';
import type { Handler } from '../../rpc/service.js';

export const schema = (): Handler<'schema'> => () => ({ schema: protocolSchema() });
