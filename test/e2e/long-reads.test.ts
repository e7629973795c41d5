/** Reads of large screens are made in slices: what is read is the screen of one instant all the same. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';

const PAINTER = String.raw`
for (let row = 0; row < 1000; row++) {
  let line = '';
  for (let col = 0; col < 100; col++) line += '\x1b[3' + ((row + col) % 8) + 'mabcd efgh';
  process.stdout.write(line + '\x1b[m' + (row < 999 ? '\r\n' : ''));
}
process.stdout.write('\x07');
process.stdin.on('data', () => process.stdout.write('\x1b[H\x1b[2J\x07'));
`;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.stop();
});

async function painted(): Promise<unknown> {
  const wait = { until: { event: 'bell' } };
  const cmdArgs = ['sh', '-c', 'stty raw -echo; exec "$0" -e "$1"', process.execPath, PAINTER];
  const { id } = await request(daemon, { cmd: 'create', cols: 1000, rows: 1000, cmd_args: cmdArgs, wait });
  return id;
}

it('what is read is the screen of one instant, though the program clears it while the reply is made', async () => {
  const id = await painted();
  const reading = new RawConnection(daemon.socketPath);
  const other = new RawConnection(daemon.socketPath);
  reading.write(`${JSON.stringify({ cmd: 'text', id, format: 'ansi' })}\n`);
  const cleared = { cmd: 'send', id, input: 'x', wait: { until: { event: 'bell' } } };
  other.write(`${JSON.stringify(cleared)}\n`);
  const { header } = await reading.reply();
  await other.reply();
  const lines = header['lines'] as string[];
  expect(new Set(lines.map((line) => line.includes('efgh')))).toEqual(new Set([true]));
  const { lines: after } = await request(daemon, { cmd: 'text', id });
  expect((after as string[]).join('').trim()).toBe('');
  for (const one of [reading, other]) one.socket.destroy();
  await request(daemon, { cmd: 'kill', id });
});
