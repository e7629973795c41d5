/**
 * Programs that print much in raw mode: what makes the kernel hand out the most at once. `cat` passes on up to 64 KiB a
 * write; `yes` alone writes 8.
 */
const LINE = 'the quick brown fox jumps over the lazy dog and runs into the night';

/** Without an end. */
export const RAW_FLOOD = ['sh', '-c', `stty raw -echo; yes '${LINE}' | cat`];

export function rawFloodOf(bytes: number): string[] {
  return ['sh', '-c', `stty raw -echo; yes '${LINE}' | head -c ${bytes} | cat`];
}
