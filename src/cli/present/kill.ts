/** After `kill` and `shutdown`: the processes that are left, if any. */
import { endWords } from '../../protocol/end-words.js';
import type { Reply } from '../../protocol/registry.js';
import type { Host } from '../host.js';
import type { Present } from './presenter.js';

export const presentKill: Present<'kill'> = ({ reply }, host) => {
  for (const { id, ...end } of reply.ended ?? []) host.out(`${id}: ${endWords(end) ?? 'ended'}\n`);
  noteOrphans(reply, host);
};

export function noteOrphans({ survivors }: Pick<Reply<'kill'>, 'survivors'>, host: Host): void {
  if (survivors === undefined) return;
  host.note(`t4a: could not end these processes, which may be another user's: pids ${survivors.join(', ')}.\n`);
}
