/** The calls of a client, with the signal as an argument of its own: what watches a terminal asks so, in browsers too. */
import type { CommandName, ParamsInput } from '../protocol/registry.js';
import type { CallArguments, CallName, CallResult, DaemonConnection } from './connection.js';

/** @param client a connection, or what has its calls */
export function sendBy(client: Pick<DaemonConnection, 'call'>) {
  return <Name extends CallName & CommandName>(
    cmd: Name,
    params: ParamsInput<Name>,
    signal?: AbortSignal,
  ): Promise<CallResult<Name>> => client.call(cmd, ...([params, { signal }] as CallArguments<Name>));
}
