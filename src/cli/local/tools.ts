import type { ToolFormat } from '../../tools/formats.js';
import type { Profile } from '../../tools/catalog.js';
import type { LocalCommand } from './local-commands.js';

/** The value of `tools` in a request to that provider, as JSON. */
export const printTools: LocalCommand = async ({ options }, surroundings, parts) => {
  const { toolSchemas } = await parts.tools();
  const { format = 'anthropic', profile = 'default' } = options as { format?: ToolFormat; profile?: Profile };
  const indent = surroundings.stdoutIsTerminal ? 2 : undefined;
  surroundings.out(`${JSON.stringify(toolSchemas(format, profile), null, indent)}\n`);
  return 0;
};
