import { z } from 'zod';
import { defineCommand } from '../command.js';
import { MAX_SCROLLBACK_LINES } from '../limits.js';

/** Version and process of a daemon. */
const side = z.object({ version: z.string(), pid: z.int() });

export const replace = defineCommand({
  name: 'replace',
  group: 'configuration',
  effect: 'act',
  reach: 'admin',
  startsNoDaemon: true,
  summary: 'Put another version of the daemon in the place of this one; terminals and programs go on.',
  details:
    'The new daemon is started, gets all terminals with their screens, scrollback, shells and events, and serves the same socket. Until it has all of them nothing is changed: a new daemon that does not start, hangs or differs leaves the old one as it was. Requests under way are answered with the error `replaced`, and connections are closed; waits, runs and streams are asked again. Recordings, opened ones too, terminals that are kept on disk, holds (one of a connection for 10 s), questions to persons, triggers, receipts of deliveries, rules with their entries, and reports go along. What is tied to a connection stays if a request with the same `scope` comes within 10 s. Actions of triggers and deliveries under way are awaited for 2.5 s; then it is refused. The old process stays until its programs have ended, as their parent: see `exits`.',
  params: () => ({
    exec: z
      .string()
      .max(4096)
      .optional()
      .describe(
        "Absolute path of the Node that runs it. Default: the caller's on the command line, else the daemon's.",
      ),
    entry: z
      .string()
      .max(4096)
      .optional()
      .describe(
        "Absolute path of the program `daemon.cjs` of an installed t4a, which is yours or root's, and which no other user may write. Default: the caller's on the command line, else the daemon's.",
      ),
    check: z.boolean().default(false).describe('Start the new one, ask it whether it could take over, and end it.'),
    history: z
      .boolean()
      .default(true)
      .describe(
        'Whether what `at` and handles can read of the time before goes along; without it the state is smaller.',
      ),
    scrollback: z
      .int()
      .min(0)
      .max(MAX_SCROLLBACK_LINES)
      .optional()
      .describe(
        'Lines above each viewport that go along, the newest ones. Default: all. Fewer take less memory, and a shorter pause; limits stay as they are.',
      ),
    within_ms: z
      .int()
      .min(100)
      .max(600_000)
      .default(10_000)
      .describe('Bound of the pause; beyond it the old one goes on.'),
  }),
  reply: () => ({
    from: side,
    to: side,
    terminals: z.int().describe('That went along, ended ones included.'),
    pause_ms: z.number().describe('How long no request was answered.'),
    state_bytes: z.int().describe('Size of the state that was handed over.'),
    history: z.boolean().describe('Whether what `at` can read of the time before went along.'),
    left_lines: z
      .int()
      .optional()
      .describe('Lines above the viewports that did not go along, because of `scrollback`.'),
    exits: z
      .enum(['stub', 'waiter'])
      .describe(
        'What the old process is until its programs have ended: a stub of 0.2 MB (Linux, Node from 22.15 on), or one that learns how they end and passes it on. One that came after such a one stays like it as long as that.',
      ),
  }),
  cli: {
    fields: { history: { off: 'Leave behind what `at` and handles can read of the time before.' } },
    examples: ['replace --check', 'replace', 'replace --scrollback 1000 --no-history'],
  },
});
