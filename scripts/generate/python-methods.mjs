// The methods of the Python client: one for each command, between the marks in clients/python/t4a/__init__.py.

const BEGIN = '# --- generated: commands ---\n';
const END = '# --- end of generated ---\n';

/** A text is a line, and a list is words: here and in `launch` alike. */
const PROGRAM = {
  command: {
    type: 'Union[str, Sequence[str]]',
    fields: '**_program(command, cmd_args)',
    positional: true,
    description: 'A str is a line for `sh -c`, or for the shell of the terminal; a list is program and arguments.',
  },
  cmd_args: { positional: false, fields: '', description: 'Program and arguments, in place of `command`.' },
};

/** Python's own form of an argument: its type, its place, and how it becomes fields; null: no argument. */
const ARGUMENTS = {
  create: {
    ...PROGRAM,
    cmd_args: {
      ...PROGRAM.cmd_args,
      description: `${PROGRAM.cmd_args.description} Without either: $SHELL, else bash, else sh.`,
    },
  },
  run: PROGRAM,
  press: { keys: { type: 'Union[str, Sequence[str]]', fields: '"keys": _keys(keys)' } },
  send: { input: { type: 'Union[str, bytes]', fields: '**_input(input)', required: true }, input_base64: null },
  screenshot: { inline: null, if_rev: null },
};

/** Arguments that are no fields. */
const OWN_PARAMETERS = {
  text: [
    {
      name: 'blank_lines',
      type: 'bool',
      default: 'False',
      description: 'Keep the blank lines below the last one with text: one line for each row.',
    },
  ],
};

const RESULTS = {
  screenshot: { type: 'Picture', of: (call) => `_picture(${call})` },
  text: { type: 'str', of: (call) => `_text(${call}, blank_lines)` },
};

export function pythonModule(source, { COMMANDS, envelopeFields, protocolSchema }) {
  const [before, rest] = source.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error('the Python client has lost its marks');
  const schemas = protocolSchema().commands;
  const specs = Object.values(COMMANDS).filter(({ kind, traits }) => kind !== 'stream' && traits.method !== false);
  const needsId = ({ name }) => schemas[name].request.required.includes('id');
  // The method of a terminal that exists takes no fields of a new one.
  const ofNewTerminals = Object.keys(schemas.create.request.properties).filter(
    (field) => field !== 'cmd_args' && field !== 'command',
  );
  const takesId = ({ name }) => 'id' in schemas[name].request.properties;
  const ofClient = specs
    .filter((spec) => !needsId(spec))
    .map((spec) => commandOf(spec, schemas[spec.name], envelopeFields));
  const ofTerminal = specs
    .filter(takesId)
    .map((spec) =>
      commandOf(spec, schemas[spec.name], [
        ...envelopeFields,
        'id',
        ...(spec.traits.startsProgram ? ofNewTerminals : []),
      ]),
    );
  const classes = [
    classOf('_ClientCommands', ofClient, false),
    classOf('_TerminalCommands', ofTerminal, false),
    classOf('_AsyncClientCommands', ofClient, true),
    classOf('_AsyncTerminalCommands', ofTerminal, true),
  ];
  return [before, BEGIN, ...classes, END, after].join('');
}

/** Fields whose names are words of the language. */
const KEYWORDS = new Set(['from']);

const argumentName = (field) => (KEYWORDS.has(field) ? `${field}_` : field);

