import { z } from 'zod';
import { defineCommand } from '../command.js';
import { conditionalShape, MAX_KEYS, inputErrors } from '../input.js';
import { turnReplyShape, turnShape } from '../observation.js';
import { terminalId } from '../vocabulary.js';
import { turnErrors } from '../turn-errors.js';

export const press = defineCommand({
  name: 'press',
  group: 'act',
  effect: 'end',
  reach: 'use',
  tool: {
    fields: ['id', 'keys', 'wait', 'observe'],
    brief: 'Press keys by name: Enter, Escape, Up, Tab, F5, Ctrl+C, or a single character.',
  },
  summary: 'Press keys, by name.',
  details:
    'Names are case-insensitive: `Enter`, `Esc`, `PgUp`, `F1` to `F24`, `KP0`, `Ctrl+Shift+Left`; also `C-c`, `M-x`, `^C`, `<C-w>`, `BSpace`. A single character is the key that types it. Keys are encoded for the modes that the program has set (cursor and keypad modes, modifyOtherKeys, the kitty keyboard protocol). An unknown name is an error, and nothing is sent. A short pause follows Escape, so that the program does not read the next key as Alt with that key. Ctrl+C, Ctrl+\\ and Ctrl+Z as the first key overtake input that the program has not read yet.',
  params: () => ({
    id: terminalId,
    keys: z.array(z.string()).min(1).max(MAX_KEYS).describe('Names of keys, in order.'),
    gap_ms: z.int().min(0).max(1000).default(0).describe('Pause between keys.'),
    if_entry: z
      .string()
      .regex(/^[\w.:-]{1,64}@\d{1,9}$/, 'an entry and its version: id@version')
      .optional()
      .describe(
        'Press only while this entry is open and of this version, by a look right before, else `entry_changed`.',
      ),
    ...conditionalShape,
    ...turnShape,
  }),
  reply: () => ({ bytes_sent: z.int(), ...turnReplyShape }),
  kind: 'bytes',
  errors: [...inputErrors, ...turnErrors, 'unknown_key', 'key_not_sendable', 'entry_changed'],
  cli: {
    positionals: ['id', 'keys...'],
    examples: [
      'press @ Ctrl+C',
      'press @ Escape : w q Enter',
      'press @ Down Down Enter --gap-ms 50',
      'press @ q --wait exit',
      'press agent y --if-entry 3f2a9c@1',
    ],
    notes:
      'Separate names by blanks: "press @ Escape : w q Enter". A single argument is the key, and the terminal is the default one.',
  },
});
