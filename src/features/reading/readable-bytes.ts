/** Control sequences in readable form. */
import type { UnknownSequence } from '../../vt/replies/sequences.js';

const INTRODUCERS: Readonly<Record<UnknownSequence['kind'], string>> = {
  csi: '\x1b[',
  esc: '\x1b',
  osc: '\x1b]',
  dcs: '\x1bP',
  apc: '\x1b_',
};

/** `CSI ?1;2h`, `OSC 9;text` */
export function readableSequence({ kind, text }: UnknownSequence): string {
  return `${kind.toUpperCase()} ${readable(Buffer.from(text, 'utf8'))}`;
}

/** The kept bytes as hexadecimal, without a terminator. */
export function hexSequence({ kind, text }: UnknownSequence): string {
  return Buffer.from(INTRODUCERS[kind] + text, 'utf8').toString('hex');
}

/** ESC becomes `\e`, a backslash is doubled, other bytes outside of printable ASCII become `\xHH`. */
export function readable(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    if (byte === 0x5c) text += '\\\\';
    else if (byte >= 0x20 && byte < 0x7f) text += String.fromCharCode(byte);
    else text += NAMED[byte] ?? `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return text;
}

const NAMED: Readonly<Record<number, string>> = { 0x1b: '\\e', 0x0a: '\\n', 0x0d: '\\r', 0x09: '\\t' };
