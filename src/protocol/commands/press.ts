import { z } from 'zod';
import { defineCommand } from '../command.js';
import { MAX_KEYS, inputErrors } from '../input.js';
import { turnErrors, turnReplyShape, turnShape } from '../observation.js';
import { terminalId } from '../vocabulary.js';

export const press = defineCommand({
  name: 'press',
  summary: 'Press keys, by name.',
  details:
    'Names are case-insensitive: `Enter`, `Esc`, `PgUp`, `F1` to `F24`, `KP0`, `Ctrl+Shift+Left`; also `C-c`, `M-x`, `^C`, `<C-w>`, `BSpace`. Any one character is the key that types it. Keys are encoded for what the program has asked for (cursor and keypad modes, modifyOtherKeys, the kitty keyboard protocol). A name that is no key is an error, and nothing is sent. Escape is followed by a short pause, so that the next key is not taken for Alt with that key. Ctrl+C, Ctrl+\\ and Ctrl+Z as the first key overtake input that is still on its way.',
  params: () => ({
    id: terminalId,
    keys: z.array(z.string()).min(1).max(MAX_KEYS).describe('Names of keys, in order.'),
    gap_ms: z.int().min(0).max(1000).default(0).describe('Pause between keys.'),
    ...turnShape,
  }),
  reply: () => ({ bytes_sent: z.int(), ...turnReplyShape }),
  kind: 'bytes',
  errors: [...inputErrors, ...turnErrors, 'unknown_key', 'key_not_sendable'],
  cli: {
    hidden: ['wait', 'observe'],
    positionals: ['id', 'keys...'],
    examples: [
      'press @ Ctrl+C',
      'press @ Escape : w q Enter',
      'press @ Down Down Enter --gap-ms 50',
      'press @ q --wait exit',
    ],
  },
});
