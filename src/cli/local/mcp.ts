/** `t4a mcp`: the server, or with `--config` what makes a client start it. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { defaultDaemonEntry } from '../../client/paths.js';
import type { AllowedReach, Profile } from '../../tools/catalog.js';
import { askerOf } from '../asker.js';
import type { LocalCommand } from './local-command.js';

interface McpFlags {
  readonly allow?: AllowedReach;
  readonly config?: string;
  readonly profile?: Profile;
  readonly socket?: string;
  readonly tied?: boolean;
  readonly tools?: readonly string[];
}

export const serveOrConfigure: LocalCommand = async ({ options }, host, bundles) => {
  const { allow = 'create', config, profile = 'default', socket, tied = false, tools } = options as McpFlags;
  if (config === undefined) {
    const { serveMcp } = await bundles.mcp();
    await serveMcp({
      profile,
      socketPath: socket,
      ...(allow !== 'create' && { allow }),
      ...(tied && { tied }),
      ...(tools !== undefined && { tools }),
      as: askerOf(options, host).as,
    });
    return 0;
  }
  const snippet = SNIPPETS[config];
  if (snippet === undefined) return 2;
  if (tools !== undefined) (await bundles.tools()).toolSchemas('mcp', { profile, allow, tools });
  const args = [
    'mcp',
    ...(profile === 'default' ? [] : ['--profile', profile]),
    ...(allow === 'create' ? [] : ['--allow', allow]),
    ...(tools === undefined ? [] : ['--tools', tools.join(',')]),
    ...(tied ? ['--tied'] : []),
    ...(socket === undefined ? [] : ['--socket', socket]),
  ];
  host.note(`${snippet.place}\n`);
  host.out(snippet.text(ownCommand(host.env['PATH'] ?? '', args)));
  return 0;
};

interface Server {
  readonly command: string;
  readonly args: readonly string[];
}

/** What starts this very program wherever the client runs: `t4a` if that is it on the PATH, else Node with its file. */
function ownCommand(searchPath: string, args: readonly string[]): Server {
  const own = path.join(path.dirname(defaultDaemonEntry()), 'cli.cjs');
  const isOwn = (directory: string): boolean => realPath(path.join(directory, 't4a')) === realPath(own);
  const isOnPath = searchPath.split(':').some((directory) => path.isAbsolute(directory) && isOwn(directory));
  return isOnPath ? { command: 't4a', args } : { command: process.execPath, args: [own, ...args] };
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

interface Snippet {
  /** Where it goes. */
  readonly place: string;
  text(server: Server): string;
}

const SERVER = 't4a';

/** The clients' own forms. */
const SNIPPETS: Readonly<Record<string, Snippet>> = {
  // https://code.claude.com/docs/en/mcp
  claude: {
    place: 'In .mcp.json of a project:',
    text: ({ command, args }) => json({ mcpServers: { [SERVER]: { type: 'stdio', command, args } } }),
  },
  // https://cursor.com/docs/context/mcp
  cursor: {
    place: 'In ~/.cursor/mcp.json, or .cursor/mcp.json of a project:',
    text: ({ command, args }) => json({ mcpServers: { [SERVER]: { command, args } } }),
  },
  // https://developers.openai.com/codex/mcp
  codex: {
    place: 'In ~/.codex/config.toml:',
    text: ({ command, args }) =>
      `[mcp_servers.${SERVER}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
  },
  // https://code.visualstudio.com/docs/copilot/customization/mcp-servers
  vscode: {
    place: 'In .vscode/mcp.json of a project:',
    text: ({ command, args }) => json({ servers: { [SERVER]: { type: 'stdio', command, args } } }),
  },
};

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
