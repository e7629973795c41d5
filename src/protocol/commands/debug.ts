import { z } from 'zod';
import { defineCommand } from '../command.js';
import { readTurnShape, turnReplyShape } from '../observation.js';
import { rev, terminalId } from '../vocabulary.js';
import { turnErrors } from '../turn-errors.js';

/** The rest of what is kept is read with `output`. */
export const MAX_TAIL_BYTES = 16 * 1024;

const sequenceShape = () => ({
  kind: z.enum(['csi', 'esc', 'osc', 'dcs', 'apc']),
  text: z.string().describe('Readable, for example "CSI ?1;2h".'),
  hex: z.string().describe('The bytes, with their introducer.'),
  count: z.int().describe('Number of repetitions in a row.'),
  rev,
});

/** `inputs` of this command are the inputs themselves. */
function withoutInputs(): Omit<typeof turnReplyShape, 'inputs'> {
  const { inputs: _inputs, ...others } = turnReplyShape;
  return others;
}

const hexWord = z.string().describe('Hexadecimal.');

export const debug = defineCommand({
  name: 'debug',
  group: 'look',
  effect: 'read',
  reach: 'read',
  fieldReach: { clear: 'use' },
  summary: 'Show what the screen does not: unhandled sequences, queries, raw output, modes.',
  details:
    'Sequences that are not implemented or were too long, queries and their answers, the raw end of the output, the line discipline, the system calls in which the foreground processes are blocked, and the state of the shell integration. The lists are bounded: `dropped` counts the oldest entries that were dropped. Of input only its author, command, time and length are kept, of a secret not its length.',
  params: () => ({
    id: terminalId,
    clear: z.boolean().default(false).describe('Clear the sequences and queries after reading them.'),
    tail_bytes: z.int().min(0).max(MAX_TAIL_BYTES).default(1024).describe('Bytes of output in the reply.'),
    ...readTurnShape,
  }),
  reply: () => ({
    unhandled: z
      .object({ sequences: z.array(z.object(sequenceShape())), dropped: z.int() })
      .describe('The first 256 characters of each. Payloads above 64 KiB (OSC 52: 1 MiB) are ignored.'),
    queries: z.object({
      seen: z.array(
        z.object({
          ...sequenceShape(),
          answered: z.boolean(),
          answer: z.string().optional().describe('Readable.'),
        }),
      ),
      dropped: z.int(),
    }),
    output: z.object({
      text: z.string().describe('Readable: ESC is \\e, other bytes outside of printable ASCII are \\xHH.'),
      base64: z.string(),
      bytes: z.int().describe('Total bytes of output.'),
    }),
    inputs: z
      .object({
        seen: z.array(
          z.object({
            as: z.string().nullable().describe('Author; null if the request named none.'),
            cmd: z.string(),
            ts: z.number().describe('Milliseconds since the Unix epoch.'),
            bytes: z.int().nullable().describe('Null for a secret.'),
          }),
        ),
        dropped: z.int(),
      })
      .describe('Inputs of clients, without their content.'),
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
      .describe('Null if unknown.'),
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
              .describe('True if the thread waits for this terminal, alone or among others.'),
            wait_channel: z.string().optional().describe('Wait channel of the kernel.'),
          }),
        ),
      })
      .nullable()
      .describe('Null if the process has ended, or if unknown.'),
    shell: z
      .object({
        name: z.string(),
        integration: z.enum(['on', 'off']),
        reason: z.string().optional().describe('Reason why it is off.'),
      })
      .nullable()
      .describe('State of the shell integration; null if its scripts have reported nothing.'),
    pending_output_bytes: z.int().describe('Output that is read but not parsed yet.'),
    pending_input_bytes: z.int().describe('Input that the kernel has not taken yet.'),
    rev,
    ...withoutInputs(),
  }),
  kind: 'bytes',
  errors: ['terminal_not_found', ...turnErrors],
  cli: { positionals: ['id?'], examples: ['debug @', 'debug @ --clear', 'debug t1 --tail-bytes 4096 --json'] },
});
