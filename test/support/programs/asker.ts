/** `asker SOCKET DAEMON COUNT`: connects COUNT times at once at a line of input, and prints the pids of the daemons met. */
import { createInterface } from 'node:readline';
import { connect } from '../../../src/client/client.js';

const [socketPath = '', daemonEntry = '', count = '1'] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
console.log('ready');
await lines.next();
const pids = await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const client = await connect({ socketPath, daemonEntry });
    const { pid } = await client.call('ping');
    await client.close();
    return pid;
  }),
);
console.log(JSON.stringify(pids));
process.stdin.destroy();
