/** `t4a mcp`: the server, or with `--config` what makes a client start it. */
import type { Profile } from '../../tools/catalog.js';
import { askerOf } from '../asker.js';
import type { LocalCommand } from './local-command.js';

export const serveOrConfigure: LocalCommand = async ({ options }, host, bundles) => {
  const { config, profile = 'default', socket } = options as { config?: string; profile?: Profile; socket?: string };
  if (config === undefined) {
    const { serveMcp } = await bundles.mcp();
    await serveMcp({ profile, socketPath: socket, as: askerOf(options, host).as });
    return 0;
  }
  const snippet = SNIPPETS[config];
  if (snippet === undefined) return 2;
  const args = [
    'mcp',
    ...(profile === 'default' ? [] : ['--profile', profile]),
    ...(socket === undefined ? [] : ['--socket', socket]),
  ];
  host.note(`${snippet.place}\n`);
  host.out(snippet.text(args));
  return 0;
};

interface Snippet {
  /** Where it goes. */
  readonly place: string;
  text(args: readonly string[]): string;
}

const SERVER = 't4a';

/** The clients' own forms; `t4a` is on the PATH after `npm install -g t4a`. */
const SNIPPETS: Readonly<Record<string, Snippet>> = {
  // https://code.claude.com/docs/en/mcp
  claude: {
    place: 'In .mcp.json of a project, or run: claude mcp add t4a -- t4a mcp',
    text: (args) => json({ mcpServers: { [SERVER]: { type: 'stdio', command: 't4a', args } } }),
  },
  // https://cursor.com/docs/context/mcp
  cursor: {
    place: 'In ~/.cursor/mcp.json, or .cursor/mcp.json of a project:',
    text: (args) => json({ mcpServers: { [SERVER]: { command: 't4a', args } } }),
  },
  // https://developers.openai.com/codex/mcp
  codex: {
    place: 'In ~/.codex/config.toml:',
    text: (args) => `[mcp_servers.${SERVER}]\ncommand = "t4a"\nargs = ${JSON.stringify(args)}\n`,
  },
  // https://code.visualstudio.com/docs/copilot/customization/mcp-servers
  vscode: {
    place: 'In .vscode/mcp.json of a project:',
    text: (args) => json({ servers: { [SERVER]: { type: 'stdio', command: 't4a', args } } }),
  },
};

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
