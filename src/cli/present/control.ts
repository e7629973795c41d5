/** Holders of terminals, and those who ask for control, a line each. */
import type { Reply } from '../../protocol/registry.js';
import { printable } from '../output/printable.js';
import type { Present } from './presenter.js';
import { formatSpan } from '../../base/span.js';

type Claimant = Reply<'control'>['requests'][number];

export const presentControl: Present<'control'> = ({ reply }, host) => {
  const { holder, requests, expires_in_ms: leftMs } = reply;
  if (holder === null) host.out('free\n');
  else {
    const end = leftMs === null ? '' : `, ends ${leftMs === 0 ? 'soon' : `in ${formatSpan(leftMs)}`} without input`;
    host.out(`held    ${describe(holder)}${end}\n`);
  }
  host.out(requests.map((request) => `asked   ${describe(request)}\n`).join(''));
};

function describe({ as, person, since, reason }: Claimant): string {
  const time = new Date(since).toTimeString().slice(0, 'HH:MM:SS'.length);
  const why = reason === undefined ? '' : `: ${JSON.stringify(reason)}`;
  return printable(`${as} (${person ? 'person' : 'agent'}), since ${time}${why}`);
}
