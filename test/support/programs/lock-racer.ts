/** Says `ready`, takes the lock named on its command line at a line of input, says `owned` or `held`, and keeps it until its stdin ends. */
import { createInterface } from 'node:readline';
import { InstanceLock } from '../../../src/rpc/instance-lock.js';

const [path = ''] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
console.log('ready');
await lines.next();
const lock = await InstanceLock.acquire(path);
console.log(lock === undefined ? 'held' : 'owned');
await lines.next();
lock?.release();
