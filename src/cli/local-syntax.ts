/**
 * What the command line has beyond the protocol: flags that the CLI itself acts on, commands that send no request, and
 * other words for a field. The generator joins this with the protocol into commands.generated.ts; nothing else reads it.
 */
import type { CommandSyntax, FlagSyntax } from './syntax.js';

const environmentFlag: FlagSyntax = {
  flag: 'env',
  field: 'env',
  type: 'string',
  placeholder: 'NAME=VALUE',
  description: "Set a variable on top of the caller's environment; may be repeated.",
  local: true,
  repeatable: true,
};

interface LocalAdditions {
  readonly flags?: readonly FlagSyntax[];
  /** Replaces what the field's schema says. */
  readonly fields?: Readonly<
    Record<string, Partial<Pick<FlagSyntax, 'short' | 'description' | 'default' | 'placeholder'>>>
  >;
  readonly notes?: string;
}

const callerDirectory = { description: 'Working directory. Default: the current one.', placeholder: 'directory' };

export const LOCAL_ADDITIONS: Readonly<Record<string, LocalAdditions>> = {
  create: {
    flags: [environmentFlag],
    fields: { cwd: callerDirectory },
    notes:
      "Prints the terminal's id. The program gets the caller's environment, without what describes the caller's own terminal (TERM, COLUMNS, LINES and the like).",
  },
  list: { notes: 'A table on a terminal, else the reply as JSON.' },
  status: { notes: 'One field a line on a terminal, else the reply as JSON.' },
  cursor: { notes: 'One field a line on a terminal, else the reply as JSON.' },
  config: { notes: 'One field a line on a terminal, else the reply as JSON.' },
  stats: { notes: 'One field a line on a terminal, else the reply as JSON. Starts no daemon.' },
  ping: { notes: 'One field a line on a terminal, else the reply as JSON.' },
  send: {
    fields: { input_base64: { description: 'Bytes in base64, in place of the argument.', placeholder: 'base64' } },
    flags: [
      {
        flag: 'raw',
        field: 'raw',
        type: 'boolean',
        description: 'Send the argument as it is, without reading escapes in it.',
        local: true,
      },
    ],
    notes:
      'In the argument \\n \\r \\t \\e \\\\ \\0 (or \\0 and up to two octal digits), \\xHH (a byte) and \\uHHHH stand for what they do in most languages; any other backslash is sent as typed. Without the argument, standard input is sent as it is, up to 1 MiB. One argument alone is always the id. Input that begins with a dash comes after "--".',
  },
  screenshot: {
    flags: [
      {
        flag: 'output',
        short: 'o',
        field: 'output',
        type: 'string',
        placeholder: 'file',
        description: 'Write the picture there; "-" is standard output.',
        local: true,
      },
    ],
    notes:
      'Without --output the picture goes to standard output, or, if that is a terminal, to a file ID-REV.png in the current directory, whose path is printed. With --json and no --output the picture is in the reply as base64.',
  },
  text: {
    fields: { trim: { default: true }, region: { description: 'Where the lines are.' } },
    notes: 'start and end count lines from the bottom: 0:5 are the last five lines. Either may be left out.',
  },
  press: {
    notes:
      'Names are separated by blanks: "press @ Escape : w q Enter". With one argument that is the key, and the terminal is the default one.',
  },
  type: {
    notes:
      'Without the argument, standard input is typed, but for a line break at its end: a secret is better not on a command line, where others can read it.',
  },
  paste: { notes: 'Without the argument, standard input is pasted, up to 1 MiB.' },
  grep: {
    fields: {
      after: { short: 'A' },
      before: { short: 'B' },
      context: { short: 'C' },
      ignore_case: { short: 'i', description: 'Capital and small letters are the same.' },
      fixed: { short: 'F' },
      max: { short: 'm' },
      region: { description: 'Where to search.' },
    },
    notes:
      'Lines are printed as ripgrep prints them: "12:match" and "13-context"; numbers count from 0, the oldest line of the scrollback. Exits with 1 where nothing matches.',
  },
  find: {
    fields: { ignore_case: { short: 'i', description: 'Capital and small letters are the same.' } },
    notes: 'Prints "row:column:text" for each match. Exits with 1 where nothing matches.',
  },
  resize: { notes: 'With two arguments they are the size, and the terminal is the default one.' },
  run: {
    flags: [
      environmentFlag,
      {
        flag: 'screenshot',
        field: 'screenshot',
        type: 'string',
        placeholder: 'file',
        description: 'Write a picture of the final screen there.',
        local: true,
      },
    ],
    fields: { cwd: callerDirectory },
    notes:
      "Prints the output and exits with the command's own status, or 128 and the signal's number where a signal ended it. 3: the time was up. Errors of t4a itself exit as everywhere (1, 2). Lines left out of long output are told on standard error, where they would stand.",
  },
  wait: {
    flags: [
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
        description: 'Until the shell is done with what it was told last.',
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
        description: 'Until it waits for input of this kind.',
        local: true,
      },
      {
        flag: 'settled-ms',
        field: 'settled_ms',
        type: 'integer',
        description: 'Until the screen has not changed for so long, but for spinners, clocks and the like.',
        local: true,
      },
      {
        flag: 'idle-ms',
        field: 'idle_ms',
        type: 'integer',
        description: 'Until no bytes have come for so long.',
        local: true,
      },
      { flag: 'exit', field: 'exit', type: 'boolean', description: 'Until the process has exited.', local: true },
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
        flag: 'changed-since',
        field: 'changed_since',
        type: 'integer',
        placeholder: 'rev',
        description: 'Until the revision of the screen is greater.',
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
    ],
    notes:
      'Of several conditions the first that is true ends the wait. Prints what came of it: one field a line on a terminal, else the reply as JSON. Exits with 0 if a condition came true, 3 if the deadline passed or --fail matched, 4 if the process exited first.',
  },
  commands: { notes: 'A table on a terminal, else the reply as JSON.' },
  events: { notes: 'One JSON object a line, written as it comes.' },
};

