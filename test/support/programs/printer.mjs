// Prints what it is given in base64, and then every line that it is sent in base64; rings after each.
import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const print = (base64) => writeSync(1, Buffer.concat([Buffer.from(base64, 'base64'), Buffer.of(7)]));
// Node's own raw mode goes on turning line feeds into two characters.
execFileSync('stty', ['raw', '-echo'], { stdio: ['inherit', 'ignore', 'inherit'] });
createInterface({ input: process.stdin, terminal: false }).on('line', print);
print(process.argv[2]);
