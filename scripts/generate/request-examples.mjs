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

function request(example, { parseCommandLine, readEscapes, waitConditions, turnFields }) {
  // What comes by standard input is in no example line.
  if (example.includes(' < ')) return undefined;
  const { command, params, options } = parseCommandLine(words(example));
  if (command.name === 'wait') return { cmd: command.name, ...params, ...waitConditions(options) };
  if (command.name === 'run') {
    return { cmd: command.name, ...params, ...(options.screenshot === undefined ? {} : { screenshot: true }) };
  }
  if (command.name !== 'send') return { cmd: command.name, ...params, ...turnFields(options) };
  const input = options.raw === true ? params.input : new TextDecoder().decode(readEscapes(params.input));
  return { cmd: command.name, ...params, input, ...turnFields(options) };
}

/** The words of a command line up to a pipe or a redirection. Quotes keep spaces; nothing else of a shell is known. */
function words(example) {
  const found = [...example.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)];
  const end = found.findIndex(([word]) => ['|', '<', '>'].includes(word));
  return found.slice(0, end === -1 ? found.length : end).map(([, single, double, bare]) => single ?? double ?? bare);
}
