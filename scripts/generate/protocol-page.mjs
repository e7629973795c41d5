// docs/protocol.md: the wire, from the schemas. What no schema says (transport, order of replies) is in protocol-intro.md.
import { readFileSync } from 'node:fs';
import { fieldType } from './field-type.mjs';
import { requestExamples } from './request-examples.mjs';

/** In every request or reply, and described in the introduction; those of requests are the contract's. */
const ENVELOPE_FIELDS = { input: new Set(), output: new Set(['ok', 'req']) };

export function protocolPage({ COMMANDS, envelopeFields, limits, protocolSchema }, commandLine) {
  for (const field of envelopeFields) ENVELOPE_FIELDS.input.add(field);
  const schema = protocolSchema();
  const intro = readFileSync(new URL('protocol-intro.md', import.meta.url), 'utf8');
  const shared = sharedFields(schema.commands);
  return [
    fill(intro, limits),
    '\n## Commands\n\n',
    ...Object.entries(schema.commands).map(([name, { description }]) => `- [\`${name}\`](#${name}): ${description}\n`),
    sharedSection(shared),
    ...Object.entries(schema.commands).map(([name, command]) =>
      commandSection(command, COMMANDS[name], commandLine, shared),
    ),
    eventsSection(schema.events),
    errorsSection(schema.errors),
  ].join('');
}

/** Groups of fields that several commands have: each is stated once, and linked from there. */
function sharedFields({ press, screenshot }) {
  const { wait, observe } = press.request.properties;
  const picture = observe.properties.screenshot.anyOf.find(({ properties }) => properties !== undefined);
  const { wait: waited, observed, ...rest } = press.reply.properties;
  const facts = Object.fromEntries(Object.entries(rest).filter(([field]) => field in screenshot.reply.properties));
  const { ok: _ok, req: _req, ...pictureFacts } = facts;
  return [
    { title: 'The fields of a picture', direction: 'input', schema: picture },
    { title: 'The facts of a picture', direction: 'output', schema: { ...press.reply, properties: pictureFacts } },
    { title: 'The fields of a wait', direction: 'input', schema: wait },
    { title: 'The outcome of a wait', direction: 'output', schema: waited },
    { title: 'The fields of a look', direction: 'input', schema: observe },
    { title: 'The result of a look', direction: 'output', schema: observed },
  ];
}

const SHARED_INTRO = `
## Fields that commands share

A command that acts on a terminal takes a **turn** in one request: it acts, waits (\`wait\`), then looks (\`observe\`). The wait
starts before the act, so that nothing is missed, and only what comes after the act counts. The look is of the instant at
which the wait ended. Commands that read take a \`wait\`, too: they wait first, and read at the instant at which it ended.
`;

function sharedSection(shared) {
  const sections = shared.map(({ title, schema, direction }) => {
    const others = shared.filter((each) => each.schema !== schema);
    const heading = direction === 'input' ? 'Field' : 'Field of the reply';
    return `\n### ${title}\n\n${rowsTable(heading, fieldRows(schema, '', { direction, shared: others, isShared: true }))}`;
  });
  return SHARED_INTRO + sections.join('');
}

const anchorOf = ({ title }) => title.toLowerCase().replaceAll(' ', '-');

const linkTo = (group) => `[${group.title.charAt(0).toLowerCase()}${group.title.slice(1)}](#${anchorOf(group)})`;

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

