// Example requests for the protocol page, made from the examples of the command line by the CLI's own parser.

export function requestExamples(spec, commandLine) {
  const requests = (spec.cli.examples ?? [])
    .map((example) => request(example, commandLine))
    .filter((one) => one !== undefined);
  return [...new Set(requests.map((one) => JSON.stringify(inOrder(one, spec))))];
}

/** Fields in the order of the tables, after a check that they are a request. */
function inOrder({ cmd, ...params }, spec) {
  spec.params.parse(params);
  const given = Object.keys(spec.params.shape).filter((field) => field in params);
  return { cmd, ...Object.fromEntries(given.map((field) => [field, params[field]])) };
}

function request(example, { parseCommandLine, argumentBytes, preparedFields }) {
  // Standard input is in no example line.
  if (example.includes(' < ')) return undefined;
  const { command, params, options } = parseCommandLine(words(example));
  const fields = { cmd: command.name, ...preparedFields({ command, params, options }) };
  // On the command line the name of a file.
  if (command.name === 'rules' && fields.rules !== undefined) fields.rules = '{"version":1,"profiles":[]}';
  if (command.stdin !== 'bytes') return fields;
  return { ...fields, input: new TextDecoder().decode(argumentBytes(params.input, options)) };
}

/** The words of a command line up to a pipe or a redirection. Quotes keep spaces; nothing else of a shell is known. */
function words(example) {
  const found = [...example.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)];
  const end = found.findIndex(([word]) => ['|', '<', '>'].includes(word));
  return found.slice(0, end === -1 ? found.length : end).map(([, single, double, bare]) => single ?? double ?? bare);
}
