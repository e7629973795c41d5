/** Acts that are no input (an end, a restart, labels) on terminals that another name may have in control. */
import { quote, T4aError } from '../protocol/errors.js';
import type { Call } from '../rpc/service.js';
import type { Terminal } from './terminal.js';
import type { Terminals } from './terminals.js';

/** @throws T4aError control_held; not_allowed if an agent forces */
export function admitAct(terminals: Terminals, meant: readonly Terminal[], force: boolean, call: Call): void {
  if (force) refuseForceOfAgents(terminals, call);
  else for (const { input } of meant) input.gate?.admitAct(call);
}

/** `force` is for persons. A name that has control of a live terminal, or is in line for it, as an agent is none. @throws T4aError not_allowed */
export function refuseForceOfAgents(terminals: Terminals, { as, cmd }: Call): void {
  if (as === undefined) return;
  const place = terminals.all().find(({ alive, input }) => alive && input.gate?.isAgent(as) === true);
  if (place === undefined) return;
  const message = `"force" of "${cmd}" needs a person, and ${quote(as)} is an agent in terminal "${place.id}".`;
  throw new T4aError('not_allowed', message, { field: 'force', hint: 'Wait until the terminal is free.' });
}
