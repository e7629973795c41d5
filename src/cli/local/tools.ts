import type { ToolFormat } from '../../tools/formats.js';
import type { ToolOffer } from '../../tools/catalog.js';
import type { LocalCommand } from './local-command.js';

/** The value of `tools` in a request to that provider, as JSON. */
export const printTools: LocalCommand = async ({ options }, host, bundles) => {
  const { toolSchemas } = await bundles.tools();
  const { format = 'anthropic', profile, allow, tools } = options as { format?: ToolFormat } & ToolOffer;
  const offer = { profile, allow, tools };
  const indent = host.stdoutIsTerminal ? 2 : undefined;
  host.out(`${JSON.stringify(toolSchemas(format, offer), null, indent)}\n`);
  return 0;
};
