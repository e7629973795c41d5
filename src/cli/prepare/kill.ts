/** `t4a kill`: which terminals have to be ended is never guessed. */
import { T4aError } from '../../protocol/errors.js';
import type { Prepare } from './preparer.js';

export const prepareKill: Prepare = ({ params }) => {
  const { id, exited, all, where } = params;
  if (id === undefined && exited !== true && all !== true && where === undefined) {
    throw new T4aError('usage', 'kill needs a terminal.', {
      hint: 't4a kill @ ends the one used last; or --exited, --where, --all',
    });
  }
  // A single one as older daemons understand it.
  return Array.isArray(id) && id.length === 1 ? { ...params, id: id[0] as string } : params;
};
