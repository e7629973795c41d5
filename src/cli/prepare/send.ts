/** The input of `send`: the argument with its escapes read, or standard input as it is. */
import { readEscapes } from '../argv/escapes.js';
import type { Prepare } from '../presenters.js';
import { readStdin } from './stdin.js';
import { readSecret } from './secret.js';

export const prepareSend: Prepare = async ({ params, options }, surroundings) => {
  const { input, ...rest } = params;
  if (params['secret'] === true) return { ...rest, ...inputFields(await readSecret(params, surroundings)) };
  if (rest['input_base64'] !== undefined) return params;
  if (typeof input === 'string') {
    const bytes = options['raw'] === true ? new TextEncoder().encode(input) : readEscapes(input);
    return { ...rest, ...inputFields(bytes) };
  }
  if (surroundings.stdinIsTerminal) surroundings.note(`Input for ${String(rest['id'])}, until Ctrl+D:\n`);
  return { ...rest, ...inputFields(await readStdin(surroundings.stdin())) };
};

/** Text where it is UTF-8, which is shorter on the wire; else the bytes. A BOM is input like any other. */
function inputFields(bytes: Uint8Array): { input: string } | { input_base64: string } {
  try {
    return { input: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { input_base64: Buffer.from(bytes).toString('base64') };
  }
}
