import { z } from 'zod';
import { defineCommand } from '../command.js';
import { MEMORY_STATES } from '../events.js';

const bytes = z.int().min(0);
const count = z.int().min(0);
const milliseconds = z.number().min(0);

export const MEMORY_PRESSURES = ['none', 'high', 'critical'] as const;

export const stats = defineCommand({
  name: 'stats',
  group: 'plumbing',
  effect: 'read',
  reach: 'read',
  startsNoDaemon: true,
  summary: 'Show the figures of the daemon: memory, queues, lag, losses.',
  params: () => ({
    terminals: z.boolean().default(false).describe('Include the figures of each terminal.'),
    rules: z.boolean().default(false).describe('Include what each rule has found, see `entries`.'),
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
      buffers: bytes.describe('Memory outside of the heap: grids, pictures, buffers.'),
      limit: bytes.describe('From `max_memory_bytes`.'),
      pressure: z
        .enum(MEMORY_PRESSURES)
        .describe('`high`: above three quarters of a limit; `critical`: above nine tenths, `create` is refused.'),
      state: z.enum(MEMORY_STATES).describe('The last measure, as in the event `memory`.'),
      caches_dropped: count.describe('Times that parts of pictures and read-ahead text were dropped.'),
      scrollback_lines_dropped: count.describe('Lines of scrollback that were dropped to free memory.'),
      terminals_paused: count.describe('Times that the output of a terminal was paused.'),
      terminals_removed: count.describe('Terminals that alone held more than half of the limit.'),
    }),
    pictures: z
      .object({
        glyph_bytes: bytes.describe('Drawn glyphs, at most `atlas_bytes`.'),
        finished_bytes: bytes.describe('Parts of pictures, at most 16 MiB beside the last picture.'),
      })
      .describe('Caches for the next pictures.'),
    event_loop: z
      .object({ lag_p50_ms: milliseconds, lag_p99_ms: milliseconds, lag_max_ms: milliseconds, busy: z.number() })
      .describe('Delay of a timer within the last minute, and the share of time in which the process was busy.'),
    terminals: z.object({ total: count, running: count }),
    output: z.object({
      parsed_bytes: count.describe('Output of all terminals, including removed ones.'),
      pending_bytes: bytes.describe('Output that is read but not parsed yet.'),
    }),
    input: z.object({ pending_bytes: bytes.describe('Input that the programs have not read yet.') }),
    connections: z.object({
      open: count,
      refused: count,
      requests: count.describe('Requests since the start.'),
      in_flight: count,
      waiting: count.describe('Requests that are read but not started yet.'),
      unread_bytes: bytes.describe('Replies and events that clients have not read yet.'),
    }),
    events: z.object({
      last_seq: count,
      subscriptions: count,
      dropped: count.describe('Events dropped for slow subscribers; each got a `lagged`.'),
    }),
    descriptors: count.nullable().describe('Open files of the process; null if unknown.'),
    timers: count.describe('Active timers.'),
    listeners: count.describe('Event listeners within the process.'),
    faults: count.describe('Internal errors that were logged.'),
    widths: z.string().nullable().describe('Fault in the widths of characters; null if none.'),
    predecessor: z
      .object({ pid: z.int(), survivors: z.array(z.int()).describe('Processes of its terminals that still run.') })
      .nullable()
      .describe('The previous daemon on this socket, if it did not shut down by itself.'),
    per_terminal: z
      .array(
        z.object({
          id: z.string(),
          parsed_bytes: count,
          pending_bytes: bytes,
          input_pending_bytes: bytes,
          lines: count.describe('Lines of the scrollback and the viewport.'),
          memory_bytes: bytes.describe('Estimated memory of its screen, and of its kept output.'),
          paused: z.boolean().describe('Its output waits for free memory.'),
        }),
      )
      .optional(),
    rules: z
      .array(
        z.object({
          profile: z.string(),
          rule: z.string(),
          kind: z.string(),
          found: count.describe('Entries of all terminals, also of removed ones.'),
          changed: count.describe('Later versions of them.'),
          deleted: count.describe('Those that were none after all.'),
        }),
      )
      .optional()
      .describe('Every rule of the profiles by which terminals were read.'),
  }),
  cli: { examples: ['stats', 'stats --terminals', 'stats --rules'] },
});
