/** The log of a server, with colours. */

/** @param length in bytes, at least */
export function colouredLog(length: number): string {
  const levels = ['\x1b[32mINFO\x1b[0m', '\x1b[33mWARN\x1b[0m', '\x1b[1;31mERROR\x1b[0m', '\x1b[2mDEBUG\x1b[0m'];
  const lines: string[] = [];
  for (let bytes = 0, i = 0; bytes < length; i++) {
    const line = `\x1b[90m2026-01-01T00:00:${String(i % 60).padStart(2, '0')}Z\x1b[0m ${levels[i % 4]} \x1b[36mserver::worker-${i % 17}\x1b[0m request ${i} took \x1b[1m${(i * 7919) % 1000}\x1b[0m ms\n`;
    lines.push(line);
    bytes += line.length;
  }
  return lines.join('');
}
