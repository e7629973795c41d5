/** Commands that send no request: the command line answers them itself. The generator joins them with the others. */
import type { CommandSyntax, FlagSyntax } from '../argv/syntax.js';

const profileFlag: FlagSyntax = {
  flag: 'profile',
  field: 'profile',
  type: 'string',
  description: 'Which tools: the few that nearly every task needs, with few fields, or all with all fields.',
  values: ['default', 'full'],
  default: 'default',
  local: true,
};

export const LOCAL_COMMANDS: readonly CommandSyntax[] = [
  {
    name: 'view',
    summary: 'Watch a terminal live, read only; q leaves.',
    local: true,
    positionals: [{ field: 'id', label: 'id', type: 'string', optional: true }],
    flags: [],
    notes: 'At most 30 frames a second, of which only the rows that changed are written. Needs a terminal to draw on.',
    examples: ['view', 'view build'],
  },
  {
    name: 'usage',
    summary: 'The manual for language models: everything they need, in under 1,000 tokens.',
    local: true,
    positionals: [],
    flags: [],
    examples: ['usage'],
  },
  {
    name: 'tools',
    summary: 'Tool schemas in the form of a provider, to be put into a request.',
    local: true,
    positionals: [],
    flags: [
      {
        flag: 'format',
        field: 'format',
        type: 'string',
        description: 'Whose form.',
        values: ['anthropic', 'openai', 'gemini', 'mcp'],
        default: 'anthropic',
        local: true,
      },
      profileFlag,
    ],
    notes:
      'The tools are the commands of the protocol; t4a_run is the command run, and its input the fields of the request. openai is the form of chat completions; the Responses API takes the fields of "function" beside "type".',
    examples: ['tools', 'tools --format openai > tools.json', 'tools --format gemini --profile full'],
  },
  {
    name: 'mcp',
    summary: 'Serve the tools over the Model Context Protocol, on standard input and output.',
    local: true,
    positionals: [],
    flags: [
      {
        flag: 'config',
        field: 'config',
        type: 'string',
        description: 'Print what makes this client start the server, and say where it goes.',
        values: ['claude', 'cursor', 'codex', 'vscode'],
        local: true,
      },
      profileFlag,
    ],
    notes: 'Terminals outlive the client that made them. The daemon is started by the first call that needs it.',
    examples: ['mcp', 'mcp --profile full', 'mcp --config claude', 'mcp --config codex'],
  },
  {
    name: 'completions',
    summary: 'A completion script for bash, zsh or fish.',
    local: true,
    positionals: [{ field: 'shell', label: 'shell', type: 'string', values: ['bash', 'zsh', 'fish'] }],
    flags: [],
    notes:
      'bash: eval "$(t4a completions bash)". zsh: eval "$(t4a completions zsh)". fish: t4a completions fish | source.',
    examples: ['completions bash', 'completions zsh', 'completions fish'],
  },
  {
    name: 'complete',
    summary: 'What the last of these words may become, one candidate a line. Completion scripts call it.',
    local: true,
    positionals: [{ field: 'words', label: 'word', type: 'string', optional: true, rest: true }],
    flags: [],
    examples: ['complete -- scr', 'complete -- press @ Pa'],
  },
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
