import { z } from 'zod';
import { defineCommand } from '../command.js';
import { MAX_TIMEOUT_MS, OUTPUT_RING_BYTES } from '../limits.js';
import { streamKey, terminalId } from '../vocabulary.js';

const offset = z.int().min(0);

export const output = defineCommand({
  name: 'output',
  group: 'look',
  effect: 'read',
  reach: 'read',
  tool: false,
  summary: 'Read the raw output of the program, from a byte offset.',
  details:
    'The reply is a header line, then exactly `len` raw bytes: what the program printed, with its escape sequences. The last 1 MiB of each terminal is kept until the terminal is removed; what came before it, for as long as the history of the terminal has it. If `since` is below what is kept, the error is `offset_gone`, whose field `first` is the first offset that is kept. With `since` at the end or beyond it, the reply comes with the first byte there, at the end of the process, or empty after `wait_ms`. `run` in place of `id` names the `stream` of a `run` that is not answered yet: its program waits for this reader, so nothing is gone.',
  params: () => ({
    id: terminalId.optional(),
    run: streamKey.optional().describe('In place of `id`: the `stream` of a `run` that is under way.'),
    since: offset.optional().describe('Offset of the first byte to read. Absent: the first of the last 1 MiB.'),
    max_bytes: z.int().min(1).max(OUTPUT_RING_BYTES).default(65_536).describe('Bytes in the reply, at most.'),
    wait_ms: z.int().min(0).max(MAX_TIMEOUT_MS).default(0).describe('Longest wait for output if there is none yet.'),
    inline: z.boolean().default(false).describe('Send the bytes as base64 in the JSON line.'),
  }),
  reply: () => ({
    first: offset.describe('Offset of the first byte of the reply.'),
    next: offset.describe('Offset after the last: the `since` of the next request.'),
    len: z.int(),
    ended: z.boolean().describe('The process has ended, and there is no output after `next`.'),
    id: z.string().optional().describe('With `run`: the terminal of its command.'),
    data: z.string().optional().describe('The bytes as base64, with `inline`.'),
  }),
  kind: 'bytes',
  errors: ['terminal_not_found', 'run_not_found', 'invalid_field', 'offset_gone'],
  cli: {
    positionals: ['id?'],
    hidden: ['inline', 'run'],
    flags: [{ name: 'follow', type: 'boolean', description: 'Go on until the program has ended.' }],
    notes:
      'Prints the bytes as they are; on a terminal, without the control sequences that could act on it. With --json the reply has them as base64 in `data`. With --follow, --max-bytes and --wait-ms are those of each request; output that was dropped before it could be read is an error (offset_gone).',
    examples: ['output build --follow | tee log', 'output t1 --since 4096 --wait-ms 5s --json'],
  },
});
