/** The flags of a turn: the wait, and what to look at when it has ended. */
import type { FlagSyntax } from './syntax.js';

const CONDITIONS =
  'settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…, published=…, control=free|mine|lost; may be repeated: the first that is true ends the wait.';

function waitFlag(when: string): FlagSyntax {
  return {
    flag: 'wait',
    field: 'wait',
    type: 'string',
    placeholder: 'condition',
    description: `${when} ${CONDITIONS}`,
    local: true,
    repeatable: true,
  };
}

/** Flag that is on by default: `--no-status` turns it off. */
export const statusFlag: FlagSyntax = {
  flag: 'status',
  field: 'status',
  type: 'boolean',
  default: true,
  description: 'Exit with the status of the command or program that ended.',
  off: 'Exit with 0 however the command or program ended.',
  local: true,
};

const endOfWait: readonly FlagSyntax[] = [
  {
    flag: 'fail',
    field: 'fail',
    type: 'string',
    placeholder: 'regex',
    description: 'End the wait as failed once a line matches; may be repeated.',
    local: true,
    repeatable: true,
  },
  {
    flag: 'timeout-ms',
    field: 'timeout_ms',
    type: 'integer',
    description: 'Deadline of the wait. Default: 30000.',
    local: true,
  },
  {
    flag: 'at-cursor',
    field: 'at_cursor',
    type: 'boolean',
    description: 'Text and regex of --wait count in the line of the cursor, while the program waits for input.',
    local: true,
  },
  statusFlag,
];

/** Flags of commands that act: the wait comes after the act. */
export const waitThenFlags: readonly FlagSyntax[] = [waitFlag('Then wait:'), ...endOfWait];

/** Flags of commands that read: the wait comes before the reading. */
export const waitFirstFlags: readonly FlagSyntax[] = [waitFlag('First wait:'), ...endOfWait];

/** Flags of what to look at when the wait has ended; commands that read have one of the two already. */
export function observeFlags(reads: boolean): readonly FlagSyntax[] {
  const picture: FlagSyntax = {
    flag: 'screenshot',
    field: 'screenshot',
    type: 'string',
    placeholder: 'file',
    description: `${reads ? 'Also' : 'Then'} write a picture of the viewport to this file.`,
    local: true,
  };
  if (reads) return [picture];
  return [
    { flag: 'text', field: 'observe_text', type: 'boolean', description: 'Then print the viewport.', local: true },
    {
      flag: 'changed',
      field: 'observe_changed',
      type: 'boolean',
      description: 'Then print the rows that differ from your last look with --changed.',
      local: true,
    },
    picture,
  ];
}

/** The conditions of `wait`, a flag each. */
export const waitFlags: readonly FlagSyntax[] = [
  {
    flag: 'text',
    field: 'text',
    type: 'string',
    description: 'Until this text is on the screen, or scrolls by; may be repeated.',
    local: true,
    repeatable: true,
  },
  {
    flag: 'regex',
    field: 'regex',
    type: 'string',
    description: 'Until a line matches this regular expression (RE2 syntax); may be repeated.',
    local: true,
    repeatable: true,
  },
  {
    flag: 'gone',
    field: 'gone',
    type: 'string',
    description: 'Until this text is not on the screen; may be repeated.',
    local: true,
    repeatable: true,
  },
  {
    flag: 'done',
    field: 'done',
    type: 'boolean',
    description: 'Until the shell has finished the last command.',
    local: true,
  },
  {
    flag: 'input',
    field: 'input',
    type: 'boolean',
    description: 'Until the foreground program waits for input.',
    local: true,
  },
  {
    flag: 'input-kind',
    field: 'input_kind',
    type: 'string',
    values: ['password', 'line', 'raw'],
    description: 'Until the foreground program waits for input of this kind.',
    local: true,
  },
  {
    flag: 'settled-ms',
    field: 'settled_ms',
    type: 'integer',
    description: 'Until the screen has not changed for this long; spinners, clocks and the like do not count.',
    local: true,
  },
  {
    flag: 'idle-ms',
    field: 'idle_ms',
    type: 'integer',
    description: 'Until no output has come for this long.',
    local: true,
  },
  { flag: 'exit', field: 'exit', type: 'boolean', description: 'Until the process has exited.', local: true },
  {
    flag: 'control',
    field: 'control',
    type: 'string',
    values: ['free', 'mine', 'lost'],
    description: 'Until no other name has control; until the author has it; until the author does not have it.',
    local: true,
  },
  {
    flag: 'doing',
    field: 'doing',
    type: 'string',
    placeholder: 'what',
    description: 'Until the program does this, such as "idle" or "waiting:permission"; may be repeated.',
    local: true,
    repeatable: true,
  },
  {
    flag: 'event',
    field: 'event',
    type: 'string',
    placeholder: 'type',
    description: 'Until an event of this type is published; may be repeated.',
    local: true,
    repeatable: true,
  },
  {
    flag: 'published',
    field: 'published',
    type: 'string',
    placeholder: 'name',
    description: 'Until an event of this name is published; without an id and other conditions, of no terminal.',
    local: true,
    repeatable: true,
  },
  statusFlag,
  {
    flag: 'changed-since',
    field: 'changed_since',
    type: 'integer',
    placeholder: 'rev',
    description: 'Until the revision of the screen is greater.',
    local: true,
  },
  {
    flag: 'output-since',
    field: 'output_since',
    type: 'integer',
    placeholder: 'bytes',
    description: 'Until the program has printed more bytes (output_bytes of status).',
    local: true,
  },
  {
    flag: 'fail',
    field: 'fail',
    type: 'string',
    placeholder: 'regex',
    description: 'End the wait as failed once a line matches; may be repeated.',
    local: true,
    repeatable: true,
  },
];