export const LOCAL_COMMANDS: readonly CommandSyntax[] = [
  {
    name: 'daemon',
    summary: 'Run the daemon in the foreground. Any other command starts one by itself if none answers.',
    local: true,
    positionals: [{ field: 'timeout_ms', label: 'timeout_ms', type: 'integer', optional: true }],
    flags: [],
    notes: 'With a timeout the daemon leaves when no terminal and no client has been there for that long.',
    examples: ['daemon', 'daemon 600000', 'daemon --socket /run/user/1000/t4a.sock'],
  },
  {
    name: 'doctor',
    summary: 'Look at everything that has to be right, and say what to do where it is not.',
    local: true,
    positionals: [],
    flags: [],
    notes:
      'Starts a daemon of its own for a moment, to try a terminal and a picture; the one that may be running is only asked for its figures. Exits with 1 where anything failed.',
    examples: ['doctor', 'doctor --json'],
  },
  {
    name: 'help',
    summary: 'Explain the command line, or one command of it.',
    local: true,
    positionals: [{ field: 'command', label: 'command', type: 'string', optional: true }],
    flags: [],
    examples: ['help', 'help create'],
  },
  {
    name: 'version',
    summary: 'Print the version of the command line client.',
    local: true,
    positionals: [],
    flags: [],
    examples: ['version'],
  },
];

export const GLOBAL_FLAGS: readonly FlagSyntax[] = [
  {
    flag: 'socket',
    field: 'socket',
    type: 'string',
    placeholder: 'path',
    description: 'Socket of the daemon. Default: $T4A_SOCKET, else /tmp/t4a.sock.',
    local: true,
  },
  {
    flag: 'json',
    field: 'json',
    type: 'boolean',
    description: 'Print the reply, or the error, as the JSON line that it is.',
    local: true,
  },
  {
    flag: 'verbose',
    field: 'verbose',
    type: 'boolean',
    description: 'Tell on standard error what is asked, of whom, and how long it takes. With daemon: log everything.',
    local: true,
  },
  { flag: 'help', short: 'h', field: 'help', type: 'boolean', description: 'Explain the command.', local: true },
];

/** Labels of positional arguments whose field has another name. */
export const POSITIONAL_LABELS: Readonly<Record<string, string>> = { cmd_args: 'cmd', terminal: 'id' };
