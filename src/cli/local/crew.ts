/** `t4a crew`: presets of agents and processes, and which of them a project trusts. */
import type { Preset, PresetKind } from '../../crew/preset.js';
import { T4aError, quote } from '../../protocol/errors.js';
import { formatTable } from '../output/table.js';
import { printable } from '../output/printable.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { absolutePath } from '../prepare/spawn.js';
import type { LocalCommand } from './local-command.js';

type CrewOf = InstanceType<Awaited<ReturnType<LazyBundles['crew']>>['Crew']>;

interface Given {
  readonly words: readonly string[];
  readonly options: CrewOptions;
  readonly host: Host;
  readonly crew: CrewOf;
}

interface CrewOptions {
  readonly json?: boolean;
  readonly kind?: PresetKind;
  readonly list?: boolean;
  readonly revoke?: string;
}

interface Action {
  /** Most arguments after the action. */
  readonly words: number;
  readonly flags: readonly (keyof CrewOptions)[];
  run(given: Given): number | Promise<number>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  presets: { words: 0, flags: [], run: showPresets },
  trust: { words: 1, flags: ['kind', 'list', 'revoke'], run: changeTrust },
};

const FLAGS = ['kind', 'list', 'revoke'] as const satisfies readonly (keyof CrewOptions)[];

export const crew: LocalCommand = async ({ options }, host, bundles) => {
  const { action = '', words = [], ...flags } = options as { action?: string; words?: readonly string[] } & CrewOptions;
  const chosen = ACTIONS[action];
  if (chosen === undefined) throw new T4aError('usage', `There is no "crew ${action}".`);
  const extra = words[chosen.words];
  if (extra !== undefined) throw new T4aError('usage', `"crew ${action}" has an argument too many: ${quote(extra)}.`);
  const wrong = FLAGS.find((flag) => flags[flag] !== undefined && !chosen.flags.includes(flag));
  if (wrong !== undefined) throw new T4aError('usage', `"--${wrong}" does not go with "crew ${action}".`);
  const { Crew } = await bundles.crew();
  return chosen.run({ words, options: flags, host, crew: new Crew(host.env, absolutePath('.', host)) });
};

/** Broken ones are shown, and make no failure: the others can be used. */
function showPresets({ options, host, crew: own }: Given): number {
  const presets = own.presets();
  if (options.json === true) {
    const all = presets.map(({ kind, name, path, preset, error }) => ({
      kind,
      name,
      file: path ?? null,
      ...(preset === undefined ? { error } : { trusted: own.isTrusted(kind, preset), preset }),
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
  for (const { error } of presets) if (error !== undefined) host.note(`t4a: ${printable(error)}\n`);
  return 0;
}

function changeTrust(given: Given): number {
  const { words, options, host, crew: own } = given;
  const [name] = words;
  const { kind, revoke, json } = options;
  const asked = [name !== undefined, revoke !== undefined, options.list === true].filter(Boolean).length;
  if (asked > 1) throw new T4aError('usage', '"crew trust" takes one of a name, "--revoke" and "--list".');
  if (name === undefined && revoke === undefined) return showTrust(given);
  if (revoke !== undefined) {
    if (!own.revoke(revoke, kind))
      throw new T4aError('usage', `${quote(revoke)} is not trusted in ${quote(own.project)}.`);
    host.out(json === true ? `${JSON.stringify({ ok: true, revoked: revoke })}\n` : `${printable(revoke)}\n`);
    return 0;
  }
  const found = own.presetNamed(name ?? '', kind);
  own.trust(found.kind, found.preset);
  const line = `${found.kind} ${found.preset.name}: ${programOf(found.preset)}`;
  host.out(json === true ? `${JSON.stringify({ ok: true, ...found })}\n` : `${printable(line)}\n`);
  return 0;
}

function showTrust({ options, host, crew: own }: Given): number {
  const { presets, problem } = own.trusted();
  const shown = presets.filter(({ kind }) => options.kind === undefined || kind === options.kind);
  if (problem !== undefined) host.note(`t4a: ${printable(problem)}\n`);
  if (options.json === true) {
    const all = shown.map(({ kind, name, state }) => ({ kind, name, state }));
    host.out(`${JSON.stringify({ ok: true, project: own.project, presets: all })}\n`);
    return 0;
  }
  if (shown.length === 0) {
    host.note(`Nothing is trusted in ${printable(own.project)}. "t4a crew trust NAME" trusts a preset.\n`);
    return 0;
  }
  const rows = shown.map(({ kind, name, state, preset }) => [
    kind,
    name,
    state,
    preset === undefined ? '' : programOf(preset),
  ]);
  host.out(formatTable([['KIND', 'NAME', 'STATE', 'PROGRAM'], ...rows], host.columns() ?? Number.POSITIVE_INFINITY));
  return 0;
}

function programOf({ argv }: Preset): string {
  return argv.join(' ');
}
