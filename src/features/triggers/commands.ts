import { quote, T4aError } from '../../protocol/errors.js';
import type { Call, Handler } from '../../rpc/service.js';
import { takersOf } from '../../rpc/takers.js';
import type { StandingEntries } from '../rules/standing-entries.js';
import type { ActingCore } from '../acting/acting-core.js';
import { parseKeys } from '../../terminal/input/keyboard.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { Trigger, TriggerParams } from './trigger.js';
import type { Act } from './actions.js';
import type { Triggers } from './triggers.js';
import { admitAct } from '../../terminal/admitted-act.js';

export const trigger =
  (core: ActingCore, triggers: Triggers, act: Act): Handler<'trigger'> =>
  async ({ id, with_connection: withConnection, ...params }, call) => {
    checkTrigger(params, call.as);
    const terminal = core.terminals.use(id, call);
    const entries = await entriesFor(core, terminal, [params]);
    if (!terminal.alive) throw terminal.exitedError();
    // What it does later would be refused then, or, once the connection is gone, would not be.
    if (params.do.some(actsOnTerminal)) terminal.input.gate?.admitAct(call);
    const made = triggers.add(
      {
        terminal,
        params,
        as: call.as,
        connection: call.connection,
        scope: call.scope,
        takers: takersOf(call),
        isRequested: true,
        openEntry: entries?.open,
        act,
      },
      withConnection,
    );
    const warning = params.when
      .map(({ entry }) => (entry === undefined ? undefined : entries?.hindrance(entry.kind)))
      .find((each) => each !== undefined);
    return { trigger: made.number, ...(warning === undefined ? {} : { warning }) };
  };

/** The other actions only speak, or make a terminal of their own. */
const ON_TERMINAL = ['press', 'type', 'paste', 'deliver', 'label', 'restart', 'kill'] as const;

function actsOnTerminal(action: TriggerParams['do'][number]): boolean {
  return ON_TERMINAL.some((kind) => action[kind] !== undefined);
}

/** For triggers with a condition on entries; undefined if there is none. */
export async function entriesFor(
  core: ActingCore,
  terminal: Terminal,
  triggers: readonly Pick<TriggerParams, 'when'>[],
): Promise<StandingEntries | undefined> {
  if (!triggers.some(({ when }) => when.some(({ entry }) => entry !== undefined))) return undefined;
  return (await core.rules.load()).standingEntries(terminal);
}

export const triggers =
  (core: ActingCore, all: Triggers): Handler<'triggers'> =>
  ({ id }, call) => {
    const terminal = id === undefined ? undefined : core.terminals.use(id, call);
    return {
      triggers: all.of(terminal).map(({ number, terminal: own, params, as, state, fired, lastTs, lastError }) => ({
        trigger: number,
        id: own.id,
        name: params.name ?? null,
        as: as ?? null,
        when: [...params.when],
        do: [...params.do],
        once: params.once,
        reading: params.reading,
        ...(params.anywhere ? { anywhere: true } : {}),
        state,
        fired,
        last_ts: lastTs,
        last_error: lastError,
      })),
    };
  };

export const untrigger =
  (core: ActingCore, all: Triggers): Handler<'untrigger'> =>
  ({ trigger: number, force }, call) => {
    const found = all.find(number);
    assertOwn(found, call);
    const isOwn = found.as !== undefined && found.as === call.as;
    if (!isOwn) admitAct(core.terminals, [found.terminal], force, call);
    all.remove(number);
    return {};
  };

/** A restricted connection passes on the requests of others: it removes what their author has made, and nothing else. */
function assertOwn({ title, as }: Trigger, { restriction, as: asker }: Call): void {
  if (restriction === undefined || restriction.reach === 'admin' || (as !== undefined && as === asker)) return;
  const maker = as === undefined ? 'a request without a name' : quote(as);
  throw new T4aError('not_allowed', `${title} was made by ${maker}: a restricted connection removes only its own.`, {
    field: 'trigger',
    hint: 'Its own are those of the same "as".',
  });
}

/** @throws T4aError invalid_field, unknown_key */
export function checkTrigger({ when, do: actions, reading }: TriggerParams, as: string | undefined): void {
  for (const { press } of actions) if (press !== undefined) parseKeys([press].flat(), 'do');
  if (as === undefined && actions.some(({ ask }) => ask !== undefined)) {
    throw new T4aError('invalid_field', 'The action "ask" needs a name: "as" of the request.', {
      field: 'as',
      hint: 'On the command line: --as NAME, or T4A_AS.',
    });
  }
  if (!reading || when.every(({ text, regex }) => text !== undefined || regex !== undefined)) return;
  throw new T4aError('invalid_field', '"reading" goes with the conditions "text" and "regex" alone.', {
    field: 'reading',
    hint: 'Leave it out: keys wait for the program in any case.',
  });
}
