/** `t4a mcp`: the server, or with `--config` what makes a client start it. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { defaultDaemonEntry } from '../../client/paths.js';
import type { AllowedReach, ToolProfile } from '../../tools/catalog.js';
import { T4aError } from '../../protocol/errors.js';
import { askerOf } from '../asker.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { settingOf } from '../settings.js';
import type { LocalCommand } from './local-command.js';

interface McpFlags {
  readonly allow?: AllowedReach;
  readonly config?: string;
  readonly profile?: ToolProfile | 'crew';
  readonly external?: boolean;
  readonly socket?: string;
  readonly tied?: boolean;
  readonly tools?: readonly string[];
}

/** A local command among the tools, if `--tools` names it. */
const EVIDENCE = 'evidence';

export const serveOrConfigure: LocalCommand = async ({ options }, host, bundles) => {
  const { allow = 'create', config, profile = 'default', socket, tied = false, tools, external } = options as McpFlags;
  const ofProtocol = tools?.filter((name) => name !== EVIDENCE);
  const hasEvidence = tools?.includes(EVIDENCE) === true;
  if (profile === 'crew') {
    refuseWithCrew({ allow: options['allow'], tools, tied });
  } else if (external === true) {
    throw new T4aError('usage', '"--external" goes with "--profile crew".');
  }
  if (hasEvidence && profile !== 'crew' && allow !== 'create') {
    throw new T4aError('usage', `"evidence" needs "--allow create": it writes a folder.`);
  }
  if (config === undefined) {
    if (profile === 'crew') return serveCrew(options, host, bundles);
    const { serveMcp } = await bundles.mcp();
    await serveMcp({
      profile,
      socketPath: socket,
      ...(allow !== 'create' && { allow }),
      ...(tied && { tied }),
      ...(ofProtocol !== undefined && { tools: ofProtocol }),
      ...(hasEvidence && { localTools: [(await import('./evidence-tool.js')).evidenceTool(options, host, bundles)] }),
      as: askerOf(options, host).as,
    });
    return 0;
  }
  const snippet = SNIPPETS[config];
  if (snippet === undefined) return 2;
  if (tools !== undefined && profile !== 'crew')
    (await bundles.tools()).toolSchemas('mcp', { profile, allow, tools: ofProtocol });
  const args = [
    'mcp',
    ...(profile === 'default' ? [] : ['--profile', profile]),
    ...(allow === 'create' ? [] : ['--allow', allow]),
    ...(tools === undefined ? [] : ['--tools', tools.join(',')]),
    ...(external === true ? ['--external'] : []),
    ...(tied ? ['--tied'] : []),
    ...(socket === undefined ? [] : ['--socket', socket]),
  ];
  host.note(`${snippet.place}\n`);
  host.out(snippet.text(ownCommand(host.env['PATH'] ?? '', args)));
  return 0;
};

/** Refuses flags that choose among the tools of the protocol. @throws T4aError `usage` */
export function refuseWithCrew(flags: Readonly<Record<string, unknown>>): void {
  const flag = Object.entries(flags).find(([, value]) => value !== undefined && value !== false)?.[0];
  if (flag === undefined) return;
  throw new T4aError('usage', `"--${flag}" does not go with "--profile crew", whose tools go by roles.`);
}

/** The agent that starts the server is known by its terminal. */
async function serveCrew({ external, ...options }: McpFlags, host: Host, bundles: LazyBundles): Promise<number> {
  const { CrewTools, connect, ownParent } = await bundles.crew();
  const socketPath = settingOf('socket', options.socket, host).value as string | undefined;
  const asker = askerOf({ ...options }, host);
  const as = asker.as ?? (host.env['T4A_TERMINAL'] || undefined);
  let opened: ReturnType<typeof connect> | undefined;
  const client = (): ReturnType<typeof connect> => {
    opened ??= connect({ ...asker, socketPath, as, reach: 'create' }).catch((error: unknown) => {
      // The next call tries again.
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const caller = { pid: ownParent(), env: host.env };
  const crew = new CrewTools({ client, caller, folder: host.cwd(), isExternal: external });
  const { serveToolSet } = await bundles.mcp();
  await serveToolSet({
    instructions: crew.instructions,
    schemas: () => CrewTools.schemas(),
    call: (name, input, given) => crew.call(name, input, given),
  });
  crew.close();
  await (await opened?.catch(() => undefined))?.close();
  return 0;
}

interface Server {
  readonly command: string;
  readonly args: readonly string[];
}

/** Command that starts this very program wherever the client runs: `t4a` if that is it on the PATH, else Node with its file. */
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
  /** Place to which it goes. */
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
