/** The refusal of what another name has: who, why, since when, and what to do about it. */
import { T4aError, quote } from '../../protocol/errors.js';
import { type Hold, type Instant, spanMs } from './control-state.js';

export function controlHeld(id: string, hold: Hold, now: Instant, consequence: string): T4aError {
  const { as, owner, person, reason, since } = hold;
  const why = reason === undefined ? '' : ` (${quote(reason)})`;
  const seconds = Math.floor(spanMs(since, now) / 1000);
  const who = `${person ? 'a person' : 'an agent'}${owner === undefined ? '' : ' on a connection of its own'}`;
  const message = `Terminal "${id}" is in the hands of ${as}, ${who}${why}, for ${seconds} s: ${consequence}.`;
  return new T4aError('control_held', message, { hint: `t4a wait ${id} --control free` });
}
