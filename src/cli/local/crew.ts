/** `t4a crew`: presets of agents and processes. */
import { T4aError, quote } from '../../protocol/errors.js';
import { formatTable } from '../output/table.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import type { LocalCommand } from './local-command.js';

type Crew = Awaited<ReturnType<LazyBundles['crew']>>;

type Action = (words: readonly string[], given: Given) => number | Promise<number>;

interface Given {
  readonly options: Readonly<Record<string, unknown>>;
  readonly host: Host;
  readonly crew: Crew;
}

export const crew: LocalCommand = async ({ options }, host, bundles) => {
  const { action, words = [] } = options as { action: keyof typeof ACTIONS; words?: readonly string[] };
  return ACTIONS[action](words, { options, host, crew: await bundles.crew() });
};

const ACTIONS = { presets: showPresets } as const satisfies Record<string, Action>;

/** Broken ones are shown, and make no failure: the others can be used. */
function showPresets(words: readonly string[], { options, host, crew: { presetsFor } }: Given): number {
  takeWords('presets', words, 0);
  const presets = presetsFor(host.env);
  if (options['json'] === true) {
    const all = presets.map(({ kind, name, path, preset, error }) => ({
      kind,
      name,
      file: path ?? null,
      ...(preset === undefined ? { error } : { preset }),
    }));
    host.out(`${JSON.stringify({ ok: true, presets: all })}\n`);
    return 0;
  }
  const rows = presets.map(({ kind, name, path, preset }) => [
    kind,
    name,
    path === undefined ? 'shipped' : 'yours',
    preset === undefined ? 'broken' : preset.argv.join(' '),
  ]);
  host.out(formatTable([['KIND', 'NAME', 'FROM', 'PROGRAM'], ...rows], host.columns() ?? Number.POSITIVE_INFINITY));
  for (const { error } of presets) if (error !== undefined) host.note(`t4a: ${error}\n`);
  return 0;
}

/** @throws T4aError `usage` */
function takeWords(action: string, words: readonly string[], most: number): void {
  if (words.length <= most) return;
  throw new T4aError('usage', `"crew ${action}" has an argument too many: ${quote(words[most])}.`);
}
