/** What is typed or pasted: the argument as it is, or standard input. */
import { T4aError } from '../../protocol/errors.js';
import type { Fields, Prepare } from '../presenters.js';
import { readStdin } from './stdin.js';
import type { Surroundings } from '../host.js';
import { readSecret } from './secret.js';

/** A file's last line break is not a key that anybody pressed. */
export const prepareType: Prepare = async ({ params }, surroundings) => {
  if (params['text'] !== undefined && params['secret'] !== true) return params;
  const typed = decode(await readInput(params, surroundings));
  return { ...params, text: typed.replace(/\r?\n$/u, '') };
};

/** All of it, to the last line break; but a secret is one line. */
export const preparePaste: Prepare = async ({ params }, surroundings) => {
  const isSecret = params['secret'] === true;
  if (!isSecret && (params['text'] !== undefined || params['text_base64'] !== undefined)) return params;
  const pasted = decode(await readInput(params, surroundings));
  return { ...params, text: isSecret ? pasted.replace(/\r?\n$/u, '') : pasted };
};

function readInput(params: Fields, surroundings: Surroundings): Promise<Uint8Array> {
  return params['secret'] === true ? readSecret(params, surroundings) : readStdin(surroundings.stdin());
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new T4aError('invalid_utf8', 'Standard input is not UTF-8.', { hint: '"t4a send" sends any bytes.' });
  }
}
