/** What programs print a lot of. `length` is in bytes, at least. */

/** The log of a server, with colours. */
export function colouredLog(length: number): string {
  const levels = ['\x1b[32mINFO\x1b[0m', '\x1b[33mWARN\x1b[0m', '\x1b[1;31mERROR\x1b[0m', '\x1b[2mDEBUG\x1b[0m'];
  return linesOf(
    length,
    (i) =>
      `\x1b[90m2026-01-01T00:00:${String(i % 60).padStart(2, '0')}Z\x1b[0m ${levels[i % 4]} \x1b[36mserver::worker-${i % 17}\x1b[0m request ${i} took \x1b[1m${(i * 7919) % 1000}\x1b[0m ms\n`,
  );
}

/** A colour of its own for every two characters. */
export function truecolourLines(length: number): string {
  return linesOf(length, (i) => {
    const pairs = Array.from({ length: 40 }, (_, pair) => {
      const colour = [(i * 7 + pair * 5) % 256, (pair * 6) % 256, (i + pair) % 256].join(';');
      return `\x1b[38;2;${colour}m${letter(i + pair)}${letter(pair * 3)}`;
    });
    return `${pairs.join('')}\x1b[0m\r\n`;
  });
}

export function plainLines(length: number): string {
  return linesOf(length, (i) => `${i} the quick brown fox jumps over the lazy dog and runs into the night\n`);
}

function linesOf(length: number, line: (index: number) => string): string {
  const lines: string[] = [];
  for (let bytes = 0; bytes < length; bytes += lines.at(-1)?.length ?? 0) lines.push(line(lines.length));
  return lines.join('');
}

function letter(index: number): string {
  return String.fromCodePoint(0x61 + (index % 26));
}
