import { T4aError } from '../../protocol/errors.js';
import { sanitizeTitle } from '../../events/title.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { Call, Handler } from '../../rpc/service.js';
import { takersOf } from '../../rpc/takers.js';
import type { Asker, Step } from './control-state.js';
import { controlOf, type TerminalControl } from './terminal-control.js';
import { refuseForceOfAgents } from '../../terminal/admitted-act.js';
import type { Core } from '../core.js';
import { until } from '../../terminal/until.js';
import type { Terminal } from '../../terminal/terminal.js';

const AGENT_LEASE_MS = 60_000;

export const control =
  (core: Core): Handler<'control'> =>
  async (params, call) => {
    checkFields(params, call);
    const terminal = core.terminals.use(params.id, call, params.action !== 'show');
    if (params.action === 'show' && terminal.input.gate === undefined) return replyOf(terminal, undefined);
    if (params.action === 'take' && !terminal.alive) throw terminal.exitedError();
    const held = controlOf(terminal);
    if (params.force) refuseForceOfAgents(core.terminals, call);
    if (params.action === 'take') await take(terminal, held, params, call);
    else if (params.action !== 'show') answer(terminal, held, params, call);
    return replyOf(terminal, held);
  };

function wrong(field: string, message: string, hint: string): never {
  throw new T4aError('invalid_field', message, { field, hint });
}

/** @throws T4aError invalid_field */
function checkFields(params: Params<'control'>, { as }: Call): void {
  const { action, force, person } = params;
  if (action !== 'show' && as === undefined) {
    wrong(
      'as',
      `"${action}" of "control" needs a name: "as" of the request.`,
      'On the command line: --as NAME, or T4A_AS.',
    );
  }
  if (force && !person) wrong('force', '"force" of "control" goes with "person": true.', 'Only a person may force.');
  for (const field of Object.keys(ACTIONS_WITH) as (keyof typeof ACTIONS_WITH)[]) {
    const value = params[field];
    const actions: readonly string[] = ACTIONS_WITH[field];
    const isGiven = value !== undefined && value !== false && value !== 0;
    if (isGiven && !actions.includes(action)) {
      wrong(
        field,
        `"${field}" of "control" goes with ${actions.join(', ')}, not with ${action}.`,
        't4a control --help',
      );
    }
  }
}

const ACTIONS_WITH = {
  to: ['give', 'deny'],
  person: ['take'],
  reason: ['take'],
  note: ['release', 'give', 'deny'],
  lease_ms: ['take'],
  connected: ['take'],
  exclusive: ['take'],
  wait_ms: ['take'],
  force: ['take'],
} as const satisfies Partial<Record<keyof Params<'control'>, readonly Params<'control'>['action'][]>>;

/** @throws T4aError control_held; the signal's reason */
async function take(
  terminal: Terminal,
  control: TerminalControl,
  params: Params<'control'>,
  call: Call,
): Promise<void> {
  const { as = '', connection, signal } = call;
  const { person, force, exclusive, wait_ms: waitMs } = params;
  const leaseMs = params.lease_ms ?? (person ? undefined : AGENT_LEASE_MS);
  const reason = plain(params.reason);
  const owner = exclusive ? connection : undefined;
  const takers = takersOf(call);
  const step: Step = { kind: 'take', as, connection, owner, person, reason, leaseMs, force, waits: waitMs > 0, takers };
  const before = control.hold;
  const { outcome } = control.take(step);
  if (
    outcome === 'held' ||
    (outcome === 'requested' && !(await isGiven(terminal, control, { as, connection }, waitMs, signal)))
  ) {
    throw refusal(terminal, control, { as, connection });
  }
  const number = control.hold?.number ?? 0;
  if (outcome === 'requested') control.take(step);
  if (params.connected || exclusive) control.tieTo(connection);
  // What another name has begun to type comes first, whole.
  if (before?.number !== number) {
    try {
      await until<void>(signal, ({ resolve, reject }) => {
        void terminal.input.betweenRequests().then(resolve, reject);
      });
    } catch (error) {
      control.take({ kind: 'end', number, cause: 'gone' });
      throw error;
    }
  }
  if (control.hold?.number !== number) throw refusal(terminal, control, { as, connection });
}

