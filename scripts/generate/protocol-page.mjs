// docs/protocol.md: the wire, from the schemas. What no schema says (transport, order of replies) is in protocol-intro.md.
import { readFileSync } from 'node:fs';
import { fieldType } from './field-type.mjs';
import { requestExamples } from './request-examples.mjs';

/** In every request or reply, and told in the introduction. */
const ENVELOPE_FIELDS = { input: new Set(['cmd', 'req']), output: new Set(['ok', 'req']) };

export function protocolPage({ COMMANDS, limits, protocolSchema }, commandLine) {
  const schema = protocolSchema();
  const intro = readFileSync(new URL('protocol-intro.md', import.meta.url), 'utf8');
  return [
    fill(intro, limits),
    '\n## Commands\n\n',
    ...Object.entries(schema.commands).map(([name, { description }]) => `- [\`${name}\`](#${name}): ${description}\n`),
    ...Object.entries(schema.commands).map(([name, command]) => commandSection(command, COMMANDS[name], commandLine)),
    eventsSection(schema.events),
    errorsSection(schema.errors),
  ].join('');
}

/** `{{MAX_LINE_BYTES}}` in the introduction is the constant of that name. */
function fill(text, limits) {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => {
    if (limits[name] === undefined) throw new Error(`protocol-intro.md names an unknown limit: ${name}`);
    return limits[name].toLocaleString('en');
  });
}

const REPLY_KINDS = {
  line: '',
  bytes: 'The line is followed by exactly `len` raw bytes, if it has a `len` above 0.\n\n',
  stream: 'The reply is a stream: one event a line, until either side closes the connection.\n\n',
};

function commandSection(command, spec, commandLine) {
  const examples = requestExamples(spec, commandLine);
  return [
    `\n### ${spec.name}\n\n${command.description}\n\n`,
    command.details === undefined ? '' : `${command.details}\n\n`,
    examples.length === 0 ? '' : `\`\`\`json\n${examples.map((line) => `${line}\n`).join('')}\`\`\`\n\n`,
    fieldTable('Field of the request', command.request, 'input'),
    REPLY_KINDS[command.reply_kind],
    fieldTable('Field of the reply', command.reply, 'output'),
    command.errors.length === 0
      ? ''
      : `Errors of its own: ${command.errors.map((code) => `\`${code}\``).join(', ')}.\n`,
  ].join('');
}

function fieldTable(heading, schema, direction) {
  const rows = fieldRows(schema, '', direction);
  if (rows.length === 0) return direction === 'input' ? 'No fields.\n\n' : 'The reply is `{"ok":true}`.\n\n';
  return `| ${heading} | type | meaning |\n|---|---|---|\n${rows.map((row) => `| ${row.map(cell).join(' | ')} |\n`).join('')}\n`;
}

/** Fields of objects within are rows of their own, with the path to them. */
function fieldRows(schema, prefix, direction) {
  return Object.entries(schema.properties ?? {})
    .filter(([field]) => prefix !== '' || !ENVELOPE_FIELDS[direction].has(field))
    .flatMap(([field, fieldSchema]) => {
      const required = schema.required?.includes(field) === true;
      const name = `\`${prefix}${field}\`${required === (direction === 'output') ? '' : required ? ' (required)' : ' (optional)'}`;
      return [
        [name, fieldType(fieldSchema), meaning(fieldSchema)],
        ...nestedRows(fieldSchema, `${prefix}${field}`, direction),
      ];
    });
}

function nestedRows(schema, path, direction) {
  if (schema.type === 'array') return nestedRows(schema.items, `${path}[]`, direction);
  const object = [schema, ...(schema.anyOf ?? [])].find((branch) => branch.properties !== undefined);
  return object === undefined ? [] : fieldRows(object, `${path}.`, direction);
}

function meaning(schema) {
  const standard = schema.default === undefined ? '' : `Default: \`${JSON.stringify(schema.default)}\`.`;
  return [schema.description ?? '', standard].filter((part) => part !== '').join(' ');
}

const cell = (text) => text.replaceAll('|', '\\|');

function eventsSection(events) {
  const sections = Object.entries(events).map(([type, event]) => {
    const own = Object.entries(event.properties).filter(
      ([field]) => !ENVELOPE.has(field) || (field === 'terminal' && isOfDaemon(event)),
    );
    const fields = own.map(([field, schema]) => {
      const described = schema.description === undefined ? '' : `: ${schema.description}`;
      return `\`${field}\` (${fieldType(schema)})${described}`;
    });
    return `| \`${type}\` | ${cell(event.description)} | ${cell(fields.join('<br>'))} |\n`;
  });
  const envelope = Object.entries(Object.values(events)[0].properties).filter(([field]) => ENVELOPE.has(field));
  const ofDaemon = Object.entries(events).flatMap(([type, event]) => (isOfDaemon(event) ? [`\`${type}\``] : []));
  return [
    '\n## Events\n\nEvery event has these fields:\n\n| field | type | meaning |\n|---|---|---|\n',
    ...envelope.map(([field, schema]) => {
      const type = field === 'event' ? 'string' : fieldType(schema);
      return `| \`${field}\` | ${type} | ${ENVELOPE.get(field) ?? schema.description ?? ''} |\n`;
    }),
    `\nThose of the daemon as a whole (${ofDaemon.join(', ')}) have neither \`terminal\` nor \`rev\` of that meaning, and a filter by \`terminal\` leaves them out.\n`,
    '\n| event | published when | fields of its own |\n|---|---|---|\n',
    ...sections,
    '\n`{"event":"lagged","missed":n}` stands where `n` events were dropped for this subscriber.\n',
  ].join('');
}

/** Of no terminal's screen. */
function isOfDaemon(event) {
  return !('rev' in event.properties);
}

/** Said here where the schema of the field says nothing. */
const ENVELOPE = new Map([
  ['event', 'Type of the event.'],
  ['terminal', "The terminal's id."],
  ['seq', undefined],
  ['ts', undefined],
  ['rev', undefined],
]);

const FAULTS = { caller: 'the caller', state: 'the state of things', daemon: 'the daemon' };

function errorsSection(errors) {
  return [
    '\n## Errors\n\n',
    '| code | meaning | at fault | exit status of the CLI |\n|---|---|---|---|\n',
    ...Object.entries(errors).map(
      ([code, { description, fault, exit_status }]) =>
        `| \`${code}\` | ${cell(description)} | ${FAULTS[fault]} | ${exit_status} |\n`,
    ),
  ].join('');
}
