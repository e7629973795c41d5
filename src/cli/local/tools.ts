import type { ToolFormat } from '../../tools/formats.js';
import type { ToolOffer } from '../../tools/catalog.js';
import type { LocalCommand } from './local-command.js';
import { refuseWithCrew } from './mcp.js';
import { serveCalls } from './serve-calls.js';

/** The value of `tools` in a request to that provider, as JSON. */
export const printTools: LocalCommand = async (invocation, host, bundles) => {
  const { options } = invocation;
  if (options['profile'] === 'crew') {
    refuseWithCrew({ serve: options['serve'], allow: options['allow'], tools: options['tools'] });
    const { CrewTools, toolsIn } = await bundles.crew();
    const own = toolsIn((options['format'] as ToolFormat | undefined) ?? 'anthropic', CrewTools.schemas());
    host.out(`${JSON.stringify(own, null, host.stdoutIsTerminal ? 2 : undefined)}\n`);
    return 0;
  }
  if (options['serve'] === true) return serveCalls(invocation, host, bundles);
  const { toolSchemas } = await bundles.tools();
  const { format = 'anthropic', profile, allow, tools } = options as { format?: ToolFormat } & ToolOffer;
  const offer = { profile, allow, tools };
  const indent = host.stdoutIsTerminal ? 2 : undefined;
  host.out(`${JSON.stringify(toolSchemas(format, offer), null, indent)}\n`);
  return 0;
};
