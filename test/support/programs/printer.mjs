// Prints what it is given in base64, and then every line that it is sent in base64; rings after each.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const print = (base64) => writeSync(1, Buffer.concat([Buffer.from(base64, 'base64'), Buffer.of(7)]));
process.stdin.setRawMode(true);
createInterface({ input: process.stdin, terminal: false }).on('line', print);
print(process.argv[2]);
