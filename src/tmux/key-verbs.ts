/** Verbs of key bindings, which are kept and shown; a person's keys are those of `t4a attach`. */
import { inFull } from './arguments.js';
import type { Binding } from './key-table.js';
import { nameOfKey, keyNamed, orderOf } from './keys.js';
import { escapedValue, Refusal } from './options.js';
import type { VerbHandler, VerbRun } from './run.js';
import { commandsOf, parseCommands } from './words.js';

type Table = Map<string, Binding>;

function tableOf({ args }: VerbRun): string {
  return args.has('n') ? 'root' : (args.get('T') ?? 'prefix');
}

/** @throws Refusal */
function checked(what: 'invalid' | 'unknown', key: string): string {
  const isNamed = keyNamed(key) !== undefined || isMouse(key);
  if (!isNamed) throw new Refusal(`${what} key: ${key}`);
  return nameOfKey(key);
}

const bindKey: VerbHandler = (run) => {
  const { args, state } = run;
  const [given = '', ...words] = args.rest;
  const key = checked('unknown', given);
  const [only = ''] = words;
  const commands = words.length === 1 ? parseCommands(only, () => undefined) : commandsOf(words);
  const isBlock = words.length === 1 && args.blocks.length > 0;
  const command = commands
    .map((one, at) => {
      const isNext = isBlock && at > 0 && one.line !== commands[at - 1]?.line;
      const blocks = isBlock || words.length === 1 ? one.blocks : args.blocks;
      return (at === 0 ? '' : isNext ? String.raw` \;\; ` : String.raw` \; `) + inFull({ words: one.words, blocks });
    })
    .join('');
  const table: Table = state.bindings.get(tableOf(run)) ?? new Map<string, Binding>();
  table.set(key, { repeats: args.has('r'), note: args.get('N') ?? '', command });
  state.bindings.set(tableOf(run), new Map([...table].toSorted(([one], [other]) => orderOf(one) - orderOf(other))));
};

const unbindKey: VerbHandler = (run) => {
  const { args, state } = run;
  const name = tableOf(run);
  const [key] = args.rest;
  if (key === undefined && !args.has('a')) throw new Refusal('missing key');
  const place = key === undefined ? '' : checked('unknown', key);
  const table = state.bindings.get(name);
  if (table === undefined) throw new Refusal(`table ${name} doesn't exist`);
  if (args.has('a')) state.bindings.delete(name);
  else table.delete(place);
};

const listKeys: VerbHandler = (run) => {
  const { args, state } = run;
  const wanted = args.get('T');
  if (wanted !== undefined && !state.bindings.has(wanted)) throw new Refusal(`table ${wanted} doesn't exist`);
  const only = args.rest[0] === undefined ? undefined : checked('invalid', args.rest[0]);
  if (args.has('N')) return listNotes(run, wanted, only);
  const names = wanted !== undefined ? [wanted] : [...state.bindings.keys()].toSorted();
  const shown = names.flatMap((table) =>
    [...(state.bindings.get(table) ?? [])]
      .filter(([key]) => only === undefined || key === only)
      .map(([key, binding]) => ({ table, key: escapedValue(key), ...binding })),
  );
  if (only !== undefined && shown.length === 0) throw new Refusal(`unknown key: ${only}`);
  const keyWidth = widest(shown.map(({ key }) => key));
  const tableWidth = widest(shown.map(({ table }) => table));
  const repeats = shown.some((one) => one.repeats);
  for (const { table, key, command, ...one } of shown) {
    const flag = one.repeats ? ' -r' : repeats ? '   ' : '';
    run.print(`bind-key${flag} -T ${table.padEnd(tableWidth)} ${key.padEnd(keyWidth)} ${command}`);
  }
};

/** Keys and what they are for. The keys of a mouse have no notes; `-1` is one key of each table. */
function listNotes(run: VerbRun, wanted: string | undefined, only: string | undefined): void {
  const { args, state } = run;
  const prefix = state.sessionOptions.text('prefix');
  const start = args.get('P') ?? (prefix === 'None' ? '' : `${prefix} `);
  const keysOf = (table: string) =>
    [...(state.bindings.get(table) ?? [])].filter(([key]) => !isMouse(key) && (only === undefined || key === only));
  const widthOf = (table: string): number => widest(keysOf(table).map(([key, { note }]) => (note === '' ? '' : key)));
  const places: (readonly [table: string, before: string])[] =
    wanted !== undefined
      ? [[wanted, args.get('P') ?? '']]
      : [
          ['root', ' '.repeat(start.length)],
          ...(prefix === 'None' || widthOf('prefix') === 0 ? [] : [['prefix', start] as const]),
        ];
  const width = Math.max(...places.map(([table]) => widthOf(table)));
  const lines = places.flatMap(([table, before]) =>
    keysOf(table)
      .filter(([, { note }]) => note !== '' || args.has('a'))
      .slice(0, args.has('1') ? 1 : undefined)
      .map(([key, { note, command }]) => `${before}${key.padEnd(width + 1)}${note === '' ? command : note}`),
  );
  if (only !== undefined && lines.length === 0) throw new Refusal(`unknown key: ${only}`);
  for (const line of lines) run.print(line);
}

function isMouse(key: string): boolean {
  return /^([CMS]-)*(Mouse|Wheel|Double|Triple|Any)/.test(key);
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}

export const KEY_VERBS: Readonly<Record<string, VerbHandler>> = {
  'bind-key': bindKey,
  'unbind-key': unbindKey,
  'list-keys': listKeys,
};
