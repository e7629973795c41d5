import { T4aError } from '../../protocol/errors.js';
import type { Params } from '../../protocol/registry.js';
import type { Call, Handler } from '../../rpc/service.js';
import type { ActingCore } from './acting-core.js';
import type { Terminal } from '../../terminal/terminal.js';
import { terminalsWhere } from '../../terminal/where.js';
import { waitAndObserve } from '../reading/turn.js';
import { waitPublished } from './wait-published.js';

export const wait =
  (core: ActingCore): Handler<'wait'> =>
  async (params, call) => {
    const { id, where } = params;
    if (id === undefined && where === undefined && params.observe === undefined) {
      return { reply: await waitPublished(core, params, call) };
    }
    if ((id === undefined) === (where === undefined)) {
      throw new T4aError('invalid_field', 'Exactly one of "id" and "where" of "wait" is needed.', {
        field: 'id',
        hint: 'Name the terminal, or "@" for the one used last.',
      });
    }
    if (id !== undefined) return waitFor(core, core.terminals.use(id, call), params, call);
    const meant = terminalsWhere(core.terminals, where ?? {}).filter(({ alive }) => alive);
    if (meant.length > 0) return firstOf(core, meant, params, call);
    throw new T4aError('terminal_not_found', 'No terminal that is alive is meant by "where".', { hint: 't4a list' });
  };

type WaitAnswer = Awaited<ReturnType<typeof waitFor>>;

async function waitFor(
  core: ActingCore,
  terminal: Terminal,
  { id: _id, where: _where, observe, ...params }: Params<'wait'>,
  call: Call,
) {
  const { wait: outcome, reply, ...drawn } = await waitAndObserve(core, terminal, params, observe, call);
  const warning = outcome.outcome === 'timeout' ? await lackOfEntries(core, terminal, params) : undefined;
  return { reply: { ...outcome, ...(warning === undefined ? {} : { warning }), ...reply }, ...drawn };
}

async function lackOfEntries(
  core: ActingCore,
  terminal: Terminal,
  { until, fail = [] }: Omit<Params<'wait'>, 'id' | 'where' | 'observe'>,
): Promise<string | undefined> {
  if (![...until, ...fail].some(({ event }) => event === 'entry')) return undefined;
  return (await (await core.rules.load()).standingEntries(terminal)).hindrance();
}

/** Outcomes that say nothing of the other terminals. */
const UNDECIDED: ReadonlySet<string> = new Set(['timeout', 'exited']);

/** The first that is met or failed, else the last of all. The other waits end with it. */
async function firstOf(
  core: ActingCore,
  terminals: readonly Terminal[],
  params: Params<'wait'>,
  call: Call,
): Promise<WaitAnswer & { reply: { id: string } }> {
  const rest = new AbortController();
  const signal = AbortSignal.any([call.signal, rest.signal]);
  let left = terminals.length;
  try {
    return await new Promise((resolve, reject) => {
      for (const terminal of terminals) {
        waitFor(core, terminal, params, { ...call, signal }).then((answer) => {
          const isLast = --left === 0;
          if (isLast || !UNDECIDED.has(answer.reply.outcome)) {
            resolve({ ...answer, reply: { id: terminal.id, ...answer.reply } });
          }
        }, reject);
      }
    });
  } finally {
    rest.abort();
  }
}
