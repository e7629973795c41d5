/** The input of commands that write to a program: the argument, standard input, or a secret that a person is asked for. */
import { T4aError, quote } from '../../protocol/errors.js';
import type { Traits } from '../../protocol/command.js';
import { readEscapes } from '../argv/escapes.js';
import type { Fields } from '../argv/invocation.js';
import type { Host } from '../host.js';
import { readStdin } from './stdin.js';

type ReadInput = (params: Fields, options: Fields, host: Host) => Promise<Fields>;

/** Inputs by the trait `stdin` of the command. */
export const INPUT: Readonly<Record<NonNullable<Traits['stdin']>, ReadInput>> = {
  bytes: async ({ input, ...params }, options, host) => {
    if (params['secret'] === true) return { ...params, ...bytesFields(await readSecret({ input, ...params }, host)) };
    if (params['input_base64'] !== undefined) return input === undefined ? params : { input, ...params };
    if (typeof input === 'string') return { ...params, ...bytesFields(argumentBytes(input, options)) };
    if (host.stdinIsTerminal) host.note(`Input for ${String(params['id'])}, until Ctrl+D:\n`);
    return { ...params, ...bytesFields(await readStdin(host.stdin())) };
  },
  // The last line break of a file is not a key that a person pressed.
  keys: async (params, _options, host) => {
    if (params['text'] !== undefined && params['secret'] !== true) return params;
    return { ...params, text: withoutLastBreak(await readText(params, host)) };
  },
  // All of it, to the last line break; but a secret is one line.
  text: async (params, _options, host) => {
    const isSecret = params['secret'] === true;
    if (!isSecret && (params['text'] !== undefined || params['text_base64'] !== undefined)) return params;
    const text = await readText(params, host);
    return { ...params, text: isSecret ? withoutLastBreak(text) : text };
  },
};

/** Whether the input is none of the arguments; a secret is asked for by itself. */
export function readsStdin(stdin: NonNullable<Traits['stdin']>, params: Fields): boolean {
  const given = stdin === 'bytes' ? ['input', 'input_base64'] : ['text', 'text_base64'];
  return params['secret'] !== true && given.every((field) => params[field] === undefined);
}

/** Bytes of an argument with its escapes read, unless `--raw` is given. */
export function argumentBytes(input: string, options: Fields): Uint8Array {
  if (options['hex'] === true) return readHex(input);
  return options['raw'] === true ? new TextEncoder().encode(input) : readEscapes(input);
}

/** @throws T4aError usage */
function readHex(input: string): Uint8Array {
  const digits = input.replaceAll(/\s/g, '');
  if (!/^(?:[0-9a-f]{2})+$/i.test(digits)) {
    throw new T4aError('usage', `--hex takes bytes of two digits each, and ${quote(input)} is none.`, {
      hint: 'For example t4a send t1 --hex "1b 5b 41".',
    });
  }
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}

/** Text if it is UTF-8, which is shorter on the wire; else the bytes. A BOM is input like any other. */
function bytesFields(bytes: Uint8Array): { input: string } | { input_base64: string } {
  try {
    return { input: decodeUtf8(bytes) };
  } catch {
    return { input_base64: Buffer.from(bytes).toString('base64') };
  }
}

async function readText(params: Fields, host: Host): Promise<string> {
  const bytes = await (params['secret'] === true ? readSecret(params, host) : readStdin(host.stdin()));
  try {
    return decodeUtf8(bytes);
  } catch {
    throw new T4aError('invalid_utf8', 'Standard input is not UTF-8.', { hint: '"t4a send" sends any bytes.' });
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

async function readSecret(params: Fields, host: Host): Promise<Uint8Array> {
  return (await import('./secret.js')).readSecret(params, host);
}

function withoutLastBreak(text: string): string {
  return text.replace(/\r?\n$/u, '');
}
