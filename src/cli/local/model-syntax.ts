/** Commands for models: the schemas of the tools, and the tools over MCP. */
import type { CommandSyntax, FlagSyntax } from '../argv/syntax.js';

const profileFlag: FlagSyntax = {
  flag: 'profile',
  field: 'profile',
  type: 'string',
  description:
    'Set of tools: the few that nearly every task needs, with few fields; all, with all fields; or those of agents that start agents.',
  values: ['default', 'full', 'crew'],
  default: 'default',
  local: true,
};

const allowFlag: FlagSyntax = {
  flag: 'allow',
  field: 'allow',
  type: 'string',
  description:
    'Tools that models have: those that look; also those that type; or also those that start and end programs.',
  values: ['read', 'use', 'create'],
  default: 'create',
  local: true,
};

const toolsFlag: FlagSyntax = {
  flag: 'tools',
  field: 'tools',
  type: 'list',
  placeholder: 'name,…',
  description: 'Exactly these tools, also those that the profile does not have.',
  local: true,
};

export const MODEL_COMMANDS: readonly CommandSyntax[] = [
  {
    name: 'tools',
    group: 'models',
    summary: 'Print tool schemas for the requests to a provider.',
    local: true,
    positionals: [],
    flags: [
      {
        flag: 'format',
        field: 'format',
        type: 'string',
        description: 'Provider whose form is used.',
        values: ['anthropic', 'openai', 'gemini', 'mcp'],
        default: 'anthropic',
        local: true,
      },
      profileFlag,
      {
        flag: 'serve',
        field: 'serve',
        type: 'boolean',
        description: 'Execute calls instead, one line of JSON each on standard input, until it ends.',
        local: true,
      },
      toolsFlag,
      allowFlag,
    ],
    notes:
      'The tools are the commands of the protocol; t4a_run is the command run, and its input the fields of the request. openai is the form of chat completions; the Responses API takes the fields of "function" beside "type". A line for --serve is {"req":1,"name":"t4a_run","input":{"command":"make"}}, with "profile", "allow", "tools", "tied", "run_deadline_ms", "cwd" and "env" if wanted; its answer is {"req":1,"content":[…],"is_error":false}, and {"cancel":1} gives one up. No call has more than --profile, --allow and --tools beside --serve say. Calls under way at the end of the input have five seconds.',
    examples: [
      'tools',
      'tools --format openai > tools.json',
      'tools --format gemini --profile full',
      'tools --tools create,run,press,mouse,grep',
    ],
  },
  {
    name: 'mcp',
    group: 'models',
    summary: 'Serve the tools over the Model Context Protocol (standard input and output).',
    local: true,
    positionals: [],
    flags: [
      {
        flag: 'config',
        field: 'config',
        type: 'string',
        description: 'Print the configuration by which this client starts the server, and its place.',
        values: ['claude', 'cursor', 'codex', 'vscode'],
        local: true,
      },
      {
        flag: 'tied',
        field: 'tied',
        type: 'boolean',
        description: 'End the terminals that the server creates when the server ends.',
        local: true,
      },
      {
        flag: 'external',
        field: 'external',
        type: 'boolean',
        description:
          'With --profile crew: the client is in no terminal of t4a, and is the orchestrator of a new session.',
        local: true,
      },
      profileFlag,
      toolsFlag,
      allowFlag,
    ],
    notes:
      'Without --tied terminals outlive the client that made them. The first call that needs the daemon starts it. --tools takes evidence, too, which makes a folder for a pull request as "t4a evidence" does.',
    examples: [
      'mcp',
      'mcp --profile full',
      'mcp --tools create,run,press,mouse,grep',
      'mcp --allow read',
      'mcp --profile crew --external',
      'mcp --config claude',
      'mcp --config codex',
    ],
  },
];
