/** What a reply looks like, printed in a pipe or on a terminal. */
import { parseCommandLine } from '../../src/cli/argv/parse.js';
import { PRESENT, type Fields } from '../../src/cli/presenters.js';
import { surroundings, type FakeSurroundings } from './surroundings.js';

export interface Presented {
  readonly printed: string;
  readonly noted: string;
}

export interface Given {
  /** As sent, if that is not what the command line says. */
  readonly params?: Fields;
  readonly bytes?: Uint8Array;
  readonly where?: FakeSurroundings;
}

export async function presented(argv: readonly string[], reply: Fields, given: Given = {}): Promise<Presented> {
  const invocation = parseCommandLine(argv);
  if (invocation === undefined) throw new Error('no command');
  const { params = invocation.params, bytes, where = surroundings() } = given;
  await PRESENT[invocation.command.name]?.({ invocation, params, reply, bytes }, where);
  return { printed: where.printed(), noted: where.noted() };
}
