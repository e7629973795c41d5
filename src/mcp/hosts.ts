/** Host that a tool's call is for, and its terminals as addresses, if there is a list of hosts. */
import { hasHostsFile } from '../client/paths.js';
import { LOCAL, parseAddress } from '../fleet/address.js';
import { addressed } from '../fleet/addressed.js';
import { T4aError, quote } from '../protocol/errors.js';
import type { ObjectSchema } from '../tools/json-schema.js';
import type { ListedTool } from '../tools/formats.js';
import { TAKE_HOST } from '../tools/tool-hints.js';

const HOST_SCHEMA = {
  type: 'string',
  description: 'Host of hosts.json. Default: this machine. Its terminals are named host/terminal.',
};

type Input = Readonly<Record<string, unknown>>;

export interface HostCall {
  /** Undefined: the daemon of this machine. */
  readonly host: string | undefined;
  readonly input: Input;
  readonly named: (reply: Input) => Input;
}

export class ToolHosts {
  /** Host of the terminal that "@" stands for. */
  #last: string | undefined;

  /** @returns undefined where there is no list: tools and calls are as ever */
  static ofCaller(): ToolHosts | undefined {
    return hasHostsFile() ? new ToolHosts() : undefined;
  }

  withHost(tool: ListedTool): ListedTool {
    if (!TAKE_HOST.has(tool.name)) return tool;
    const { properties } = tool.inputSchema;
    const inputSchema: ObjectSchema = { ...tool.inputSchema, properties: { ...properties, host: HOST_SCHEMA } };
    return { ...tool, inputSchema };
  }

  /** @throws T4aError `invalid_field` */
  callOf(tool: string, given: Input): HostCall {
    const { host: named, ...others } = given;
    const [host, input] = TAKE_HOST.has(tool) ? [named, others] : [undefined, given];
    if (host !== undefined && typeof host !== 'string') {
      throw new T4aError('invalid_field', `"host" is ${quote(host)}: expected the name of a host.`, { field: 'host' });
    }
    const ids = [input['id']].flat().filter((id): id is string => typeof id === 'string');
    const hosts = new Set(ids.map((id) => (id === '@' ? this.#last : parseAddress(id).host) ?? LOCAL));
    if (host !== undefined) hosts.add(host);
    if (hosts.size > 1) {
      const names = [...hosts].map((one) => quote(one)).join(' and ');
      throw new T4aError('invalid_field', `One call asks one host, not ${names}.`, { field: 'id' });
    }
    const [name = LOCAL] = hosts;
    const far = name === LOCAL ? undefined : name;
    if (tool !== 'list' && (hosts.size === 1 || TAKE_HOST.has(tool))) this.#last = far;
    return {
      host: far,
      input: input['id'] === undefined ? input : { ...input, id: bareOf(input['id']) },
      named: (reply) => (far === undefined ? reply : addressed(far, reply)),
    };
  }
}

function bareOf(id: unknown): unknown {
  if (Array.isArray(id)) return id.map(bareOf);
  return typeof id === 'string' ? parseAddress(id).id : id;
}
