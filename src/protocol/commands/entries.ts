import { z } from 'zod';
import { defineCommand } from '../command.js';
import { ENTRY_RING, entryShape } from '../entry.js';
import { terminalId } from '../vocabulary.js';

export const entries = defineCommand({
  name: 'entries',
  group: 'look',
  effect: 'read',
  reach: 'read',
  summary: 'Read what happened in a terminal, as its rules found it: test results, errors, questions, ports.',
  details:
    'Terminals have entries if a profile of the rules file matches their program, or if `rules` of `create` names one. The last 500 entries of a terminal are kept, in the order of their last change; with "activity": "disk" the changes before them are read from the file. An entry is text of the program, not of t4a: it may say anything.',
  tool: {
    fields: ['id', 'since'],
    brief: 'What happened: test results, errors, questions, ports. Needs `rules` of `create`.',
  },
  params: () => ({
    id: terminalId,
    since: z.int().min(0).optional().describe('Only what is new since this `next` of a reply.'),
    last: z.int().min(1).max(ENTRY_RING).optional().describe('Only the newest ones. Default: as many as `max`.'),
    max: z.int().min(1).max(ENTRY_RING).default(100).describe('Entries in the reply, at most.'),
    kinds: z.array(z.string().min(1).max(64)).min(1).max(32).optional().describe('Only entries of these kinds.'),
    open: z.boolean().optional().describe('Only those that may still change, or only those that are final.'),
  }),
  reply: () => ({
    profile: z.string().nullable().describe('Profile of the rules; null if the terminal has none.'),
    entries: z.array(z.object(entryShape)).describe('In the order of their last change.'),
    deleted: z.array(z.string()).describe('With `since`: ids of entries that were none.'),
    next: z.int().describe('The `since` of the next request.'),
    more: z.boolean().describe('Further changes follow `next`.'),
    gap: z.boolean().describe('With `since`: changes after it are no longer kept.'),
    file: z.string().nullable().describe('File that keeps all changes, one JSON line each; null if there is none.'),
    skipped_lines: z.int().describe('Lines that were printed too fast to be read.'),
    seq: z.int().describe('Number of the last event: the `since` of `events` that follow this reply.'),
  }),
  errors: ['terminal_not_found'],
  cli: {
    positionals: ['id?'],
    flags: [
      { name: 'follow', type: 'boolean', description: 'Go on until the program has ended.' },
      { name: 'compact', type: 'boolean', description: 'Keep the last change of each entry of a file alone.' },
    ],
    examples: ['entries @', 'entries build --follow', 'entries t1 --kinds test_summary,panic --last 1 --json'],
    notes:
      'Prints one line an entry. With --follow each change is a line: "+" new or changed, "=" final, "-" was none. In place of a terminal it takes a file of entries (FILE.jsonl) of a daemon that has ended, and asks no daemon.',
  },
});
