/** The figures of a daemon in lines for people, with those marked that are out of their bounds. Pure. */
import type { Reply } from '../protocol/registry.js';

export interface Reading {
  readonly name: string;
  readonly value: string;
  /** One sentence on what it means. */
  readonly says: string;
  readonly isOut: boolean;
}

/** Older daemons lack some. */
type Figures = {
  readonly [Name in Exclude<keyof Reply<'stats'>, 'per_terminal' | 'rules'>]?: Partial<
    NonNullable<Reply<'stats'>[Name]>
  > | null;
};

const MIB = 1024 * 1024;
/** Keys and echoes are felt to be late beyond it. */
const MOST_LAG_MS = 100;
const MOST_BUSY = 0.9;
const MOST_OF_HEAP = 0.85;
/** Half of what makes a program wait. */
const MOST_PENDING = 8 * MIB;
const MOST_UNREAD = 4 * MIB;

export function readingsOf(stats: Figures): Reading[] {
  const groups = [memory, heap, lag, terminals, output, input, connections, events, losses, faults];
  return groups.flatMap((group) => group(stats) ?? []);
}

function memory({ memory: m }: Figures): Reading | undefined {
  if (m?.rss === undefined || m.limit === undefined) return undefined;
  const isOut = (m.pressure ?? 'none') !== 'none';
  const says = isOut
    ? `Pressure is ${m.pressure}: ${m.pressure === 'critical' ? 'no new terminal is taken' : 'caches and scrollback go first'}.`
    : 'There is room.';
  return { name: 'Memory', value: `${size(m.rss)} of ${size(m.limit)}`, says, isOut };
}

function heap({ memory: m }: Figures): Reading | undefined {
  if (m?.heap_used === undefined || m.heap_limit === undefined) return undefined;
  const isOut = m.heap_used > MOST_OF_HEAP * m.heap_limit;
  const says = isOut ? 'The heap is nearly full.' : `And ${size(m.buffers ?? 0)} of grids and buffers beside it.`;
  return { name: 'Heap', value: `${size(m.heap_used)} of ${size(m.heap_limit)}`, says, isOut };
}

function lag({ event_loop: loop }: Figures): Reading | undefined {
  if (loop?.lag_p99_ms === undefined) return undefined;
  const { lag_p50_ms: median = 0, lag_p99_ms: p99, lag_max_ms: most = 0, busy = 0 } = loop;
  const isOut = p99 > MOST_LAG_MS || busy > MOST_BUSY;
  const says = `Half within ${ms(median)}, the longest ${ms(most)}; busy ${Math.round(busy * 100)} % of the time.`;
  return { name: 'Lag', value: ms(p99), says, isOut };
}

function terminals({ terminals: all, uptime_ms: uptime }: Figures): Reading | undefined {
  if (all?.total === undefined) return undefined;
  const minutes = Math.floor((uptime ?? 0) / 60_000);
  const up = minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
  return {
    name: 'Terminals',
    value: `${all.running ?? 0} of ${all.total} run`,
    says: `Up for ${up}.`,
    isOut: false,
  };
}

function output({ output: o }: Figures): Reading | undefined {
  if (o?.pending_bytes === undefined) return undefined;
  const isOut = o.pending_bytes > MOST_PENDING;
  const says = isOut ? 'Screens are behind their programs.' : `${size(o.parsed_bytes ?? 0)} were read in all.`;
  return { name: 'Output that waits', value: size(o.pending_bytes), says, isOut };
}

function input({ input: i }: Figures): Reading | undefined {
  if (i?.pending_bytes === undefined) return undefined;
  const isOut = i.pending_bytes > 0;
  const says = isOut ? 'Programs have not read what was typed.' : 'Programs have read all that was typed.';
  return { name: 'Input that waits', value: size(i.pending_bytes), says, isOut };
}

function connections({ connections: c }: Figures): Reading | undefined {
  if (c?.open === undefined) return undefined;
  const { waiting = 0, unread_bytes: unread = 0, refused = 0, in_flight: asked = 0 } = c;
  const isOut = unread > MOST_UNREAD || refused > 0;
  const says = `${asked} requests under way, ${waiting} wait, ${size(unread)} unread by clients, ${refused} refused.`;
  return { name: 'Connections', value: String(c.open), says, isOut };
}

function events({ events: e }: Figures): Reading | undefined {
  if (e?.dropped === undefined) return undefined;
  const isOut = e.dropped > 0;
  const says = isOut
    ? 'Slow subscribers have missed events.'
    : `Subscribers: ${e.subscriptions ?? 0}, and none has missed one.`;
  return { name: 'Events lost', value: String(e.dropped), says, isOut };
}

function losses({ memory: m }: Figures): Reading | undefined {
  if (m?.scrollback_lines_dropped === undefined) return undefined;
  const { scrollback_lines_dropped: lines, terminals_paused: paused = 0, terminals_removed: removed = 0 } = m;
  const isOut = lines + paused + removed > 0;
  const says = isOut
    ? `For want of memory: ${paused} pauses of terminals, ${removed} terminals removed.`
    : 'Nothing was given up for memory.';
  return { name: 'Lines lost', value: String(lines), says, isOut };
}

function faults({ faults: count, widths }: Figures): Reading | undefined {
  if (typeof count !== 'number') return undefined;
  const isOut = count > 0 || typeof widths === 'string';
  const says = typeof widths === 'string' ? widths : isOut ? 'The log of the daemon has them.' : 'None so far.';
  return { name: 'Internal errors', value: String(count), says, isOut };
}

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < MIB) return `${Math.round(bytes / 1024)} KiB`;
  return bytes < 1024 * MIB ? `${Math.round(bytes / MIB)} MiB` : `${(bytes / 1024 / MIB).toFixed(1)} GiB`;
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
