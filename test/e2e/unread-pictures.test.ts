import { expect, it } from 'vitest';
import { request, startDaemon } from '../support/daemon.js';
import { RawConnection, rawRequest } from '../support/raw.js';

const CLIENT_BUFFER = 64 * 1024;
/** A quarter of it is for pictures; two of these are drawn at once. */
const MEMORY = 64 << 20;
/** So that no two are the same picture. */
const PADS = Array.from({ length: 16 }, (_, pad) => pad);
const NOISE = String.raw`
let state = 1;
const random = (below) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
let out = '\x1b[H';
for (let at = 0; at < 200 * 50 - 1; at++) out += '\x1b[38;2;' + random(251) + ';' + random(241) + ';99m' + String.fromCharCode(33 + random(90));
process.stdout.write(out + '\x07');
setInterval(() => {}, 1e6);
`;

it('the daemon draws few pictures ahead for a client that does not read, and serves others meanwhile', async () => {
  const daemon = await startDaemon();
  let asking: RawConnection | undefined;
  try {
    const cmdArgs = [process.execPath, '-e', NOISE];
    const wait = { until: { event: 'bell' } };
    const { id } = await request(daemon, { cmd: 'create', cols: 200, rows: 50, cmd_args: cmdArgs, wait });
    await request(daemon, { cmd: 'config', max_memory_bytes: MEMORY, client_buffer_bytes: CLIENT_BUFFER });
    const shot = { cmd: 'screenshot', id, profile: 'exact' };
    asking = new RawConnection(daemon.socketPath);
    asking.socket.pause();
    asking.write(PADS.map((pad) => `${JSON.stringify({ ...shot, pad, req: pad })}\n`).join(''));
    // All are in one line: once two of another client's are drawn, those before have had their turn.
    const others = await Promise.all([30, 31].map((pad) => rawRequest(daemon.socketPath, { ...shot, pad })));
    const size = Math.max(...others.map(({ bytes }) => bytes.length));
    expect(size).toBeGreaterThan(8 * CLIENT_BUFFER);
    const { connections } = (await request(daemon, { cmd: 'stats' })) as { connections: { unread_bytes: number } };
    expect(connections.unread_bytes).toBeLessThan(4 * size);
    // Read at last, all of them come.
    asking.socket.resume();
    const seen = new Set<unknown>();
    for (const _ of PADS) {
      const { header, bytes } = await asking.reply();
      expect(header).toMatchObject({ ok: true, len: bytes.length });
      seen.add(header['req']);
    }
    expect(seen).toEqual(new Set(PADS));
  } finally {
    asking?.socket.destroy();
    await daemon.stop();
  }
});
