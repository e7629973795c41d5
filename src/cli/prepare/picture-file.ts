/** The format of a picture by the name of the file that it goes to: what is written is what the name says. */
import { T4aError, quote } from '../../protocol/errors.js';

const FORMATS: Readonly<Record<string, string>> = { jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp', svg: 'svg', html: 'html' };

/** Formats of files that would not be what their name says. */
const OTHER_FORMATS: readonly string[] = ['avif', 'bmp', 'gif', 'heic', 'ico', 'pdf', 'ps', 'tif', 'tiff'];

/** @param flag which names the file. @returns nothing for PNG, and for names that say nothing */
export function formatOfFile(path: string, flag: string): { readonly format?: string } {
  const ending = path.split('.').at(-1)?.toLowerCase() ?? '';
  if (OTHER_FORMATS.includes(ending)) {
    throw new T4aError('usage', `${flag} is ${quote(path)}: a picture is png, webp, jpeg, svg or html.`, {
      hint: `For example ${path.slice(0, -ending.length)}png`,
    });
  }
  const format = FORMATS[ending];
  return format === undefined ? {} : { format };
}

/** The field `screenshot` of requests that can attach one. */
export function attachedPicture(path: unknown): true | { readonly format?: string } {
  const format = typeof path === 'string' ? formatOfFile(path, '--screenshot') : {};
  return format.format === undefined ? true : format;
}
