/** The sockets of vtr's configuration file: `[[coordinators]]`, each with a `path`, which may be a glob. */
import { parse } from 'smol-toml';
import { T4aError, quote } from '../protocol/errors.js';
import { nameOfSocket } from './host-list.js';

export interface NamedRoute {
  readonly name: string;
  readonly url: string;
}

/** @throws T4aError `usage` */
export function routesOfVtr(text: string, path: string): NamedRoute[] {
  const { coordinators = [] } = parsed(text, path);
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
