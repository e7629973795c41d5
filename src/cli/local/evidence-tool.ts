/** `evidence` as a tool of `t4a mcp`, for those that `--tools` names: a local command, so the server makes the folder itself. */
import { T4aError, quote } from '../../protocol/errors.js';
import type { LocalTool } from '../../mcp/server.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { makeEvidence } from './evidence.js';

const FIELDS = {
  id: { type: 'string', description: 'Terminal.' },
  from: { type: 'string', description: 'Begin there: -60s, command:-1:start, marker:NAME. Default: all there is.' },
  output: { type: 'string', description: 'New folder. Default: evidence-ID in the directory of the server.' },
  format: { type: 'string', enum: ['gif', 'mp4'], description: 'Of the film. Default: gif.' },
} as const;

/** @param options flags of `t4a mcp` that say which daemon, and whose name */
export function evidenceTool(options: Readonly<Record<string, unknown>>, host: Host, bundles: LazyBundles): LocalTool {
  const { socket, as } = options;
  return {
    tool: {
      name: 'evidence',
      description:
        'Make a folder for a pull request: a film, the last screen, a transcript, the commands, a page of them.',
      inputSchema: { type: 'object', properties: FIELDS, required: ['id'], additionalProperties: false },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    async call(input) {
      const quiet: Host = { ...host, progress: () => {} };
      const made = await makeEvidence({ ...checked(input), socket: socket as string | undefined, as }, quiet, bundles);
      const { folder, files, commands, masked, gh } = made;
      const hidden = masked === undefined ? '' : ` ${masked} secrets masked.`;
      const text = `${folder}: ${files.join(', ')}. ${commands} commands.${hidden}\nLook at it, then commit it, or: ${gh}`;
      return { content: [{ type: 'text', text }], isError: false };
    },
  };
}

/** @throws T4aError `invalid_field` */
function checked(input: unknown): Readonly<Record<string, unknown>> {
  const given = Object.entries(input ?? {});
  for (const [name, value] of given) {
    const field = Object.entries(FIELDS).find(([known]) => known === name)?.[1];
    if (field === undefined)
      throw wrong(`"evidence" has no field ${quote(name)}: it has ${Object.keys(FIELDS).join(', ')}.`);
    const isIn = !('enum' in field) || field.enum.some((one) => one === value);
    if (typeof value !== 'string' || value === '' || !isIn)
      throw wrong(`${quote(name)} of "evidence" is no such text.`);
  }
  if (!given.some(([name]) => name === 'id')) throw wrong('"evidence" needs "id", a terminal.');
  return Object.fromEntries(given);
}

function wrong(message: string): T4aError {
  return new T4aError('invalid_field', message);
}
