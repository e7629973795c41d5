/** From an invocation to the fields of its request: what the command line spells in its own way, or reads elsewhere. */
import type { CommandName } from '../../protocol/registry.js';
import type { Fields } from '../argv/invocation.js';
import { INPUT } from './input.js';
import type { Prepare } from './preparer.js';
import { prepareRules } from './rules.js';
import { requestFields } from './request-fields.js';
import { prepareScreenshot } from './screenshot.js';
import { absolutePath, withPlace } from './spawn.js';

/** Commands whose fields depend on more than their flags and traits. */
const OWN: Readonly<Partial<Record<CommandName, Prepare>>> = {
  config: ({ params, options }) => (options['json'] === true ? params : { sources: true, ...params }),
  output: ({ params, options }) => (options['json'] === true ? { ...params, inline: true } : params),
  record: ({ params }, host) =>
    typeof params['path'] === 'string' ? { ...params, path: absolutePath(params['path'], host) } : params,
  rules: prepareRules,
  screenshot: prepareScreenshot,
};

export const prepare: Prepare = async (given, host, client) => {
  const { command, options } = given;
  const { clientDefaults, stdin, startsProgram } = command;
  let params: Fields = { ...clientDefaults, ...given.params };
  if (startsProgram === true) params = withPlace(params, options, host);
  if (stdin !== undefined) params = await INPUT[stdin](params, options, host);
  const prepared = requestFields({ command, params, options });
  const own = OWN[command.name as CommandName];
  return own === undefined ? prepared : own({ command, params: prepared, options }, host, client);
};
