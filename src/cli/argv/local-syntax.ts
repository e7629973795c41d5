/**
 * What the command line has beyond the protocol: flags that the CLI itself acts on, and other words for a field; its own
 * commands are in local/syntax.ts. The generator joins this with the protocol into commands.generated.ts; nothing else reads it.
 */
import type { FlagSyntax } from './syntax.js';
import { lookFirstFlags, turnFlags, waitFirstFlags, waitFlags } from './turn-flags.js';

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
    Record<
      string,
      Partial<Pick<FlagSyntax, 'short' | 'description' | 'default' | 'placeholder' | 'type' | 'repeatable'>>
    >
  >;
  readonly notes?: string;
}

const callerDirectory = { description: 'Working directory. Default: the current one.', placeholder: 'directory' };

export const LOCAL_ADDITIONS: Readonly<Record<string, LocalAdditions>> = {
  create: {
    flags: [environmentFlag, ...turnFlags],
    fields: { cwd: callerDirectory },
    notes:
      "Prints the terminal's id, and with --text the viewport after it. The program gets the caller's environment, without what describes the caller's own terminal (TERM, COLUMNS, LINES and the like) and what npx adds.",
  },
  list: { notes: 'A table on a terminal, else the reply as JSON.' },
  status: { notes: 'One field a line on a terminal, else the reply as JSON.' },
  cursor: { flags: lookFirstFlags, notes: 'One field a line on a terminal, else the reply as JSON.' },
  config: {
    notes:
      "On a terminal, or with --sources, one setting a line, with its value and where that comes from: first the command line's own, then the daemon's. Else the reply as JSON.",
  },
  stats: { notes: 'One field a line on a terminal, else the reply as JSON. Starts no daemon.' },
  ping: { notes: 'One field a line on a terminal, else the reply as JSON.' },
  send: {
    fields: { input_base64: { description: 'Bytes in base64, in place of the argument.', placeholder: 'base64' } },
    flags: [
      ...turnFlags,
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
    fields: {
      mark: {
        type: 'string',
        repeatable: true,
        placeholder: 'text',
        description: 'Draw a box around this text, or around what a /regular expression/ matches; may be repeated.',
        default: undefined,
      },
      region: { type: 'string', placeholder: 'row,col,rows,cols', description: 'Only this part of the screen.' },
    },
    flags: [
      ...waitFirstFlags,
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
      'Without --output the picture goes to standard output, or, if that is a terminal, is shown in it where it speaks the graphics protocol of kitty or iTerm2 or sixel, and else goes to a file ID-REV.png in the current directory, whose path is printed. With --json and no --output the picture is in the reply as base64. In a directory that all users write to, such as /tmp, a new file is for its owner alone, and what another user has put there is not written to.',
  },
  text: {
    flags: lookFirstFlags,
    fields: { trim: { default: true }, region: { description: 'Where the lines are.' } },
    notes:
      'start and end count lines from the bottom: 0:5 are the five lowest of the screen, blank ones included. Either may be left out. Without them the blank lines below the text are left out.',
  },
  press: {
    flags: turnFlags,
    notes:
      'Names are separated by blanks: "press @ Escape : w q Enter". With one argument that is the key, and the terminal is the default one.',
  },
  type: {
    flags: turnFlags,
    notes:
      'Without the argument, standard input is typed, but for a line break at its end. With --secret the text is never an argument, which other programs can read: on a terminal it is asked for and not shown.',
  },
  mouse: { flags: turnFlags },
  focus: { flags: turnFlags },
  paste: {
    flags: turnFlags,
    fields: { text_base64: { description: 'UTF-8 in base64, in place of the argument.', placeholder: 'base64' } },
    notes: 'Without the argument, standard input is pasted, up to 1 MiB.',
  },
  debug: { flags: lookFirstFlags },
  grep: {
    flags: lookFirstFlags,
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
    flags: lookFirstFlags,
    fields: { ignore_case: { short: 'i', description: 'Capital and small letters are the same.' } },
    notes: 'Prints "row:column:text" for each match. Exits with 1 where nothing matches.',
  },
  resize: { flags: turnFlags, notes: 'With two arguments they are the size, and the terminal is the default one.' },
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
      "Prints the output and exits with the command's own status, or 128 and the signal's number where a signal ended it; with 2 where the shell of --id ran nothing. 3: the time was up, and with --id the command goes on. Errors of t4a itself exit as everywhere (1, 2). Lines left out of long output are told on standard error, where they would stand.",
  },
  wait: {
    flags: waitFlags,
    notes:
      'Of several conditions the first that is true ends the wait. Prints what came of it: one field a line on a terminal, then the last lines of the screen, else the reply as JSON. Exits with 0 if a condition came true, 3 if the deadline passed or --fail matched, 4 if the process exited first.',
  },
  commands: { notes: 'A table on a terminal, else the reply as JSON.' },
  events: { notes: 'One JSON object a line, written as it comes.' },
};

export const GLOBAL_FLAGS: readonly FlagSyntax[] = [
  {
    flag: 'socket',
    field: 'socket',
    type: 'string',
    placeholder: 'path',
    description:
      "Socket of the daemon. Default: $T4A_SOCKET, else the configuration's, else /tmp/t4a.sock, or where another user has that /tmp/t4a-UID/t4a.sock.",
    local: true,
  },
  {
    flag: 'color',
    field: 'color',
    type: 'string',
    values: ['auto', 'always', 'never'],
    description: 'Colour what t4a itself prints. Default: on a terminal, unless $NO_COLOR is set.',
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
