/** What a reply looks like, printed in a pipe or on a terminal. */
import { parseCommandLine } from '../../src/cli/argv/parse.js';
import type { Fields } from '../../src/cli/argv/invocation.js';
import type { Answer } from '../../src/cli/present/presenter.js';
import { presenterOf } from '../../src/cli/present/presenters.js';
import { host, type FakeHost } from './host.js';

export interface Presented {
  readonly printed: string;
  readonly noted: string;
}

export interface Given {
  /** As sent, if that is not what the command line says. */
  readonly params?: Fields;
  readonly bytes?: Uint8Array;
  readonly where?: FakeHost;
}

export async function presented(argv: readonly string[], reply: Fields, given: Given = {}): Promise<Presented> {
  const invocation = parseCommandLine(argv);
  if (invocation === undefined) throw new Error('no command');
  const { params = invocation.params, bytes, where = host() } = given;
  const answer = { invocation, params, reply, bytes } as unknown as Answer;
  await presenterOf(invocation.command)(answer, where);
  return { printed: where.printed(), noted: where.noted() };
}
