/** Where a picture goes decides how it is asked for: in the format of the file's name, inside the JSON line only where that line is what is printed. */
import { LAST_TERMINAL } from '../commands.generated.js';
import type { Prepare } from '../shapes.js';

export const prepareScreenshot: Prepare = async ({ params, options }, surroundings, client) => {
  if (options['output'] !== undefined) return { ...formatOf(String(options['output'])), ...params };
  if (options['json'] === true) return { ...params, inline: true };
  if (!surroundings.stdoutIsTerminal || params['id'] !== LAST_TERMINAL) return params;
  // The file is named after the terminal, so which one it is must be known before the picture is taken.
  const { id } = await (await client()).call('status', { id: LAST_TERMINAL });
  return { ...params, id };
};

const FORMATS: Readonly<Record<string, string>> = { jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp', svg: 'svg', html: 'html' };

function formatOf(path: string): { format?: string } {
  const format = FORMATS[path.split('.').at(-1)?.toLowerCase() ?? ''];
  return format === undefined ? {} : { format };
}
