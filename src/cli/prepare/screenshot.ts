/**
 * What the command line spells in its own way: places and marks, and where the picture goes, which decides how it is
 * asked for: in the format of the file's name, and inside the JSON line only where that line is what is printed.
 */
import { T4aError, quote } from '../../protocol/errors.js';
import { LAST_TERMINAL } from '../argv/commands.generated.js';
import type { Fields } from '../argv/invocation.js';
import type { Prepare } from './preparer.js';
import { formatOfFile } from './picture-file.js';

export const prepareScreenshot: Prepare = async ({ params: given, options }, host, client) => {
  const params = { ...given, ...readPlace(given) };
  const output = options['output'];
  if (typeof output === 'string') return { ...formatOfFile(output, '--output'), ...params };
  if (options['json'] === true) return { ...params, inline: true };
  if (!host.stdoutIsTerminal || given['id'] !== LAST_TERMINAL) return params;
  // The file is named after the terminal, so which one it is must be known before the picture is taken.
  const { id } = await (await client()).call('status', { id: LAST_TERMINAL });
  return { ...params, id };
};

function readPlace({ region, mark }: Fields): Fields {
  return {
    ...(typeof region === 'string' ? { region: readRegion(region) } : {}),
    ...(Array.isArray(mark) ? { mark: mark.map((text) => readMark(String(text))) } : {}),
  };
}

function readRegion(text: string): Fields {
  const [row, col, rows, cols, ...rest] = text
    .split(',')
    .map((part) => (/^-?\d+$/.test(part.trim()) ? Number(part) : NaN));
  const numbers = [row, col, rows, cols];
  if (rest.length === 0 && numbers.every((each) => Number.isInteger(each))) return { row, col, rows, cols };
  throw new T4aError('usage', `--region is ${quote(text)}: expected row,col,rows,cols.`, {
    hint: 'For example 0,0,5,80.',
  });
}

function readMark(text: string): string | { regex: string } {
  return text.length > 2 && text.startsWith('/') && text.endsWith('/') ? { regex: text.slice(1, -1) } : text;
}
