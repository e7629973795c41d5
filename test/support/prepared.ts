/** The request that a command line becomes, where no daemon has to be asked for it. */
import { parseCommandLine } from '../../src/cli/argv/parse.js';
import { PREPARE, type Fields } from '../../src/cli/presenters.js';
import type { Surroundings } from '../../src/cli/host.js';
import type { Client } from '../../src/client/client.js';
import { T4aError } from '../../src/protocol/errors.js';
import { surroundings } from './surroundings.js';

const NO_DAEMON = (): Promise<Client> => Promise.reject(new Error('nothing has to be asked first'));

export async function prepared(argv: readonly string[], where: Surroundings = surroundings()): Promise<Fields> {
  const invocation = parseCommandLine(argv);
  if (invocation === undefined) throw new Error('no command');
  const prepare = PREPARE[invocation.command.name];
  if (prepare === undefined) throw new Error(`${invocation.command.name} is sent as it is`);
  return prepare(invocation, where, NO_DAEMON);
}

/** `code | message | hint` */
export async function refusal(argv: readonly string[], where?: Surroundings): Promise<string> {
  const error: unknown = await prepared(argv, where).catch((reason: unknown) => reason);
  if (!(error instanceof T4aError)) throw new Error(`was taken: ${argv.join(' ')}`);
  return [error.code, error.message, error.details.hint].join(' | ');
}
