/** `t4a hosts`: the list of hosts and its routes. Lists the file; connects to nothing. */
import { T4aError, quote } from '../../protocol/errors.js';
import { formatTable } from '../output/table.js';
import { printable } from '../output/printable.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { absolutePath } from '../prepare/spawn.js';
import type { LocalCommand } from './local-command.js';

type Fleet = Awaited<ReturnType<LazyBundles['fleet']>>;
type Listed = ReturnType<Fleet['listedHosts']>[number];

export const hosts: LocalCommand = async ({ options, wordsBeforeDashes }, host, bundles) => {
  const {
    action = 'list',
    words = [],
    from,
  } = options as { action?: 'add' | 'rm' | 'list' | 'resolve'; words?: readonly string[]; from?: string };
  if (from !== undefined && (action !== 'add' || words.length > 0)) {
    throw new T4aError('usage', '"--from" belongs to "hosts add" without a name.');
  }
  const fleet = await bundles.fleet();
  if (action === 'list' || action === 'resolve') {
    if (words.length > (action === 'list' ? 0 : 1)) {
      throw new T4aError('usage', `"hosts ${action}" has an argument too many: ${quote(words.at(-1))}.`);
    }
    return show(
      fleet.listedHosts(words[0]),
      { action, asJson: options['json'] === true, globs: fleet.emptyGlobs },
      host,
    );
  }
  if (from === undefined && words.length === 0) throw new T4aError('usage', `"hosts ${action}" needs a name.`);
  const {
    names: changed,
    json,
    still,
  } = fleet.editHosts(
    from === undefined
      ? // After the action and the name.
        { do: action, words, isProgram: wordsBeforeDashes === 2 }
      : { do: 'import', path: absolutePath(from, host) },
  );
  if (options['json'] === true) {
    const more = { ...(json === undefined ? {} : { json: json.json }), ...(still.length === 0 ? {} : { still }) };
    host.out(`${JSON.stringify({ ok: true, hosts: changed, ...more })}\n`);
  } else for (const name of changed) host.out(`${printable(name)}\n`);
  for (const { name, route } of still) {
    host.note(`t4a: ${printable(quote(name))} still leads to a host, by a pattern of the list: ${printable(route)}\n`);
  }
  if (json?.changed === true) {
    host.note(`t4a: Commands print JSON from now on, as "output_format" says: "json" in ${printable(json.path)}.\n`);
  } else if (json !== undefined && json.json !== true) {
    host.note(`t4a: "output_format" is not taken over: ${printable(json.path)} has "json" already.\n`);
  }
  if (changed.length === 0) host.note('Nothing to change: the list has them already.\n');
  return 0;
};

interface Showing {
  readonly action: 'list' | 'resolve';
  readonly asJson: boolean;
  readonly globs: () => readonly string[];
}

function show(listed: readonly Listed[], { action, asJson, globs }: Showing, host: Host): number {
  const command = (one: Listed): readonly string[] => (one.carrier.kind === 'command' ? one.carrier.argv : []);
  if (asJson) {
    const all = listed.map((one) => ({
      name: one.name,
      route: one.url,
      ...(one.carrier.kind === 'command' ? { command: one.carrier.argv } : { path: one.carrier.path }),
    }));
    host.out(`${JSON.stringify({ ok: true, hosts: all })}\n`);
    return 0;
  }
  if (listed.length === 0) {
    const empty = globs();
    host.note(
      empty.length === 0
        ? 'No hosts. "t4a hosts add web1 ssh://me@web1" adds one.\n'
        : `No hosts: no socket is there for ${printable(empty.join(', '))}.\n`,
    );
    return 0;
  }
  const last = (one: Listed): string =>
    action === 'list' ? one.url : one.carrier.kind === 'socket' ? one.carrier.path : command(one).join(' ');
  const rows = listed.map((one) => [printable(one.name), printable(last(one))]);
  host.out(formatTable([['HOST', action === 'list' ? 'ROUTE' : 'OPENED BY'], ...rows], Number.POSITIVE_INFINITY));
  return 0;
}
