/**
 * Commands that read wait first where they are told to, and leave a picture of what there is then. The request that reads
 * comes after: what is of one instant is what the commands that act observe.
 */
import type { Client } from '../client/client.js';
import type { CallArguments } from '../client/connection.js';
import type { Reply } from '../protocol/registry.js';
import { exitStatusOf } from './exit-status.js';
import type { Invocation } from './argv/parse.js';
import { presentTurn } from './present/turn.js';
import { formatOfFile } from './prepare/picture-file.js';
import { turnFields } from './prepare/turn.js';
import type { Fields } from './presenters.js';
import type { Surroundings } from './host.js';
import { writePicture } from './output/write-picture.js';

const READING: readonly string[] = ['text', 'grep', 'find', 'cursor', 'debug', 'screenshot'];

/** Whether there is anything to do before the request. */
export function looksFirst({ command, options }: Invocation): boolean {
  if (!READING.includes(command.name)) return false;
  return turnFields(options).wait !== undefined || typeof options['screenshot'] === 'string';
}

/** Where {@link looksFirst}. @returns the exit status of a wait that was not met, else 0: what is read is printed all the same */
export async function lookFirst(
  client: Client,
  { command, options }: Invocation,
  { id }: Fields,
  surroundings: Surroundings,
): Promise<number> {
  const { wait } = turnFields(options);
  const file = options['screenshot'];
  let status = 0;
  if (wait !== undefined) {
    // Made from the table, like every request; the daemon checks the values.
    const [request] = [{ id, ...(wait as Fields) }] as unknown as CallArguments<'wait'>;
    const reply: Reply<'wait'> = await client.call('wait', request);
    await presentTurn(
      { invocation: { command, options, params: {} }, params: {}, reply: { wait: reply }, bytes: undefined },
      surroundings,
    );
    status = exitStatusOf('wait', { ...reply }, surroundings);
  }
  if (typeof file === 'string') {
    const { bytes } = await client.call('screenshot', { id: String(id), ...pictureOptions(file) });
    if (bytes !== undefined) writePicture(file, bytes);
  }
  return status;
}

function pictureOptions(file: string) {
  return formatOfFile(file, '--screenshot') as { format?: 'png' };
}