function commandSection(command, spec, commandLine, shared) {
  const examples = requestExamples(spec, commandLine);
  return [
    `\n### ${spec.name}\n\n${command.description}\n\n`,
    command.details === undefined ? '' : `${command.details}\n\n`,
    `${reachSentence(command)}\n\n`,
    examples.length === 0 ? '' : `\`\`\`json\n${examples.map((line) => `${line}\n`).join('')}\`\`\`\n\n`,
    fieldTable('Field of the request', command.request, 'input', shared),
    REPLY_KINDS[command.reply_kind],
    fieldTable('Field of the reply', command.reply, 'output', shared),
    command.errors.length === 0
      ? ''
      : `Errors of its own: ${command.errors.map((code) => `\`${code}\``).join(', ')}.\n`,
  ].join('');
}

function reachSentence({ reach, field_reach: fieldReach = {} }) {
  const fields = Object.entries(fieldReach);
  const own = `Reach: \`${reach}\``;
  const [first] = fields;
  if (first === undefined) return `${own}.`;
  if (fields.length > 4) return `${own}; with a setting \`${first[1]}\`.`;
  return `${own}; with ${fields.map(([field, raised]) => `\`${field}\` \`${raised}\``).join(', ')}.`;
}

function fieldTable(heading, schema, direction, shared) {
  const rows = fieldRows(schema, '', { direction, shared });
  if (rows.length === 0) return direction === 'input' ? 'No fields.\n\n' : 'The reply is `{"ok":true}`.\n\n';
  return rowsTable(heading, rows);
}

function rowsTable(heading, rows) {
  return `| ${heading} | type | meaning |\n|---|---|---|\n${rows.map((row) => `| ${row.map(cell).join(' | ')} |\n`).join('')}\n`;
}

/** Fields of objects within are rows of their own, with the path to them; a group that is stated elsewhere is one row. */
function fieldRows(schema, prefix, context) {
  const { direction, shared, isShared = false } = context;
  const all = Object.entries(schema.properties ?? {}).filter(
    ([field]) => prefix !== '' || isShared || !ENVELOPE_FIELDS[direction].has(field),
  );
  const groups = shared.filter((group) => group.direction === direction && holds(schema.properties ?? {}, group));
  const grouped = new Set(groups.flatMap((group) => Object.keys(group.schema.properties)));
  return [
    ...all
      .filter(([field]) => !grouped.has(field))
      .flatMap(([field, fieldSchema]) => {
        const required = schema.required?.includes(field) === true;
        const name = `\`${prefix}${field}\`${required === (direction === 'output') ? '' : required ? ' (required)' : ' (optional)'}`;
        const group = groupOf(fieldSchema, context);
        const type = group === undefined ? fieldType(fieldSchema) : typeWithLink(fieldSchema, group);
        const nested = group === undefined ? nestedRows(fieldSchema, `${prefix}${field}`, context) : [];
        return [[name, type, meaning(fieldSchema)], ...nested];
      }),
    ...groups.map((group) => [
      Object.keys(group.schema.properties)
        .map((field) => `\`${prefix}${field}\``)
        .join(', '),
      '',
      `See ${linkTo(group)}.`,
    ]),
  ];
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Whether the properties are among others, word for word. */
function holds(properties, { schema }) {
  return Object.entries(schema.properties).every(([field, fieldSchema]) => same(properties[field], fieldSchema));
}

const objectIn = (schema) => [schema, ...(schema.anyOf ?? [])].find((branch) => branch.properties !== undefined);

function groupOf(schema, { direction, shared }) {
  const object = objectIn(schema);
  if (object === undefined) return undefined;
  return shared.find((group) => group.direction === direction && same(group.schema.properties, object.properties));
}

function typeWithLink(schema, group) {
  const others = (schema.anyOf ?? []).filter((branch) => branch.properties === undefined).map(fieldType);
  return [...others, linkTo(group)].join(' or ');
}

function nestedRows(schema, path, context) {
  if (schema.type === 'array') return nestedRows(schema.items, `${path}[]`, context);
  const object = objectIn(schema);
  return object === undefined ? [] : fieldRows(object, `${path}.`, context);
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
    '\n`{"event":"lagged","missed":n}` stands where `n` events were dropped for this subscriber. With `since`, one stands for each gap of the kept events, with `after`, the `seq` before the gap; each terminal has a share of what is kept. With `error`, a sentence: the event of another host was malformed.\n',
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