/** Waits in line. What asks a person stays in line after the deadline. @throws the signal's reason */
async function isGiven(
  terminal: Terminal,
  control: TerminalControl,
  asker: Asker,
  waitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { as } = asker;
  const isInLine = (): boolean => control.state.requests.some((request) => request.as === as);
  try {
    if (waitMs > 0) {
      await until<void>(signal, ({ resolve }, scope) => {
        const check = (): void => void (isInLine() || resolve());
        scope.add(control.onStep(check));
        scope.add(terminal.clock.after(waitMs, () => resolve()));
        scope.add(
          terminal.feed.add({
            onExit: () => resolve(),
            onEvent: ({ event }) => void (event === 'removed' && resolve()),
          }),
        );
        check();
      });
    }
  } finally {
    if (isInLine() && (signal.aborted || control.hold?.person !== true)) control.take({ kind: 'withdraw', as });
  }
  return control.isHeldBy(asker);
}

function refusal(terminal: Terminal, control: TerminalControl, asker: Asker): T4aError {
  const { as } = asker;
  const { hold, requests } = control.state;
  if (!terminal.alive) return terminal.exitedError();
  if (hold === undefined || control.isHeldBy(asker)) {
    return new T4aError('control_held', `Control of terminal "${terminal.id}" has changed hands in the meantime.`, {
      hint: `t4a control ${terminal.id} show`,
    });
  }
  if (!requests.some((request) => request.as === as)) return control.heldError(hold, 'nothing was taken');
  const { message } = control.heldError(hold, `the request of ${as} is in line`);
  return new T4aError('control_held', message, { hint: `t4a wait ${terminal.id} --control mine --as ${as}` });
}

/** @throws T4aError not_holder */
function answer(
  terminal: Terminal,
  control: TerminalControl,
  params: Params<'control'>,
  { as = '', connection }: Call,
): void {
  const { to } = params;
  const steps: Record<'release' | 'give' | 'deny', Step> = {
    release: { kind: 'release', as, connection },
    give: { kind: 'give', as, connection, to },
    deny: { kind: 'deny', as, connection, to },
  };
  const { outcome } = control.take(steps[params.action as keyof typeof steps], plain(params.note));
  if (outcome === 'not_holder') throw notHolder(terminal, control, as);
  if (outcome === 'no_request') throw noRequest(terminal, to);
}

function notHolder({ id }: Terminal, { holder }: TerminalControl, as: string): T4aError {
  const where = holder === as ? ', on a connection of its own' : '';
  const who = holder === undefined ? 'no name has' : `${holder} has${where}`;
  return new T4aError('not_holder', `${as} does not have control of terminal "${id}": ${who}.`, {
    hint: `t4a control ${id} show`,
  });
}

function noRequest({ id }: Terminal, to: string | undefined): T4aError {
  const who = to === undefined ? 'No name asks' : `${to} does not ask`;
  return new T4aError('invalid_field', `${who} for control of terminal "${id}".`, {
    field: 'to',
    hint: `t4a control ${id} show`,
  });
}

/** One line, which is shown to others. */
const plain = (text: string | undefined): string | undefined => (text === undefined ? undefined : sanitizeTitle(text));

function replyOf({ screen, input }: Terminal, control: TerminalControl | undefined): Reply<'control'> {
  return {
    holder: control?.claimant ?? null,
    hold: control?.hold?.number ?? null,
    requests: control?.requests ?? [],
    expires_in_ms: control?.leftMs ?? null,
    rev: screen.rev,
    inputs: input.inputs,
  };
}
