/** `t4a crew presets` and `t4a crew trust`: which presets there are, and which of them a project trusts. */
import type { Preset } from '../../crew/preset.js';
import { T4aError, quote } from '../../protocol/errors.js';
import { formatTable } from '../output/table.js';
import { printable } from '../output/printable.js';
import type { Host } from '../host.js';
import type { Given } from './crew-given.js';

/** @throws T4aError `usage` */
export async function ensureTrust(preset: Preset, { options, host, crew: own }: Given): Promise<void> {
  if (own.isTrusted('agent', preset)) return;
  const what = `${programOf(preset)} in ${own.project}`;
  if (host.stdinIsTerminal && options.json !== true) {
    const question = `The preset ${quote(preset.name)} is not trusted here: ${printable(what)}. Trust it? [y/N] `;
    if (await saysYes(question, host)) return own.trust('agent', preset);
  }
  throw new T4aError(
    'usage',
    `The preset ${quote(preset.name)} is not trusted in ${quote(own.project)}: it was not started.`,
    {
      hint: `t4a crew trust ${/^[\w.-]+$/.test(preset.name) ? preset.name : JSON.stringify(preset.name)}`,
    },
  );
}

/** One key; all but y is no. */
function saysYes(question: string, host: Host): Promise<boolean> {
  return new Promise((resolve) => {
    const restoreKeys = host.keys((keys) => {
      restoreKeys();
      const isYes = keys === 'y' || keys === 'Y';
      host.note(isYes ? 'y\n' : 'n\n');
      resolve(isYes);
    });
    host.note(question);
  });
}

/** Broken ones are shown, and make no failure: the others can be used. */
export function showPresets({ options, host, crew: own }: Given): number {
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

export function changeTrust(given: Given): number {
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
