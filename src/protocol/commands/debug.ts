import { z } from 'zod';
import { defineCommand } from '../command.js';
import { rev, terminalId } from '../vocabulary.js';

/** Bytes of output that are kept. */
export const MAX_TAIL_BYTES = 16 * 1024;

const sequence = {
  kind: z.enum(['csi', 'esc', 'osc', 'dcs']),
  text: z.string().describe('Readable, for example "CSI ?1;2h".'),
  hex: z.string().describe('The bytes, with their introducer.'),
  count: z.int().describe('How often, counted while no other came between.'),
  rev,
};

const hexWord = z.string().describe('Hexadecimal.');

export const debug = defineCommand({
  name: 'debug',
  summary: 'What the program did that the screen does not show.',
  details:
    'Sequences that are not implemented or were too long to be taken, queries and whether they were answered, the raw end of the output, the line discipline, what the foreground processes are blocked in, and whether the shell tells its commands. Rings are bounded: `dropped` counts what fell out. Nothing that was sent as input is kept.',
  params: () => ({
    id: terminalId,
    clear: z
      .boolean()
      .default(false)
      .describe('Forget the sequences and queries told, so that the next call has new ones.'),
    tail_bytes: z.int().min(0).max(MAX_TAIL_BYTES).default(1024).describe('Bytes of output told.'),
  }),
  reply: () => ({
    unhandled: z
      .object({ sequences: z.array(z.object(sequence)), dropped: z.int() })
      .describe('Of long ones the first 256 characters. Payloads beyond 64 KiB (OSC 52: 1 MiB) are not taken at all.'),
    queries: z.object({
      seen: z.array(
        z.object({
          ...sequence,
          answered: z.boolean(),
          answer: z.string().optional().describe('Readable.'),
        }),
      ),
      dropped: z.int(),
    }),
    output: z.object({
      text: z.string().describe('Readable: ESC is \\e, other bytes that are no printable ASCII are \\xHH.'),
      base64: z.string(),
      bytes: z.int().describe('Bytes that the program has printed in all.'),
    }),
    termios: z
      .object({
        mode: z.enum(['canonical', 'cbreak', 'raw']),
        flags: z.record(z.string(), z.boolean()),
        characters: z.record(z.string(), z.object({ text: z.string(), byte: z.int() }).nullable()),
        min: z.int().optional(),
        time: z.int().optional(),
        speed: z.int().optional(),
        hex: z.object({ iflag: hexWord, oflag: hexWord, cflag: hexWord, lflag: hexWord }).optional(),
      })
      .nullable()
      .describe('Null where the terminal is gone or nobody tells.'),
    foreground: z
      .object({
        group: z.int(),
        threads: z.array(
          z.object({
            pid: z.int(),
            process: z.string(),
            blocked_in: z.enum(['read', 'poll', 'hidden', 'other']).describe('poll: also select and epoll.'),
            terminal: z
              .boolean()
              .optional()
              .describe('Whether that is this terminal, or it is among what is waited for.'),
            wait_channel: z.string().optional().describe('Where in the kernel, as it says.'),
          }),
        ),
      })
      .nullable()
      .describe('Null where the process has ended or nobody tells.'),
    shell: z
      .object({
        name: z.string(),
        integration: z.enum(['on', 'off']),
        reason: z.string().optional().describe('Why it is off, in its own words.'),
      })
      .nullable()
      .describe('What the scripts of the shell integration have said; null where they have said nothing.'),
    pending_output_bytes: z.int().describe('Arrived, but not parsed yet.'),
    pending_input_bytes: z.int().describe('Sent, but not taken by the kernel yet.'),
    rev,
  }),
  errors: ['terminal_not_found'],
  cli: { positionals: ['id?'], examples: ['debug @', 'debug @ --clear', 'debug t1 --tail-bytes 4096 --json'] },
});
