// Writes all input up to a byte 0xff to a file, as it came. Prints what it is given first, and rings when it is ready.
import { writeFileSync, writeSync } from 'node:fs';

const [path, printed] = process.argv.slice(2);
const ESCAPE = /\\x([0-9a-f]{2})|\\([rn])/g;
process.stdin.setRawMode(true);
const received = [];
process.stdin.on('data', (chunk) => {
  received.push(chunk);
  if (chunk.at(-1) !== 0xff) return;
  writeFileSync(path, Buffer.concat(received).subarray(0, -1));
  process.exit();
});
const text = printed.replaceAll(ESCAPE, (_, hex, name) =>
  name === undefined ? String.fromCharCode(parseInt(hex, 16)) : { r: '\r', n: '\n' }[name],
);
writeSync(1, `${text}\x07`);
