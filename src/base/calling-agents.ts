/**
 * Variables by which a coding agent tells the programs of its shell tool that they run within it. In a terminal of t4a
 * they would be untrue: an agent that is started there takes itself for a part of the caller's session (Claude Code then
 * saves no transcript). Settings of agents, such as CLAUDE_CODE_USE_BEDROCK and keys, are not in the table.
 */

interface Agent {
  readonly agent: string;
  /** `*` at the end stands for any rest. */
  readonly names: readonly string[];
  readonly source: string;
}

const AGENTS: readonly Agent[] = [
  {
    agent: 'Claude Code',
    names: [
      'CLAUDECODE',
      'CLAUDE_CODE_CHILD_*',
      'CLAUDE_CODE_SESSION_*',
      'CLAUDE_CODE_PARENT_*',
      'CLAUDE_CODE_ENTRYPOINT',
      'CLAUDE_CODE_SSE_PORT',
      'CLAUDE_CODE_EXECPATH',
    ],
    source: 'https://code.claude.com/docs/en/env-vars',
  },
  {
    agent: 'Codex',
    names: ['CODEX_CI', 'CODEX_SANDBOX', 'CODEX_SANDBOX_*', 'CODEX_THREAD_ID'],
    source: 'https://github.com/openai/codex, UNIFIED_EXEC_ENV',
  },
  {
    agent: 'Gemini CLI',
    names: ['GEMINI_CLI'],
    source: 'https://github.com/google-gemini/gemini-cli, docs/tools/shell.md',
  },
  { agent: 'Qwen Code', names: ['QWEN_CODE'], source: 'https://github.com/QwenLM/qwen-code, docs/tools/shell.md' },
  { agent: 'opencode', names: ['OPENCODE', 'OPENCODE_PID'], source: 'https://github.com/sst/opencode' },
  { agent: 'Cursor', names: ['CURSOR_AGENT', 'CURSOR_TRACE_ID'], source: 'https://cursor.com/docs/agent/terminal' },
  { agent: 'Amp', names: ['AMP_CURRENT_THREAD_ID'], source: 'https://ampcode.com/manual' },
  { agent: 'Cline', names: ['CLINE_ACTIVE'], source: 'https://github.com/cline/cline' },
  { agent: 'Augment', names: ['AUGMENT_AGENT'], source: 'https://docs.augmentcode.com' },
  { agent: 'Goose', names: ['GOOSE_TERMINAL'], source: 'https://github.com/block/goose' },
  { agent: 'Copilot CLI', names: ['COPILOT_CLI'], source: 'https://github.com/github/copilot-cli' },
  { agent: 'several', names: ['AI_AGENT', 'AGENT'], source: 'https://agents.md' },
];

/**
 * What such an agent sets since its own tool is a pipe without colours, keys and editors; a terminal has all three. Left out
 * beside a name of an agent alone, and with these values alone: what a person has set stays.
 */
const OF_ITS_PIPE: Readonly<Record<string, RegExp>> = {
  NO_COLOR: /^/,
  FORCE_COLOR: /^0?$/,
  CLICOLOR: /^0$/,
  PAGER: /^(?:cat|.*\|\s*cat)?$/,
  GIT_PAGER: /^(?:cat|.*\|\s*cat)?$/,
  GH_PAGER: /^(?:cat|.*\|\s*cat)?$/,
  MANPAGER: /^(?:cat)?$/,
  SYSTEMD_PAGER: /^(?:cat)?$/,
  GIT_EDITOR: /^true$/,
  TERM: /^dumb$/,
  COLORTERM: /^$/,
};

export const AGENT_NAMES = AGENTS.flatMap(({ names }) => names);
const EXACT: ReadonlySet<string> = new Set(AGENT_NAMES.filter((name) => !name.endsWith('*')));
const PREFIXES = AGENT_NAMES.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));

type Environment = Readonly<Record<string, string | undefined>>;

/** @returns `env` without what an agent has set for the programs that run within it */
export function withoutCallingAgent(env: Environment): Environment {
  const names = Object.keys(env).filter((name) => env[name] !== undefined);
  if (!names.some(isOfAgent)) return env;
  const kept = names.filter((name) => !isOfAgent(name) && OF_ITS_PIPE[name]?.test(env[name] ?? '') !== true);
  return Object.fromEntries(kept.map((name) => [name, env[name]]));
}

function isOfAgent(name: string): boolean {
  return EXACT.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
}
