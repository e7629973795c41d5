/** Keys on which the kernel acts in cooked mode: they overtake queued input. */
import type { KeyPress } from '../../vt/keys/key-press.js';
import { CTRL } from '../../vt/keys/modifiers.js';

export interface Interrupt {
  /** The key that is pressed with Ctrl. */
  readonly key: string;
  readonly byte: number;
  /** Name among the control characters of termios. */
  readonly character: string;
  readonly signal: NodeJS.Signals;
}

const INTERRUPTS: readonly Interrupt[] = [
  { key: 'c', byte: 0x03, character: 'intr', signal: 'SIGINT' },
  { key: '\\', byte: 0x1c, character: 'quit', signal: 'SIGQUIT' },
  { key: 'z', byte: 0x1a, character: 'susp', signal: 'SIGTSTP' },
];

export function interruptOfKey(press: KeyPress | undefined): Interrupt | undefined {
  return press?.modifiers === CTRL ? INTERRUPTS.find(({ key }) => key === press.key) : undefined;
}

/** The interrupt key if the input is exactly one; else undefined. */
export function interruptOfBytes(bytes: Uint8Array): Interrupt | undefined {
  return bytes.length === 1 ? INTERRUPTS.find(({ byte }) => byte === bytes[0]) : undefined;
}
