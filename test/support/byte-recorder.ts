/** A program that writes all input to a file, as it comes; it starts in a fraction of the time that Node takes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A byte that no key and no report sends. */
export const END_OF_RECORDING = 0xff;

const ESCAPE = /\\x([0-9a-f]{2})|\\([rn])/g;

/** @param asked printed before it rings, with the escapes \x1b, \r, \n */
export function byteRecorder(file: string, asked: string): string[] {
  writeFileSync(file, '');
  const printed = asked.replaceAll(ESCAPE, (_, hex: string | undefined, name: string) =>
    hex === undefined ? { r: '\r', n: '\n' }[name]! : String.fromCharCode(parseInt(hex, 16)),
  );
  return ['sh', '-c', `stty raw -echo; printf '%s\\007' "$2"; exec cat >> "$1"`, 'sh', file, printed];
}

/** What came before {@link END_OF_RECORDING}, once that has come. */
export async function recordedBytes(file: string): Promise<Buffer> {
  for (;;) {
    const bytes = readFileSync(file);
    if (bytes.at(-1) === END_OF_RECORDING) return bytes.subarray(0, -1);
    await delay(2);
  }
}
