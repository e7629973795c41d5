/** A pattern over the lines of raw output. The pattern is RE2's, checked by the daemon before; here it runs as JavaScript's, for a bounded time. */
import { runInNewContext } from 'node:vm';
import { quote } from '../../protocol/errors.js';
import type { ToolCall } from './tool-call.js';
import { ToolError } from './tool-error.js';

/** The ring of a terminal. */
const MAX_RAW_BYTES = 1024 * 1024;
/** JavaScript's patterns can take for ever. */
const SEARCH_MS = 500;

interface RawMatches {
  readonly matches: { line_no: number; text: string }[];
  readonly truncated: boolean;
}

/** Lines are numbered from the first that is kept, which is 0. @throws ToolError `bad_regex` */
export async function searchRaw(
  { client, options }: ToolCall,
  id: string,
  source: string,
  limit: number,
): Promise<RawMatches> {
  const { data = '' } = await client.call('output', { id, max_bytes: MAX_RAW_BYTES, inline: true }, options);
  const lines = Buffer.from(data, 'base64').toString('utf8').split(/\r?\n/);
  const found = matching(lines, source);
  return {
    matches: found.slice(0, limit).map((line) => ({ line_no: line, text: lines[line] ?? '' })),
    truncated: found.length > limit,
  };
}

function matching(lines: readonly string[], source: string): number[] {
  const [, flags = '', rest = source] = /^\(\?([is]+)\)([^]*)$/.exec(source) ?? [];
  const context = { lines, source: rest.replaceAll('(?P<', '(?<'), flags: `u${flags}` };
  try {
    return runInNewContext(
      'const pattern = new RegExp(source, flags); lines.flatMap((line, i) => (pattern.test(line) ? [i] : []))',
      context,
      { timeout: SEARCH_MS },
    ) as number[];
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? 'takes too long over raw output' : 'is none for raw output';
    throw new ToolError('bad_regex', `The pattern ${quote(source)} ${why}.`, 'Search with the kind rendered.');
  }
}
