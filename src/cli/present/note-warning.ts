/** Warnings of a reply, on standard error. */
import type { Host } from '../host.js';
import { printable } from '../output/printable.js';

export function noteWarning(warning: string | undefined, host: Host): void {
  if (warning !== undefined) host.note(`t4a: ${printable(warning)}\n`);
}
