/** The letters that designate character sets (ESC ( 0), by their content: a keyframe holds sets and not their names. */
import { wholeInternals, type Charset } from './frozen-internals.js';
import { Emulator } from './emulator.js';

/** ASCII. */
const PLAIN = 'B';
const FIRST_FINAL = 0x30;
const LAST_FINAL = 0x7e;

let names: ReadonlyMap<string, string> | undefined;

export function charsetName(charset: Charset): string {
  if (charset === undefined) return PLAIN;
  names ??= readNames();
  return names.get(JSON.stringify(charset)) ?? PLAIN;
}

function readNames(): ReadonlyMap<string, string> {
  const emulator = new Emulator({ cols: 2, rows: 1, scrollback: 0 });
  const found = new Map<string, string>();
  for (let code = FIRST_FINAL; code <= LAST_FINAL; code++) {
    const name = String.fromCharCode(code);
    emulator.parse(`\x1b(${PLAIN}\x1b(${name}`);
    const { charset } = wholeInternals(emulator.internals)._inputHandler._charsetService;
    const content = JSON.stringify(charset);
    if (charset !== undefined && !found.has(content)) found.set(content, name);
  }
  emulator.dispose();
  return found;
}
