/** After `kill` and `shutdown`: the processes that are left, if any. */
import type { Reply } from '../../protocol/registry.js';
import type { Host } from '../host.js';
import type { Present } from './presenter.js';

export const presentKill: Present<'kill'> = ({ reply }, host) => noteOrphans(reply, host);

export function noteOrphans({ survivors }: Reply<'kill'>, host: Host): void {
  if (survivors === undefined) return;
  host.note(`t4a: could not end these processes, which may be another user's: pids ${survivors.join(', ')}.\n`);
}
