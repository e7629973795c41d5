/**
 * Flags of the command line that are no fields of a request: those of every command, and those that stand for a field
 * which has no form of its own in an argument. The generator joins them with the protocol into commands.generated.ts.
 */
import type { FlagSyntax } from './syntax.js';
import { observeFlags, waitFirstFlags, waitFlags, waitThenFlags } from './turn-flags.js';

type FieldFlags = (command: {
  readonly reads: boolean;
  readonly has: (field: string) => boolean;
}) => readonly FlagSyntax[];

/** Flags in place of a field, wherever a request has it. */
export const FIELD_FLAGS: Readonly<Record<string, FieldFlags>> = {
  env: () => [
    {
      flag: 'env',
      field: 'env',
      type: 'string',
      placeholder: 'NAME=VALUE',
      description: "Set a variable on top of the caller's environment; may be repeated.",
      local: true,
      repeatable: true,
    },
  ],
  screenshot: () => [
    {
      flag: 'screenshot',
      field: 'screenshot',
      type: 'string',
      placeholder: 'file',
      description: 'Write a picture of the final screen to this file.',
      local: true,
    },
  ],
  until: () => waitFlags,
  // Conditions that end a wait badly come with the flags of the wait.
  fail: () => [],
  wait: ({ reads }) => (reads ? waitFirstFlags : waitThenFlags),
  // `wait` itself has conditions of these names.
  observe: ({ reads, has }) => (has('until') ? [] : observeFlags(reads)),
};

/** What the command line says of a field in place of its schema, wherever a request has it. */
export const FIELD_HELP: Readonly<Record<string, Partial<FlagSyntax>>> = {
  cwd: { description: 'Working directory. Default: the current one.', placeholder: 'directory' },
  where: { type: 'where', placeholder: 'NAME=VALUE,…' },
  labels: { flag: 'label' },
  shell_integration: { off: 'Start a shell without reports of its prompts and commands.' },
};

export const GLOBAL_FLAGS: readonly FlagSyntax[] = [
  {
    flag: 'socket',
    field: 'socket',
    type: 'string',
    placeholder: 'path',
    description:
      "Socket of the daemon. Default: $T4A_SOCKET, else the configuration's, else /tmp/t4a.sock, or /tmp/t4a-UID/t4a.sock if another user has that.",
    local: true,
  },
  {
    flag: 'on',
    field: 'on',
    type: 'string',
    placeholder: 'host',
    description: 'Ask the daemon of this host of "t4a hosts", or at the end of this route, as ssh://me@web1.',
    local: true,
  },
  {
    flag: 'as',
    field: 'as',
    type: 'string',
    placeholder: 'name',
    description:
      'Name of the author of requests: kept with input, and the one that takes control or asks. Default: $T4A_AS.',
    local: true,
  },
  {
    flag: 'color',
    field: 'color',
    type: 'string',
    values: ['auto', 'always', 'never'],
    description: 'Colour the output of t4a itself. Default: on a terminal, unless $NO_COLOR is set.',
    local: true,
  },
  {
    flag: 'json',
    field: 'json',
    type: 'boolean',
    description: 'Print the reply, or the error, as one line of JSON.',
    local: true,
  },
  {
    flag: 'verbose',
    field: 'verbose',
    type: 'boolean',
    description: 'Log requests and timings to standard error. With daemon: log everything.',
    local: true,
  },
  { flag: 'help', short: 'h', field: 'help', type: 'boolean', description: 'Explain the command.', local: true },
];

/** Labels of positional arguments whose field has another name. */
export const POSITIONAL_LABELS: Readonly<Record<string, string>> = {
  cmd_args: 'cmd',
  terminal: 'id',
  command_name: 'command',
};
