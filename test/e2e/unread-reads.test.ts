/** Large reads of a client that does not read its replies: they wait, whatever each of them waited for before. */
import { expect, it } from 'vitest';
import { request, startDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';
import { casesOf, runsOf } from '../support/trial.js';

const CLIENT_BUFFER = 64 * 1024;
const COUNT = 100;
/** Each takes a tenth of a second: these are several times what may wait. */
const FILMS = runsOf({ suite: 20, trial: COUNT });
const PAINTER = String.raw`
for (let row = 0; row < 300; row++) process.stdout.write('\x1b[3' + (row % 8) + 'm' + 'abcdefgh'.repeat(37) + '\r\n');
process.stdout.write('\x07');
setInterval(() => {}, 1e6);
`;

const READS: [name: string, read: object, count?: number][] = [
  ['text', { cmd: 'text', format: 'runs' }],
  ['text of the past', { cmd: 'text', format: 'runs', at: 'end' }],
  ['watch', { cmd: 'watch' }],
  ['export', { cmd: 'export' }],
  ['film', { cmd: 'film', from: 'start' }, FILMS],
  ['screenshot of the past', { cmd: 'screenshot', at: 'end' }],
  ['waits that end together', { cmd: 'wait', until: { event: 'marker' }, observe: { text: true } }],
];

/** One that is made at once, one by one, and together; a trial has all. */
const SAMPLE = ['text of the past', 'film', 'waits that end together'];

it.each<[string, object, number?]>(casesOf(READS, ([name]) => SAMPLE.includes(name)))(
  'unread replies to %s are bounded, and all of them come in the end',
  async (_name, read, count = COUNT) => {
    const daemon = await startDaemon();
    let asking: RawConnection | undefined;
    try {
      const wait = { until: { event: 'bell' } };
      const create = { cmd: 'create', cols: 300, rows: 300, cmd_args: [process.execPath, '-e', PAINTER], wait };
      const { id } = await request(daemon, create);
      await request(daemon, { cmd: 'config', client_buffer_bytes: CLIENT_BUFFER });
      const one = new RawConnection(daemon.socketPath);
      const isWait = 'until' in read;
      const mark = (): unknown => isWait && request(daemon, { cmd: 'marker', id, label: 'now' });
      one.write(`${JSON.stringify({ ...read, id, req: 1 })}\n${isWait ? '{"cmd":"ping","req":2}\n' : ''}`);
      // Of a ping behind it, which is answered once it has begun.
      if (isWait) await one.reply();
      await mark();
      const { header, bytes } = await one.reply();
      const size = Buffer.byteLength(JSON.stringify(header)) + bytes.length;
      one.socket.destroy();
      asking = new RawConnection(daemon.socketPath);
      asking.socket.pause();
      const requests = Array.from({ length: count }, (_, req) => JSON.stringify({ ...read, id, req }));
      asking.write(`${requests.join('\n')}\n`);
      // Each answer to another client lets the daemon do what it could do for this one.
      let most = 0;
      for (let i = 0; i < 200; i++) {
        const { connections } = (await request(daemon, { cmd: 'stats' })) as { connections: { unread_bytes: number } };
        most = Math.max(most, connections.unread_bytes);
        // All have begun by then.
        if (i === 100) await mark();
      }
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThan(CLIENT_BUFFER + 4 * size);
      asking.socket.resume();
      const seen = new Set<unknown>();
      for (let i = 0; i < count; i++) seen.add((await asking.reply()).header['req']);
      expect(seen.size).toBe(count);
    } finally {
      asking?.socket.destroy();
      await daemon.stop();
    }
  },
);

const SCROLLER = String.raw`
const row = Array.from({ length: 74 }, (_, i) => '\x1b[3' + (i % 8) + 'mabcd').join('') + '\r\n';
process.stdout.write(row.repeat(3000) + 'whole');
process.stdin.on('data', () => process.stdout.write('\x07'));
`;

/** Each keeps 10 MB of lines, or makes as much JSON: two of them are the bound. */
const CLIENTS = 12;

it.each([
  ['that are made together', {}],
  ['that have captured their lines in one instant', { wait: { until: { event: 'bell' } } }],
])('large reads %s count to their connections: some end beyond the bound, and one is answered', async (_name, more) => {
  const daemon = await startDaemon();
  const readers: RawConnection[] = [];
  try {
    await request(daemon, { cmd: 'config', max_memory_bytes: 240_000_000, max_line_bytes: 64 * 1024 });
    const wait = { until: { text: 'whole' } };
    const command = { cmd_args: [process.execPath, '-e', SCROLLER], cols: 300, scrollback: 3000, wait };
    const { id } = await request(daemon, { cmd: 'create', ...command });
    const answers = Array.from({ length: CLIENTS }, async (_each, start) => {
      const one = new RawConnection(daemon.socketPath);
      readers.push(one);
      one.socket.on('error', () => {});
      one.write('{"cmd":"ping"}\n');
      await one.reply();
      one.write(`${JSON.stringify({ cmd: 'text', id, format: 'runs', start, end: 3000, ...more })}\n`);
      one.socket.end();
      return (await one.rest()).toString();
    });
    if ('wait' in more) {
      const inFlight = async () => {
        const { connections } = (await request(daemon, { cmd: 'stats' })) as { connections: { in_flight: number } };
        return connections.in_flight;
      };
      await expect.poll(inFlight).toBe(CLIENTS + 1);
      await request(daemon, { cmd: 'type', id, text: '\n' });
    }
    const all = await Promise.all(answers);
    const whole = all.filter((answer) => answer.startsWith('{"ok":true') && answer.endsWith('}\n'));
    const refused = all.filter((answer) => answer.startsWith('{"ok":false'));
    expect(refused.every((answer) => answer.includes('"code":"memory_low"'))).toBe(true);
    expect([whole.length > 0, refused.length > 0]).toEqual([true, true]);
    if ('wait' in more) expect(whole.length).toBeLessThan(4);
  } finally {
    for (const one of readers) one.socket.destroy();
    await daemon.stop();
  }
});
