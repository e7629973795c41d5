// From the protocol's commands to the table that the CLI walks at run time: no schema library is loaded there.

export function commandTable({ COMMANDS, protocolSchema, local }) {
  const schemas = protocolSchema().commands;
  const remote = Object.values(COMMANDS).map((spec) => commandSyntax(spec, schemas[spec.name].request, local));
  return [...remote, ...local.LOCAL_COMMANDS];
}

function commandSyntax(spec, request, local) {
  const additions = local.LOCAL_ADDITIONS[spec.name] ?? {};
  const positionals = (spec.cli.positionals ?? []).map((hint) => positionalSyntax(hint, request, local));
  const byPosition = new Set(positionals.flatMap(({ field }) => field.split(':')));
  const hidden = new Set(['cmd', 'req', ...byPosition, ...(spec.cli.hidden ?? [])]);
  const fields = Object.entries(request.properties).filter(([field]) => !hidden.has(field));
  return {
    name: spec.name,
    summary: spec.summary,
    ...(additions.notes === undefined ? {} : { notes: additions.notes }),
    positionals,
    flags: [
      ...fields.map(([field, schema]) => ({ ...flagSyntax(field, schema), ...additions.fields?.[field] })),
      ...(additions.flags ?? []),
    ],
    examples: spec.cli.examples ?? [],
  };
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

function flagSyntax(field, schema) {
  const values = schema.enum ?? schema.items?.enum;
  return {
    flag: field.replaceAll('_', '-'),
    field,
    type: valueType(schema),
    description: schema.description ?? '',
    ...(values === undefined ? {} : { values }),
    ...(schema.minimum === undefined ? {} : { minimum: schema.minimum }),
    ...(schema.maximum === undefined || schema.maximum >= Number.MAX_SAFE_INTEGER ? {} : { maximum: schema.maximum }),
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

/** By name, as JSON: of the thirty that there are, one is read. As literals they would be a third of what Node compiles. */
export const COMMANDS_AS_JSON: Readonly<Record<string, string>> = {
${table.map((command) => `  ${command.name}: ${quoted(JSON.stringify(command))},`).join('\n')}
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
