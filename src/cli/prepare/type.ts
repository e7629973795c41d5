/** What is typed or pasted: the argument as it is, or standard input. */
import { T4aError } from '../../protocol/errors.js';
import type { Prepare } from '../shapes.js';
import { readStdin } from '../stdin.js';

/** A file's last line break is not a key that anybody pressed. */
export const prepareType: Prepare = async ({ params }, surroundings) => {
  if (params['text'] !== undefined) return params;
  const typed = decode(await readStdin(surroundings.stdin()));
  return { ...params, text: typed.replace(/\r?\n$/u, '') };
};

/** All of it, to the last line break. */
export const preparePaste: Prepare = async ({ params }, surroundings) => {
  if (params['text'] !== undefined || params['text_base64'] !== undefined) return params;
  return { ...params, text: decode(await readStdin(surroundings.stdin())) };
};

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new T4aError('invalid_utf8', 'Standard input is not UTF-8.', { hint: '"t4a send" sends any bytes.' });
  }
}
