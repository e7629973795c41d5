/** A secret to type: from the person at the terminal, or from standard input; never from the command line. */
import { T4aError } from '../../protocol/errors.js';
import { askHidden } from './hidden-line.js';
import type { Fields } from '../argv/invocation.js';
import { readStdin } from './stdin.js';
import type { Host } from '../host.js';

/** Arguments that would hold it. */
const ARGUMENTS = ['text', 'text_base64', 'input', 'input_base64'];

/** @throws T4aError `usage` where it is an argument, which every process of the machine can read */
export function readSecret(params: Fields, host: Host): Promise<Uint8Array> {
  if (ARGUMENTS.some((name) => params[name] !== undefined)) {
    throw new T4aError('usage', 'A secret is not taken from the command line, where other programs can read it.', {
      hint: 'Leave it out: it is asked for, or read from standard input.',
    });
  }
  if (!host.stdinIsTerminal) return readStdin(host.stdin());
  return askHidden(`Secret for ${String(params['id'])}, not shown: `, host);
}