function commandOf(spec, { request, description, details, reply }, leftOut) {
  const special = ARGUMENTS[spec.name] ?? {};
  const positional = new Set((spec.cli.positionals ?? []).map((hint) => hint.replace(/[^\w:].*$/, '')));
  const required = new Set(request.required);
  const parameters = Object.entries(request.properties)
    .filter(([field]) => !leftOut.includes(field) && special[field] !== null)
    .map(([field, schema]) => ({
      name: argumentName(field),
      type: special[field]?.type ?? pythonType(schema),
      required: special[field]?.required ?? required.has(field),
      positional: special[field]?.positional ?? (positional.has(field) || required.has(field)),
      default: spec.traits.clientDefaults?.[field] === true ? 'True' : 'None',
      fields: special[field]?.fields ?? `"${field}": ${argumentName(field)}`,
      description: special[field]?.description ?? schema.description ?? '',
    }));
  const byPlace = parameters.filter((parameter) => parameter.positional);
  return {
    name: spec.name,
    parameters: [
      ...byPlace.filter((parameter) => parameter.required),
      ...byPlace.filter((parameter) => !parameter.required),
      ...parameters.filter((parameter) => !parameter.positional),
      ...(OWN_PARAMETERS[spec.name] ?? []).map((parameter) => ({ ...parameter, fields: '' })),
    ],
    docs: docsOf([description, details], parameters, Object.keys(reply.properties)),
    result: RESULTS[spec.name] ?? { type: 'Reply', of: (call) => call },
  };
}

function classOf(name, commands, isAsync) {
  const call = isAsync ? 'async def _call' : 'def _call';
  return [
    `\n\nclass ${name}:\n`,
    `    ${call}(self, cmd: str, fields: Mapping[str, Any]) -> Reply:\n        raise NotImplementedError\n`,
    ...commands.map((command) => method(command, isAsync)),
    name.endsWith('AsyncTerminalCommands') ? '\n\n' : '',
  ].join('');
}

function method({ name, parameters, docs, result }, isAsync) {
  const own = parameters.map(
    ({ name: parameter, type, required, default: value }) =>
      `        ${parameter}: ${required ? type : value === 'None' ? `Optional[${type}]` : 'bool'}${required ? '' : ` = ${value}`},\n`,
  );
  const firstKeyword = parameters.findIndex((parameter) => !parameter.positional);
  if (firstKeyword !== -1) own.splice(firstKeyword, 0, '        *,\n');
  const fields = parameters
    .filter((parameter) => parameter.fields !== '')
    .map((parameter) => `                ${parameter.fields},\n`)
    .join('');
  const dict = parameters.length === 0 ? '{}' : `{\n${fields}            }`;
  const call = `${isAsync ? 'await ' : ''}self._call(\n            "${name}",\n            ${dict},\n        )`;
  const head = own.length === 0 ? '(self)' : `(\n        self,\n${own.join('')}    )`;
  return `\n    ${isAsync ? 'async ' : ''}def ${name}${head} -> ${result.type}:\n${docs}        return ${result.of(call)}\n`;
}

function docsOf(sentences, parameters, replyFields) {
  const text = sentences.filter((sentence) => sentence !== undefined).map(escaped);
  const fields = replyFields.filter((field) => !['ok', 'req'].includes(field));
  const lines = [
    ...text.flatMap((sentence, i) => (i === 0 ? [sentence] : ['', sentence])),
    ...(parameters.length === 0
      ? []
      : ['', ...parameters.map(({ name, description }) => `${name}: ${escaped(description)}`.trimEnd())]),
    ...(fields.length === 0 ? [] : ['', `Reply: ${fields.join(', ')}.`]),
  ];
  if (lines.length === 1) return `        """${lines[0]}"""\n`;
  return `        """${lines.map((line, i) => (i === 0 || line === '' ? line : `        ${line}`)).join('\n')}\n        """\n`;
}

const escaped = (text) => text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');

function pythonType(schema) {
  if ('const' in schema) return `Literal[${pythonLiteral(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(pythonLiteral).join(', ')}]`;
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) {
    const types = [...new Set(branches.map(pythonType))];
    return types.length === 1 ? types[0] : `Union[${types.join(', ')}]`;
  }
  switch (schema.type) {
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'str';
    case 'array':
      return `Sequence[${pythonType(schema.items ?? {})}]`;
    case 'object':
      return 'Mapping[str, Any]';
    default:
      return 'Any';
  }
}

const pythonLiteral = (value) => (value === true ? 'True' : value === false ? 'False' : JSON.stringify(value));
