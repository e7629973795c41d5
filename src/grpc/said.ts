/** Words of a caller about itself, in the metadata of a call. vtr's own clients send none. */
import type { Metadata } from '@grpc/grpc-js';
import { quote } from '../protocol/errors.js';
import { invalidArgument } from './status.js';

export interface Said {
  /** Author of the requests. Default: that of the server. */
  readonly as?: string;
  /** Also while another name has control. A person alone may. */
  readonly force?: true;
}

const PREFIX = 't4a-';

/** Methods that end something: input is never forced in between that of another. */
const FORCED: readonly string[] = ['Kill', 'Remove'];

/** @throws GrpcError INVALID_ARGUMENT */
export function saidBy(metadata: Metadata, method: string): Said {
  const said: { as?: string; force?: true } = {};
  for (const key of Object.keys(metadata.getMap()).filter((one) => one.startsWith(PREFIX))) {
    const value = metadata.get(key).join(', ');
    if (key === 't4a-as') said.as = value;
    else if (key !== 't4a-force')
      throw invalidArgument(`There is no metadata ${quote(key)}, only t4a-as and t4a-force.`);
    else if (!FORCED.includes(method))
      throw invalidArgument(`t4a-force is for ${FORCED.join(' and ')}, not for ${method}.`);
    else if (value !== 'true') throw invalidArgument(`t4a-force is ${quote(value)}: expected "true".`);
    else said.force = true;
  }
  return said;
}
