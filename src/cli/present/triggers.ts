/** Triggers, one a line, as they were given: a condition, and what is done then. */
import { printable } from '../output/printable.js';
import { formatFields, formatTable } from '../output/table.js';
import type { Present } from './presenter.js';

export const presentTrigger: Present<'trigger'> = ({ reply: { warning, ...made } }, host) => {
  host.out(formatFields(made));
  if (warning !== undefined) host.note(`${printable(warning)}\n`);
};

export const presentTriggers: Present<'triggers'> = ({ reply: { triggers } }, host) => {
  if (triggers.length === 0) return host.note('No triggers.\n');
  const rows = triggers.map(({ trigger, id, name, when, do: actions, fired, state, last_error: lastError }) =>
    [
      String(trigger),
      name ?? '',
      id,
      when.map(words).join(' or '),
      actions.map(words).join(', '),
      String(fired),
      lastError === null ? state : `${state}, ${lastError}`,
    ].map(printable),
  );
  const headings = ['TRIGGER', 'NAME', 'TERMINAL', 'WHEN', 'DO', 'FIRED', 'STATE'];
  host.out(formatTable([headings, ...rows], Number.POSITIVE_INFINITY));
};

function words(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => (value === true ? name : `${name}=${written(value)}`))
    .join(' ');
}

function written(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(' ') : JSON.stringify(value);
}
