/** `list --all` and `events --all`: this machine and all listed hosts; `--on 'gpu-*'`: those of that pattern. */
import { T4aError } from '../../protocol/errors.js';
import type { Invocation } from '../argv/invocation.js';
import { askerOf, meantByMine } from '../asker.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { printable } from '../output/printable.js';
import { settingOf } from '../settings.js';
import { isOfAll, noteAliases, noteUnreachable, presentTerminalsOfAll } from './tables.js';

type HostList = Awaited<ReturnType<Awaited<ReturnType<LazyBundles['fleet']>>['callersHostsNow']>>;

/** Longest wait for one host: the first answer over ssh takes most of a second. */
const HOST_TIMEOUT_MS = 12_000;

/** @returns the exit status @throws T4aError */
export async function executeOnAll(invocation: Invocation, host: Host, bundles: LazyBundles): Promise<number> {
  const { command, options, params } = invocation;
  const pattern = options['on'] as string | undefined;
  if (pattern !== undefined && options['all'] === true)
    throw new T4aError('usage', '"--all" and "--on" name different hosts.');
  const { eventsOfAll, listAll } = await bundles.fleet();
  const socketPath = settingOf('socket', options['socket'], host).value as string | undefined;
  const meant = await hostsMeant(pattern, bundles);
  const asked = { ...askerOf(options, host), socketPath, timeoutMs: HOST_TIMEOUT_MS, ...meant };
  if (command.name === 'events') {
    const { ack: _ack, since, terminal, ...filter } = params;
    if (since !== undefined || terminal !== undefined) {
      throw new T4aError(
        'usage',
        'Of several hosts "events" takes no terminal and no "--since": each host has its own.',
      );
    }
    for await (const line of eventsOfAll(meant.hosts, filter, asked)) host.out(`${JSON.stringify(line)}\n`);
    throw new T4aError('connection_lost', 'No host is reached any more: no event follows.');
  }
  const { terminals, unreachable, aliases } = await listAll(meant.hosts, meantByMine(params, options, host), asked);
  if (options['json'] === true)
    host.out(`${JSON.stringify({ ok: true, terminals, unreachable, ...(aliases.length === 0 ? {} : { aliases }) })}\n`);
  else {
    const ofAll = isOfAll(params, options);
    presentTerminalsOfAll(terminals, { isLong: options['long'] === true, ofAll, color: options['color'] }, host);
    noteUnreachable(unreachable, host);
    noteAliases(aliases, host);
  }
  return unreachable.length === 0 ? 0 : 1;
}

/** `create` and `run` with `--on 'gpu-*'`: on one host of the pattern. @throws T4aError */
export async function onOneOf(
  pattern: string,
  given: Invocation,
  host: Host,
  bundles: LazyBundles,
): Promise<Invocation> {
  const { hostForTerminal } = await bundles.fleet();
  const socketPath = settingOf('socket', given.options['socket'], host).value as string | undefined;
  const meant = await hostsMeant(pattern, bundles);
  const asked = { ...askerOf(given.options, host), socketPath, timeoutMs: HOST_TIMEOUT_MS, ...meant };
  const name = await hostForTerminal(meant.hosts, asked);
  host.note(`t4a: ${printable(name)}\n`);
  // Of a fleet that is not listed: by its route.
  const on = meant.isElsewhere ? meant.hosts.find(name).url : name;
  return { ...given, options: { ...given.options, on } };
}

/** Hosts that are meant by a pattern of names, or by the URL of a fleet. */
async function hostsMeant(
  pattern: string | undefined,
  bundles: LazyBundles,
): Promise<{ readonly hosts: HostList; readonly isElsewhere: boolean; readonly pattern: string | undefined }> {
  const { callersHostsNow, hostsOfUrl, natsFleet } = await bundles.fleet();
  const fleet = pattern === undefined ? undefined : natsFleet(pattern);
  if (fleet === undefined) return { hosts: await callersHostsNow(), isElsewhere: false, pattern };
  return { hosts: await hostsOfUrl(fleet), isElsewhere: true, pattern: undefined };
}
