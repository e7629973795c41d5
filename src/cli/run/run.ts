/** `t4a run`: standard input if it is asked for, output as it comes or at the end. */
import type { Client } from '../../client/client.js';
import { randomName } from '../../client/envelope.js';
import type { CallResult } from '../../client/connection.js';
import { isT4aError } from '../../protocol/errors.js';
import { MAX_RUN_LINES } from '../../protocol/limits.js';
import type { ParamsInput } from '../../protocol/registry.js';
import type { Fields, Invocation } from '../argv/invocation.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { refuseFar } from '../prepare/spawn.js';
import { StdinPipe } from './stdin-pipe.js';
import { isStreamed, runStreamed, runUnprinted } from './streamed-run.js';

/** @returns the reply; its lines are those that are not printed yet @throws T4aError; ClosedOutput */
export async function run(
  client: Client,
  invocation: Invocation,
  params: Fields,
  host: Host,
  bundles: LazyBundles,
): Promise<CallResult<'run'>> {
  if (invocation.options['stdin'] === true) refuseFar('--stdin', invocation.options);
  const pipe = invocation.options['stdin'] === true ? new StdinPipe(host.env) : undefined;
  const key = isStreamed(invocation, client) ? randomName() : undefined;
  // The table of flags was made from the very schema of these fields; the daemon checks the values.
  const request = { ...params, ...(pipe === undefined ? {} : { stdin: pipe.path }) } as ParamsInput<'run'>;
  const stopWatching = host.interrupted?.(() => interrupt(client, request, key));
  try {
    void pipe?.feed(host.stdin()).catch((error: unknown) => {
      host.note(`t4a: ${error instanceof Error ? error.message : String(error)}\n`);
    });
    const reply = await ran(client, invocation, request, { host, bundles, key });
    if (pipe === undefined && (await host.hasUnreadStdin?.()) === true) {
      host.note('t4a: Standard input was not passed on: the command reads its terminal. --stdin passes it on.\n');
    }
    return reply;
  } finally {
    stopWatching?.();
    pipe?.dispose();
  }
}

/**
 * SIGINT for the command, as from a terminal's Ctrl+C: its last output and its status are still to come.
 * @returns false where the terminal of the command is not known
 */
async function interrupt(client: Client, { id }: ParamsInput<'run'>, key: string | undefined): Promise<boolean> {
  const terminal = id ?? (key === undefined ? undefined : (await client.call('output', { run: key, max_bytes: 1 })).id);
  if (terminal === undefined) return false;
  const sigint = { id: terminal, signal: 'SIGINT' };
  try {
    await client.call('kill', sigint);
  } catch (error) {
    // Also where a person has taken its keyboard: no name holds up the end of one's own run. One in a given terminal is not ended so.
    if (id !== undefined || !isT4aError(error) || error.code !== 'control_held') throw error;
    await client.call('kill', { ...sigint, force: true });
  }
  return true;
}

async function ran(
  client: Client,
  invocation: Invocation,
  request: ParamsInput<'run'>,
  { host, bundles, key }: { readonly host: Host; readonly bundles: LazyBundles; readonly key: string | undefined },
): Promise<CallResult<'run'>> {
  if (invocation.options['json'] === true)
    return key === undefined ? client.call('run', request) : runUnprinted(client, { ...request, stream: key });
  if (key !== undefined)
    return {
      ...(await runStreamed(client, { ...request, stream: key }, host, bundles)),
      lines: [],
      omitted_lines: 0,
      lost_lines: 0,
    };
  return client.call('run', { max_lines: MAX_RUN_LINES, ...request });
}
