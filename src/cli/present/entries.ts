/** Entries of a terminal: one line an entry, and with --follow one line a change. */
import type { Client } from '../../client/client.js';
import type { WireEntry } from '../../protocol/entry.js';
import type { Fields, Invocation } from '../argv/invocation.js';
import type { Host } from '../host.js';
import { printable } from '../output/printable.js';
import type { Present } from './presenter.js';

const SIGNS = { upsert: '+', finalize: '=', delete: '-' } as const;

export const presentEntries: Present<'entries'> = ({ reply }, host) => {
  if (reply.profile === null)
    return host.note('This terminal has no rules. "t4a create --rules generic" gives it some.\n');
  for (const entry of reply.entries) host.out(`${lineOf(entry)}\n`);
};

/** @returns the exit status */
export async function followEntries(
  client: Client,
  { options }: Invocation,
  given: Fields,
  host: Host,
): Promise<number> {
  const { id, alive } = await client.call('status', { id: String(given['id']) });
  const reply = await client.call('entries', { ...given, id });
  const isJson = options['json'] === true;
  const print = (op: keyof typeof SIGNS, entry: WireEntry): void =>
    host.out(isJson ? `${JSON.stringify({ op, entry })}\n` : `${SIGNS[op]} ${lineOf(entry)}\n`);
  for (const entry of reply.entries) print(entry.open ? 'upsert' : 'finalize', entry);
  if (!alive) return 0;
  const kinds = given['kinds'] as readonly string[] | undefined;
  const events = client.events({ terminal: id, types: ['entry', 'exit', 'removed'], since: reply.seq });
  for await (const event of events) {
    await host.drained?.();
    if (event.event === 'exit' || event.event === 'removed') return 0;
    if (event.event === 'entry' && kinds?.includes(event.entry.kind) !== false) print(event.op, event.entry);
  }
  return 0;
}

/** Time, kind and what is in it: captures, else the first line of its text. */
export function lineOf({ ts, kind, data, open }: WireEntry): string {
  const time = new Date(ts).toTimeString().slice(0, 8);
  const text = firstLine(data);
  const captures = Object.entries(data).filter(([name, value]) => name !== 'text' && !text.includes(String(value)));
  const rest = captures.map(([name, value]) => ` ${name}=${String(value)}`).join('');
  return printable(`${time} ${kind}${open ? ' (open)' : ''}: ${text}${rest}`);
}

export function firstLine({ text }: WireEntry['data']): string {
  return typeof text === 'string' ? (text.split('\n')[0] ?? '').trim() : '';
}
