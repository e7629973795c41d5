/** The request that a command line becomes, without a daemon. */
import type { Fields } from '../../src/cli/argv/invocation.js';
import { parseCommandLine } from '../../src/cli/argv/parse.js';
import { prepare } from '../../src/cli/prepare/prepare.js';
import type { Host } from '../../src/cli/host.js';
import type { Client } from '../../src/client/client.js';
import { T4aError } from '../../src/protocol/errors.js';
import { host } from './host.js';

/** Every terminal that is asked for exists. */
const ASKED = (): Promise<Client> => Promise.resolve({ call: () => Promise.resolve({}) } as unknown as Client);

export async function prepared(argv: readonly string[], where: Host = host()): Promise<Fields> {
  const invocation = parseCommandLine(argv);
  if (invocation === undefined) throw new Error('no command');
  return prepare(invocation, where, ASKED);
}

/** `code | message | hint` */
export async function refusal(argv: readonly string[], where?: Host): Promise<string> {
  const error: unknown = await prepared(argv, where).catch((reason: unknown) => reason);
  if (!(error instanceof T4aError)) throw new Error(`was taken: ${argv.join(' ')}`);
  return [error.code, error.message, error.details.hint].join(' | ');
}
