/** Client's words about itself: with each request since 2026-07-28, before that once, in the handshake. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

export function nameOfClient(server: Server, context: ServerContext): string | undefined {
  return (saidWith(context)[CLIENT_INFO_META_KEY] ?? server.getClientVersion())?.name;
}

/** Whether the client shows forms. Before there were other modes, an empty object said so. */
export function showsForms(server: Server, context: ServerContext): boolean {
  const { elicitation } = saidWith(context)[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

interface SaidOfItself {
  readonly [CLIENT_INFO_META_KEY]?: Implementation;
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
}

/** The SDK has checked it, but types it as an empty object. */
function saidWith({ mcpReq }: ServerContext): SaidOfItself {
  return mcpReq.envelope ?? {};
}
