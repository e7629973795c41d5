/** Fields of the request of an invocation: what the command line spells in its own way, or reads elsewhere. */
import type { CommandName } from '../../protocol/registry.js';
import type { Fields } from '../argv/invocation.js';
import { meantByMine } from '../asker.js';
import type { Host } from '../host.js';
import { INPUT, readsStdin } from './input.js';
import type { Prepare } from './preparer.js';
import { preparedFields } from './request-fields.js';
import { prepareScreenshot } from './screenshot.js';
import { absolutePath, prepareCreate, withPlace } from './spawn.js';
import { T4aError } from '../../protocol/errors.js';

/** Commands whose fields depend on more than their flags and traits. */
const OWN: Readonly<Partial<Record<CommandName, Prepare>>> = {
  answer: async (...given) => (await import('./answer.js')).prepareAnswer(...given),
  config: ({ params, options }) => (options['json'] === true ? params : { sources: true, ...params }),
  create: prepareCreate,
  kill: prepareKill,
  list: ({ params, options }, host) => meantByMine(params, options, host),
  output: ({ params, options }) => (options['json'] === true ? { ...params, inline: true } : params),
  open: ({ params, options }, host) => withAbsolutePaths(params, ['path', 'timing'], options, host),
  record: ({ params, options }, host) => withAbsolutePaths(params, ['path'], options, host),
  replace: async (...given) => (await import('./replace.js')).prepareReplace(...given),
  report: async (given, host) => (await import('../local/report.js')).prepareReport(given, host),
  rules: async (...given) => (await import('./rules.js')).prepareRules(...given),
  screenshot: prepareScreenshot,
  film: prepareFilm,
  wait: prepareWait,
};

export const prepare: Prepare = async (given, host, client) => {
  const { command, options } = given;
  const { clientDefaults, stdin, startsProgram } = command;
  let params: Fields = { ...clientDefaults, ...given.params };
  if (startsProgram === true) params = withPlace(params, options, host);
  // What would be read may not come before a person has typed it.
  if (stdin !== undefined && readsStdin(stdin, params))
    await (await client()).call('status', { id: String(params['id']) });
  if (stdin !== undefined) params = await INPUT[stdin](params, options, host);
  const prepared = preparedFields({ command, params, options }, host);
  const own = OWN[command.name as CommandName];
  return own === undefined ? prepared : own({ command, params: prepared, options }, host, client);
};

/** Paths of another host are as they were given. */
function withAbsolutePaths(params: Fields, names: readonly string[], options: Fields, host: Host): Fields {
  if (options['on'] !== undefined) return params;
  const paths = names.flatMap((name) => (typeof params[name] === 'string' ? [[name, params[name]] as const] : []));
  return { ...params, ...Object.fromEntries(paths.map(([name, path]) => [name, absolutePath(path, host)])) };
}

/** Fields of a film, which is printed if there is no file for its picture. */
function prepareFilm({ params, options }: Parameters<Prepare>[0]): Fields {
  if (options['frames'] !== undefined) return { ...params, sheet: false };
  return options['output'] === undefined ? { ...params, format: 'text' } : params;
}

/** `t4a kill`: which terminals have to be ended is never guessed. */
function prepareKill({ params }: Parameters<Prepare>[0]): Fields {
  const { id, exited, all, where } = params;
  if (id === undefined && exited !== true && all !== true && where === undefined) {
    throw new T4aError('usage', 'kill needs a terminal.', {
      hint: 't4a kill @ ends the one used last; or --exited, --where, --all',
    });
  }
  // A single one as older daemons understand it.
  return Array.isArray(id) && id.length === 1 ? { ...params, id: id[0] as string } : params;
}

/** `t4a wait --done` by itself, where no shell could ever report that a command is done: it would wait in vain. */
async function prepareWait(
  { params }: Parameters<Prepare>[0],
  _host: Host,
  client: Parameters<Prepare>[2],
): Promise<Fields> {
  const until = params['until'] as readonly object[] | undefined;
  if (until?.every((condition) => 'done' in condition) !== true) return params;
  const { id, alive, has_shell: hasShell } = await (await client()).call('status', { id: String(params['id']) });
  // An older daemon does not say it.
  if (!alive || (hasShell as boolean | undefined) !== false) return params;
  throw new T4aError('no_shell_prompt', `Terminal "${id}" has had no shell so far, so no command can be done.`, {
    hint: `t4a wait ${id} --input waits until its program reads, --exit until it ends.`,
  });
}
