// From the protocol's commands to the table that the CLI walks at run time: no schema library is loaded there.

export function commandTable({ COMMANDS, envelopeFields, protocolSchema, local }) {
  const schemas = protocolSchema().commands;
  const remote = Object.values(COMMANDS)
    .filter(({ traits }) => traits.commandLine !== false)
    .map((spec) => commandSyntax(spec, schemas[spec.name].request, { ...local, envelopeFields }));
  return [...remote, ...local.LOCAL_COMMANDS];
}

function commandSyntax(spec, request, { envelopeFields, ...local }) {
  const { traits, cli } = spec;
  const fields = Object.keys(request.properties);
  const reads = traits.effect === 'read';
  const positionals = (cli.positionals ?? []).map((hint) => positionalSyntax(hint, request, local));
  const byPosition = new Set(positionals.flatMap(({ field }) => field.split(':')));
  const flagsOf = standIns(request, { reads, has: (field) => fields.includes(field) }, local);
  const hidden = new Set([...envelopeFields, ...byPosition, ...(cli.hidden ?? []), ...flagsOf.keys()]);
  const turn = local.TURN_FIELDS.filter((field) => fields.includes(field));
  const notes = [cli.notes, traits.startsNoDaemon ? 'Starts no daemon.' : undefined].filter(Boolean).join(' ');
  return {
    name: spec.name,
    summary: spec.summary,
    group: traits.group,
    ...(notes === '' ? {} : { notes }),
    ...(reads ? { reads } : {}),
    ...(traits.fieldReach === undefined ? {} : { acting: Object.keys(traits.fieldReach) }),
    ...(spec.kind === 'stream' ? { streams: true } : {}),
    ...pick(traits, ['startsNoDaemon', 'startsProgram', 'stdin', 'exitStatus', 'settings', 'clientDefaults']),
    ...(turn.length === 0 ? {} : { turn }),
    positionals,
    flags: [
      ...fields
        .filter((field) => !hidden.has(field))
        .map((field) => fieldFlag(field, request.properties[field], spec, local.FIELD_HELP[field])),
      ...[...flagsOf.values()].flat(),
      ...(cli.flags ?? []).map(({ name, ...flag }) => ({ flag: name, field: name, ...flag, local: true })),
    ],
    examples: cli.examples ?? [],
  };
}

const pick = (object, keys) =>
  Object.fromEntries(keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]]));

/** Local flags in place of fields. A field of a simple type has a flag of its own name already. */
function standIns(request, command, local) {
  const isSimple = (field) => ['boolean', 'integer', 'string'].includes(request.properties[field].type);
  return new Map(
    Object.keys(local.FIELD_FLAGS)
      .filter((field) => command.has(field) && !isSimple(field))
      .map((field) => [field, local.FIELD_FLAGS[field](command)]),
  );
}

function fieldFlag(field, schema, { cli, traits }, help) {
  const own = cli.fields?.[field] ?? {};
  const { default: ofWire, ...flag } = flagSyntax(field, schema);
  // A flag of another type than the field's has no default in the field's terms.
  const standard = own.type === undefined ? (traits.clientDefaults?.[field] ?? ofWire) : undefined;
  return { ...flag, ...(standard === undefined ? {} : { default: standard }), ...help, ...own };
}

/** `id`, `input?`, `cmd_args...?`, `start:end?` */
function positionalSyntax(hint, request, local) {
  const optional = hint.endsWith('?');
  const bare = optional ? hint.slice(0, -1) : hint;
  const rest = bare.endsWith('...');
  const field = rest ? bare.slice(0, -3) : bare;
  const isRange = field.includes(':');
  for (const part of field.split(':')) {
    if (request.properties[part] === undefined) throw new Error(`positional ${hint}: no such field`);
  }
  const values = request.properties[field]?.enum;
  return {
    field,
    label: local.POSITIONAL_LABELS[field] ?? field,
    type: isRange ? 'range' : rest ? 'string' : valueType(request.properties[field]),
    ...(values === undefined ? {} : { values }),
    ...(optional ? { optional } : {}),
    ...(rest ? { rest } : {}),
  };
}

const isUnbounded = (bound) => bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER;

function flagSyntax(field, schema) {
  const values = schema.enum ?? schema.items?.enum;
  return {
    flag: field.replaceAll('_', '-'),
    field,
    type: valueType(schema),
    description: schema.description ?? '',
    ...(values === undefined ? {} : { values }),
    ...(isUnbounded(schema.minimum) ? {} : { minimum: schema.minimum }),
    ...(isUnbounded(schema.maximum) ? {} : { maximum: schema.maximum }),
    ...(schema.default === undefined ? {} : { default: schema.default }),
  };
}
function valueType(schema) {
  if (schema.type === 'array' && schema.items?.type === 'string') return 'list';
  if (['boolean', 'integer', 'number', 'string'].includes(schema.type)) return schema.type;
  const branches = schema.anyOf
    ?.map((branch) => branch.type)
    .toSorted()
    .join(' ');
  return branches === 'integer string' ? 'name' : 'json';
}

export function tableModule({ LAST_TERMINAL, KEY_TABLE, clientSettings, local }, table) {
  return `/** Generated from src/protocol and local-syntax.ts by \`npm run generate\`; not edited by hand. */
import type { FlagSyntax } from './syntax.js';

/** What stands for the terminal that was used last. */
export const LAST_TERMINAL = ${JSON.stringify(LAST_TERMINAL)};

/** Names of keys, for completion. */
export const KEY_NAMES: readonly string[] = ${literal(keyNames(KEY_TABLE))};

export const GLOBAL_FLAGS: readonly FlagSyntax[] = ${literal(local.GLOBAL_FLAGS)};

/** What the configuration file and the environment may set once: each is a flag of the commands that it concerns. */
export const CLIENT_SETTINGS: readonly FlagSyntax[] = ${literal(settings(clientSettings))};

/**
 * By name, as JSON: one of them is read. Each in a function of its own, which V8 does not compile until it is called: the
 * texts of the others would be most of the code that a command loads from its cache.
 */
export const COMMANDS_AS_JSON: Readonly<Record<string, () => string>> = {
${table.map((command) => `  ${command.name}: () => ${quoted(JSON.stringify(command))},`).join('\n')}
};
`;
}

function quoted(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

export function settings(clientSettings) {
  return Object.entries(clientSettings).map(([field, schema]) => flagSyntax(field, schema));
}

/** With Ctrl only the ones that everybody presses. */
function keyNames(table) {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `Ctrl+${letter.toUpperCase()}`);
  return [...table.map(({ name }) => name), ...letters];
}

const literal = (value) => JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([a-z]+)":/gm, '$1$2:');
