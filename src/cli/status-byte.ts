/** An exit status has eight bits, the code of a command may have more. */

const SIGNAL_BASE = 128;
const MOST_SIGNAL = 64;

/** What has none of the eight bits set is no success. ksh93 adds 256 to the number of a signal. */
export function statusByte(code: number): number {
  if (code >= 0 && code <= 255) return code;
  if (code > 256 && code <= 256 + MOST_SIGNAL) return SIGNAL_BASE + code - 256;
  return code & 255 || 255;
}
