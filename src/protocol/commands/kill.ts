import { z } from 'zod';
import { defineCommand } from '../command.js';
import { MAX_GRACE_MS, MAX_KILLED } from '../limits.js';
import { where } from '../labels.js';
import { exitCode, signalName, survivors, terminalId } from '../vocabulary.js';

export const kill = defineCommand({
  name: 'kill',
  group: 'start',
  effect: 'end',
  reach: 'create',
  person: ['force'],
  tool: { fields: ['id', 'signal'], brief: 'End terminals, or signal their programs.' },
  summary: 'End terminals, or send a signal to the programs in them.',
  details:
    'Without `signal`: SIGHUP, then SIGTERM, then SIGKILL after a grace period each, to each process of the session once; then the kernel hangs up and the terminal is removed. A program in the foreground that handles SIGHUP gets it as at a hang-up: from the kernel as the first process ends, or from its shell. Output that is not parsed by then is dropped. With `signal`: only that signal, to the foreground process group; the terminal stays. Exactly one of `id`, `exited`, `where` and `all` is needed. If one of several ids names no terminal, or another name has control of one of several terminals that are alive, none is ended.',
  params: () => ({
    id: z
      .union([terminalId, z.array(terminalId).min(1).max(MAX_KILLED)])
      .optional()
      .describe('The terminal, or several: an id or name each, or "@" for the one used last.'),
    exited: z.boolean().default(false).describe('Every terminal whose program has ended.'),
    all: z.boolean().default(false).describe('Every terminal of the daemon.'),
    where: where.optional().describe('Every terminal that these things are true of.'),
    signal: z
      .union([z.string().min(1).max(16), z.int().min(1).max(64)])
      .optional()
      .describe('Name ("SIGINT", "int") or number.'),
    grace_ms: z
      .int()
      .min(0)
      .max(MAX_GRACE_MS)
      .optional()
      .describe(
        "Time that a program has to end by itself, after SIGHUP and after SIGTERM. Default: the configuration's.",
      ),
    keep: z.boolean().default(false).describe('End the program, and keep the terminal for reading.'),
    tree: z.boolean().default(false).describe('Also the terminals that were created from within it, those first.'),
    force: z.boolean().default(false).describe('Also while another name has control. A person alone may.'),
  }),
  reply: () => ({
    ended: z
      .array(z.object({ id: z.string(), exit_code: exitCode, signal: signalName }))
      .optional()
      .describe('The terminals that were ended, and how their programs ended; absent with `signal`.'),
    survivors,
  }),
  errors: ['terminal_not_found', 'terminal_exited', 'not_permitted', 'control_held', 'invalid_field', 'bad_regex'],
  cli: {
    positionals: ['id...?'],
    examples: [
      'kill t1',
      'kill build test',
      'kill --exited',
      'kill t1 --signal INT',
      'kill agent --tree',
      'kill build --keep',
      'kill build --force',
      `kill --where role=worker`,
    ],
    notes: 'Prints a line for each terminal that was ended.',
  },
});
