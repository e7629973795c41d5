/** Vtr's configuration file: `[[coordinators]]`, each with a `path`, which may be a glob, and `[defaults]`. */
import { parse } from 'smol-toml';
import { T4aError, quote } from '../protocol/errors.js';
import { nameOfSocket } from './host-list.js';

export interface NamedRoute {
  readonly name: string;
  readonly url: string;
}

export interface VtrConfig {
  readonly routes: readonly NamedRoute[];
  /** `output_format` is "json". */
  readonly printsJson: boolean;
}

/** @throws T4aError `usage` */
export function readVtrConfig(text: string, path: string): VtrConfig {
  const { coordinators = [], defaults = {} } = parsed(text, path);
  return { routes: routesOf(coordinators, path), printsJson: outputFormatOf(defaults, path) === 'json' };
}

function outputFormatOf(defaults: unknown, path: string): 'human' | 'json' {
  if (typeof defaults !== 'object' || defaults === null || Array.isArray(defaults)) {
    throw wrong(path, '"defaults" is no table ("[defaults]")');
  }
  const { output_format: format = 'human' } = defaults as { readonly output_format?: unknown };
  if (format === 'human' || format === 'json') return format;
  throw wrong(path, `"output_format" is ${quote(format)}: expected "human" or "json"`);
}

function routesOf(coordinators: unknown, path: string): NamedRoute[] {
  if (!Array.isArray(coordinators)) throw wrong(path, '"coordinators" is no list of tables ("[[coordinators]]")');
  return coordinators.map((coordinator: unknown) => {
    const socket = (coordinator as { readonly path?: unknown } | null)?.path;
    if (typeof socket !== 'string' || !socket.startsWith('/')) {
      throw wrong(path, `the path of a coordinator is ${quote(socket)}: expected an absolute path`);
    }
    return { name: nameOfSocket(socket), url: `unix:${socket}` };
  });
}

function parsed(text: string, path: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    const [says = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw wrong(path, says);
  }
}

function wrong(path: string, says: string): T4aError {
  return new T4aError('usage', `${JSON.stringify(path)} cannot be read as vtr's configuration: ${says}.`);
}
