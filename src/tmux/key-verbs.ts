/** Verbs of key bindings, which are kept and shown; a person's keys are those of `t4a attach`. */
import { inFull } from './arguments.js';
import type { Binding } from './key-table.js';
import { keyOf } from './keys.js';
import { escaped, Refusal } from './options.js';
import type { Handler, Run } from './run.js';
import { parseCommands } from './words.js';

type Table = Map<string, Binding>;

function tableOf({ args }: Run): string {
  return args.has('n') ? 'root' : (args.get('T') ?? 'prefix');
}

/** @throws Refusal */
function checked(what: 'invalid' | 'unknown', key: string): string {
  const isNamed = keyOf(key) !== undefined || /^([CMS]-)*(Mouse|Wheel|Double|Triple|Any)/.test(key);
  if (!isNamed) throw new Refusal(`${what} key: ${key}`);
  return key.replace(/^\^(?=.)/, 'C-');
}

const bindKey: Handler = (run) => {
  const { args, state } = run;
  const [given = '', ...words] = args.rest;
  const key = checked('unknown', given);
  const [only = ''] = words;
  const commands =
    words.length === 1
      ? parseCommands(only, () => undefined).map((command) => command.words)
      : words
          .join('\0')
          .split('\0;\0')
          .map((command) => command.split('\0'));
  const command = words.length === 0 ? '' : commands.map(inFull).join(String.raw` \; `);
  const table: Table = state.bindings.get(tableOf(run)) ?? new Map<string, Binding>();
  table.set(key, { repeats: args.has('r'), note: args.get('N') ?? '', command });
  state.bindings.set(tableOf(run), table);
};

const unbindKey: Handler = (run) => {
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

const listKeys: Handler = (run) => {
  const { args, state } = run;
  const wanted = args.get('T');
  if (wanted !== undefined && !state.bindings.has(wanted)) throw new Refusal(`table ${wanted} doesn't exist`);
  const only = args.rest[0] === undefined ? undefined : checked('invalid', args.rest[0]);
  const isNotes = args.has('N');
  const names = wanted !== undefined ? [wanted] : isNotes ? ['root', 'prefix'] : [...state.bindings.keys()].toSorted();
  const shown = names.flatMap((table) =>
    [...(state.bindings.get(table) ?? [])]
      .filter(([key, { note }]) => (only === undefined || key === only) && (!isNotes || note !== '' || args.has('a')))
      .map(([key, binding]) => ({ table, key: isNotes ? key : escaped(key), ...binding })),
  );
  if (only !== undefined && shown.length === 0) throw new Refusal(`unknown key: ${only}`);
  const keyWidth = widest(shown.map(({ key }) => key));
  const tableWidth = widest(shown.map(({ table }) => table));
  const repeats = shown.some((one) => one.repeats);
  const session = run.mayTarget('session').session;
  const prefix = `${(session?.options ?? state.sessionOptions).text('prefix')} `;
  for (const { table, key, note, command, ...one } of isNotes && args.has('1') ? shown.slice(0, 1) : shown) {
    if (isNotes) {
      const before =
        args.get('P') ?? (wanted !== undefined ? '' : table === 'prefix' ? prefix : ' '.repeat(prefix.length));
      run.print(`${before}${key.padEnd(keyWidth)} ${note === '' ? command : note}`);
    } else {
      const flag = one.repeats ? ' -r' : repeats ? '   ' : '';
      run.print(`bind-key${flag} -T ${table.padEnd(tableWidth)} ${key.padEnd(keyWidth)} ${command}`);
    }
  }
};

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}

export const KEY_VERBS: Readonly<Record<string, Handler>> = {
  'bind-key': bindKey,
  'unbind-key': unbindKey,
  'list-keys': listKeys,
};
