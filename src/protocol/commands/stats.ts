import { z } from 'zod';
import { defineCommand } from '../command.js';
import { MEMORY_STATES } from '../events.js';

const bytes = z.int().min(0);
const count = z.int().min(0);
const milliseconds = z.number().min(0);

export const MEMORY_PRESSURES = ['none', 'high', 'critical'] as const;

export const stats = defineCommand({
  name: 'stats',
  summary: "Look inside the daemon: memory, queues, lag, what was lost, and each terminal's share.",
  params: () => ({
    terminals: z.boolean().default(false).describe('Also tell the figures of each terminal.'),
  }),
  reply: () => ({
    version: z.string(),
    pid: z.int(),
    node: z.string(),
    uptime_ms: z.int(),
    memory: z.object({
      rss: bytes.describe('Resident set.'),
      heap_used: bytes,
      heap_limit: bytes,
      buffers: bytes.describe('Outside of the heap: grids, pictures, what is on its way.'),
      limit: bytes.describe('From `max_memory_bytes`.'),
      pressure: z
        .enum(MEMORY_PRESSURES)
        .describe('`high`: above three quarters of a limit; `critical`: above nine tenths, `create` is refused.'),
      state: z.enum(MEMORY_STATES).describe('What was done about it last, as in the event `memory`.'),
      caches_dropped: count.describe('So often were parts of pictures and read-ahead text dropped.'),
      scrollback_lines_dropped: count.describe('Lines of scrollback that were dropped for want of memory.'),
      terminals_paused: count.describe('So often was the output of a terminal paused.'),
      terminals_removed: count.describe('Terminals that alone held more than half of the limit.'),
    }),
    pictures: z
      .object({
        glyph_bytes: bytes.describe('Drawn glyphs; `atlas_bytes` bounds them.'),
        finished_bytes: bytes.describe('Parts of pictures; at most 16 MiB beside the last one.'),
      })
      .describe('Kept for the next pictures.'),
    event_loop: z
      .object({ lag_p50_ms: milliseconds, lag_p99_ms: milliseconds, lag_max_ms: milliseconds, busy: z.number() })
      .describe('How late a timer was within the last minute, and the share of time in which the process worked.'),
    terminals: z.object({ total: count, running: count }),
    output: z.object({
      parsed_bytes: count.describe('Of all terminals, also of those that are gone.'),
      pending_bytes: bytes.describe('Read and not parsed yet.'),
    }),
    input: z.object({ pending_bytes: bytes.describe('Not read by the programs yet.') }),
    connections: z.object({
      open: count,
      refused: count,
      requests: count.describe('Since the start.'),
      in_flight: count,
      waiting: count.describe('Read and not begun yet.'),
      unread_bytes: bytes.describe('Replies and events that clients have not read yet.'),
    }),
    events: z.object({
      last_seq: count,
      subscriptions: count,
      dropped: count.describe('Lost to subscribers that did not read; each was told by `lagged`.'),
    }),
    descriptors: count.nullable().describe('Open files of the process; null where the system does not tell.'),
    timers: count.describe('Timers that are armed.'),
    listeners: count.describe('Listeners to events within the process.'),
    faults: count.describe('Defects that were logged and survived.'),
    widths: z.string().nullable().describe('What is wrong with the widths of characters; null: nothing.'),
    predecessor: z
      .object({ pid: z.int(), survivors: z.array(z.int()).describe('Processes of its terminals that still run.') })
      .nullable()
      .describe('The daemon before on this socket, if it did not end by itself.'),
    per_terminal: z
      .array(
        z.object({
          id: z.string(),
          parsed_bytes: count,
          pending_bytes: bytes,
          input_pending_bytes: bytes,
          lines: count.describe('Of the scrollback and the viewport.'),
          memory_bytes: bytes.describe('Estimate of what its screen holds.'),
          paused: z.boolean().describe('Its output waits until there is memory.'),
        }),
      )
      .optional(),
  }),
  cli: { examples: ['stats', 'stats --terminals'] },
});
