/** Work of a program, and a line for each signal. */
import { formatSpan } from '../../base/span.js';
import { probably } from '../../protocol/end-words.js';
import type { Reply } from '../../protocol/registry.js';
import { printable } from '../output/printable.js';
import { formatTable } from '../output/table.js';
import type { Present } from './presenter.js';

type Explained = Reply<'explain'>;

/** Bound of the words of a program: longer ones are cut. */
const MAX_SAYS = 60;

export const presentExplain: Present<'explain'> = ({ reply }, host) => {
  const { doing, signals, warning, left_out: leftOut = 0 } = reply;
  host.out(`${headline(reply)}\n`);
  if (doing.needs_you !== null) host.out(`needs you: ${doing.needs_you}\n`);
  if (signals.length > 0) host.out(`${formatTable(signals.map(cells), Number.POSITIVE_INFINITY).trimEnd()}\n`);
  if (leftOut > 0) host.out(`and ${leftOut} more\n`);
  if (warning !== undefined) host.note(`${warning}\n`);
};

/** Prints what t4a concludes: another source may stand above the report. */
export const presentReport: Present<'report'> = ({ reply: { doing } }, host) => {
  host.out(`${headline({ doing, for_ms: null })}\n`);
};

function headline({ doing, for_ms: forMs }: Pick<Explained, 'doing' | 'for_ms'>): string {
  const { kind, source } = doing;
  const is = probably({ certain: doing.sure || doing.is === 'unknown' }, doing.is);
  const what = kind === null ? is : `${is}:${kind}`;
  const span = forMs === null ? '' : ` for ${formatSpan(forMs)}`;
  return `${what}${span}${source === null ? '' : ` (${source})`}`;
}

function cells({ source, says, by, age_ms: ageMs, why }: Explained['signals'][number]): string[] {
  const points = Array.from(says);
  const shown = points.length <= MAX_SAYS ? says : `${points.slice(0, MAX_SAYS - 1).join('')}…`;
  const who = by === null ? '' : `by ${by.process ?? 'process'} ${by.pid}`;
  return [`  ${source}`, printable(shown), printable(who), ageMs === null ? '' : formatSpan(ageMs), why];
}
