/** Presets that t4a ships. In the form of preset files. */
import type { PresetKind } from './preset.js';

/** Deadline of a tool: waits take long. Its own is a minute. */
const LONG_S = 3600;

export const SHIPPED: Readonly<Record<PresetKind, readonly object[]>> = {
  agent: [
    {
      name: 'claude',
      argv: ['claude'],
      rules: 'claude',
      // Both take a list, which ends at the next option, or at the end.
      mcp: { approve: ['--allowedTools', '{tools}'], args: ['--mcp-config', '{servers:json}'] },
      conversation: {
        begin: ['--session-id', '{conversation}'],
        resume: ['--resume', '{conversation}'],
        unless: ['-c', '--continue', '-r', '--resume', '--session-id'],
      },
    },
    {
      name: 'codex',
      argv: ['codex'],
      rules: 'codex',
      trim: { bottom: '^› ' },
      // No flag names a file. Its own list of variables for servers drops T4A_SOCKET: `env` has it.
      mcp: {
        args: [
          '-c',
          `mcp_servers.t4a={command={exe:toml},args={args:toml},env={env:toml},tool_timeout_sec=${LONG_S},tools={approvals:toml}}`,
        ],
      },
      // A command, behind all options.
      conversation: { resume: ['resume', '--last'], unless: ['resume', 'fork'] },
    },
    {
      name: 'opencode',
      argv: ['opencode'],
      rules: 'opencode',
      // It asks for no approval.
      mcp: {
        env: {
          OPENCODE_CONFIG_CONTENT: { mcp: { t4a: { type: 'local', command: '{command}', environment: '{env}' } } },
        },
      },
      conversation: { resume: ['--continue'], unless: ['-c', '--continue', '-s', '--session'] },
    },
    {
      name: 'gemini',
      argv: ['gemini'],
      rules: 'gemini',
      // It approves a server's tools all together, or none.
      mcp: {
        file: {
          env: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
          copy_of:
            process.platform === 'darwin'
              ? '/Library/Application Support/GeminiCli/system-defaults.json'
              : '/etc/gemini-cli/system-defaults.json',
          json: { mcpServers: { t4a: { command: '{exe}', args: '{args}', env: '{env}', trust: '{trust}' } } },
          unless_roots: 'gemini mcp add --scope user t4a t4a mcp --profile crew',
        },
      },
      conversation: { resume: ['--resume', 'latest'], unless: ['-r', '--resume', '--session-id'] },
    },
  ],
  process: [
    { name: 'bun run dev', argv: ['bun', 'run', 'dev'], rules: 'generic' },
    { name: 'vitest', argv: ['npx', 'vitest', '--watch'], rules: 'generic' },
  ],
};
