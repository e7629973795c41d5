import { T4aError } from '../../protocol/errors.js';
import type { WireEntry } from '../../protocol/entry.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { Activity, Past } from './activity.js';
import type { Checked } from './check-rules.js';
import { wireEntry } from './wire-entry.js';
import type { Core } from '../core.js';
import type { RulesInUse } from './rules-in-use.js';
import { loggedOf, placeOf } from '../past/log-of.js';
import type { Terminal } from '../../terminal/terminal.js';

export const rules =
  (core: Core, inUse: RulesInUse): Handler<'rules'> =>
  async (params, call) => {
    core.assertOpen();
    assertFields(params);
    const activity = inUse.activity();
    const { action, rules: text, name, profile } = params;
    const given = text === undefined ? undefined : await activity.parse(name, text, call.signal);
    // Only now: it may have ended meanwhile.
    const changes = action === 'set' || action === 'apply';
    const terminal = params.terminal === undefined ? undefined : core.terminals.use(params.terminal, call, changes);
    if (action === 'check' && given !== undefined && terminal !== undefined) {
      await terminal.settle();
      const past = params.from === undefined ? undefined : pastOf(terminal, params.from);
      const found = await activity.check(given, terminal, profile, call.signal, past);
      return { ...describe(activity, inUse, terminal), ...(found === undefined ? { entries: [] } : wireCheck(found)) };
    }
    if (action === 'set') set(activity, params, given, terminal);
    if (action === 'apply' && terminal !== undefined) {
      if (params.from === undefined) activity.apply(terminal);
      else {
        const corrections = await replayed(activity, terminal, params, call.signal);
        return { ...describe(activity, inUse, terminal), corrections };
      }
    }
    const source = params.with_text ? { text: activity.source ?? null } : {};
    return { ...describe(activity, inUse, terminal), ...source };
  };

function wireCheck({ entries, snapshot, differences }: Checked): Partial<Reply<'rules'>> {
  return {
    entries: entries.map((entry) => ({ ...wireEntry(entry), row: entry.row, cells: [...entry.cells] })),
    snapshot: { ...snapshot, lines: [...snapshot.lines] },
    differences: differences.map(({ change, entry: { id, kind, rule, data } }) => {
      return { change, id, kind, rule, text: textOf(data) };
    }),
  };
}

function textOf({ text }: WireEntry['data']): string {
  return typeof text === 'string' ? text : '';
}

async function replayed(
  activity: Activity,
  terminal: Terminal,
  { profile, from = START }: Params<'rules'>,
  signal: AbortSignal,
): Promise<number> {
  if (profile !== undefined) activity.assertProfile(profile);
  await terminal.settle();
  return activity.replay(terminal, profile, pastOf(terminal, from), signal);
}

function pastOf(terminal: Terminal, from: string | number): Past {
  const { log } = loggedOf(terminal, 'from');
  return { log, fromRev: from === START ? 0 : placeOf(terminal, from, 'from').rev };
}

/** All that is kept, whether or not that is all there was. */
const START = 'start';

function set(
  activity: Activity,
  { if_version: ifVersion, profile, rules: text }: Params<'rules'>,
  given: Awaited<ReturnType<Activity['parse']>> | undefined,
  terminal: Terminal | undefined,
): void {
  if (ifVersion !== undefined && ifVersion !== activity.version) {
    throw new T4aError('rules_changed', `The rules have version ${activity.version}, not ${ifVersion}.`, {
      hint: 't4a rules',
    });
  }
  const isGiven = given?.profiles.some(({ id }) => id === profile) === true;
  if (profile !== undefined && !isGiven) activity.assertProfile(profile);
  if (given !== undefined && text !== undefined) activity.set(given, text);
  if (terminal !== undefined) activity.watch(terminal, profile);
}

function assertFields({ action, rules: text, terminal, profile, from, with_text: asked }: Params<'rules'>): void {
  if (action === 'check' && text === undefined) refuse('rules', 'is missing: "check" reads it');
  if (action === 'set' && text === undefined && terminal === undefined)
    refuse('rules', 'is missing, and so is "terminal"');
  if (text !== undefined && action !== 'check' && action !== 'set') refuse('rules', 'goes with "check" and "set"');
  if (action === 'apply' && terminal === undefined) refuse('terminal', 'is missing: "apply" reads that terminal again');
  if (from !== undefined && action !== 'apply' && (action !== 'check' || terminal === undefined))
    refuse('from', 'goes with "apply", and with "check" of a terminal');
  if (asked && action !== 'show') refuse('with_text', 'goes with "show"');
  if (profile !== undefined && terminal === undefined) refuse('profile', 'goes with "terminal"');
}

function refuse(field: string, says: string): never {
  throw new T4aError('invalid_field', `"${field}" ${says}.`, { field, hint: 't4a rules --help' });
}

function describe(activity: Activity, { file }: RulesInUse, terminal: Terminal | undefined): Reply<'rules'> {
  return {
    version: activity.version,
    file,
    profiles: activity.profiles.map(({ id, rules: own, command }) => ({
      id,
      rules: own.length,
      automatic: command !== undefined,
    })),
    ...(terminal === undefined ? {} : { profile: activity.of(terminal)?.profile?.id ?? null }),
  };
}
