/** `t4a attach`: the arguments of a person at a terminal. */
import type { Hosts, Place } from '../../tty/attach/creation.js';
import { LOCAL } from '../../fleet/address.js';
import { T4aError } from '../../protocol/errors.js';
import { LAST_TERMINAL } from '../argv/commands.generated.js';
import type { Invocation } from '../argv/invocation.js';
import { askerOf } from '../asker.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { printable } from '../output/printable.js';
import { withPlace } from '../prepare/spawn.js';
import { withSettings } from '../settings.js';
import { hasHosts, type Target, targetOf } from '../target.js';
import type { LocalCommand } from './local-command.js';
import { userName } from './user-name.js';

export const attach: LocalCommand = async (given, host, bundles) => {
  checkTerminal('attach', 't4a view watches; t4a text and t4a press are for programs', host);
  const { invocation, daemon } = await targetOf(given, host, bundles);
  const { options } = invocation;
  const isHere = options['on'] === undefined;
  const {
    id = (isHere ? host.env['T4A_TERMINAL'] : undefined) || LAST_TERMINAL,
    read_only: isReadOnly = false,
    fit: fits = false,
    share: shares = false,
  } = options as { id?: string; read_only?: boolean; fit?: boolean; share?: boolean };
  if (fits && isReadOnly) throw new T4aError('usage', '"--fit" changes the size, and "--read-only" nothing.');
  const placeOf = (on: string | undefined, reached: Target['daemon']): Place => ({
    daemon: { ...reached, scope: askerOf(options, host).scope, as: author(options, host) },
    within: on === undefined ? within(host) : undefined,
    newTerminal: (fields) => {
      const { params } = withSettings({ ...invocation, params: { ...fields } }, host);
      return withPlace(params, { on }, host);
    },
  });
  const on = options['on'] as string | undefined;
  const hosts = hasHosts() ? await hostsOf(given, on, placeOf, host, bundles) : undefined;
  const { attach: run } = await bundles.attach();
  const { status, note } = await run({
    ...placeOf(on, daemon),
    host: on ?? hosts?.current,
    hosts,
    id,
    isReadOnly,
    shares,
    fits,
  });
  if (note !== '') host.note(`${printable(note)}\n`);
  return status;
};

/** @param hint for who has none @throws T4aError usage */
export function checkTerminal(command: string, hint: string, host: Host): void {
  if (!host.stdinIsTerminal || !host.stdoutIsTerminal)
    throw new T4aError('usage', `${command} needs a terminal to draw on and to read keys from.`, { hint });
  if (host.env['TERM'] === 'dumb')
    throw new T4aError('usage', `${command} needs a terminal that moves the cursor: $TERM is "dumb".`);
}

/** This machine, and the listed hosts. */
async function hostsOf(
  given: Invocation,
  current: string | undefined,
  placeOf: (on: string | undefined, reached: Target['daemon']) => Place,
  host: Host,
  bundles: LazyBundles,
): Promise<Hosts> {
  const { callersHosts } = await bundles.fleet();
  const { id: _id, socket, ...options } = given.options;
  return {
    current: current ?? LOCAL,
    names: () => [...new Set([LOCAL, ...callersHosts().routes.map(({ name }) => name)])],
    async at(name) {
      // The socket is that of this machine's daemon.
      const asked = { ...options, on: name, ...(name === LOCAL && socket !== undefined ? { socket } : {}) };
      const { invocation, daemon } = await targetOf({ ...given, options: asked }, host, bundles);
      return placeOf(invocation.options['on'] as string | undefined, daemon);
    },
  };
}

export function within({ env }: Host): { terminal: string; socketPath: string | undefined } | undefined {
  const terminal = env['T4A_TERMINAL'];
  return terminal ? { terminal, socketPath: env['T4A_SOCKET'] || undefined } : undefined;
}

/** A person has a name without giving one: that of the user. */
export function author(options: Readonly<Record<string, unknown>>, host: Host): string {
  return askerOf(options, host).as ?? userName(host.env);
}
