/** The frames of real programs, put together by mirrors, against what the daemon shows otherwise. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Client } from '../../src/client/client.js';
import { Mirror, type Frame } from '../../src/mirror/mirror.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { RawConnection, rawRequest } from '../support/raw.js';

let daemon: TestDaemon;
let client: Client;
beforeAll(async () => {
  daemon = await startDaemon();
  client = await connect({ socketPath: daemon.socketPath });
});
afterAll(async () => {
  await client.close();
  await daemon.stop();
});

const LONG_MS = 60_000;

async function start(command: string, fields: object = {}): Promise<string> {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', command], ...fields });
  return String(id);
}

/** Asks once, and returns the frame. */
async function look(id: string, mirror: Mirror, fields: { timeout_ms?: number } = {}): Promise<Frame> {
  const frame = await client.call('watch', { id, ...mirror.question, timeout_ms: LONG_MS, ...fields });
  mirror.apply(frame);
  return frame;
}

const textOf = (mirror: Mirror): string[] =>
  mirror.rows.map(({ runs }) =>
    runs
      .map(([text]) => text)
      .join('')
      .trimEnd(),
  );

/** Asks until the mirror is as far as the terminal was when this was called, and compares. */
async function expectSame(id: string, mirror: Mirror): Promise<void> {
  const shown = await client.call('text', { id, trim: true, wait: { until: { settled_ms: 100 } } });
  while (mirror.question.since !== shown.rev) await look(id, mirror);
  expect(textOf(mirror)).toEqual(shown.lines);
  const { row, col, visible } = mirror.cursor;
  expect({ row, col, visible }).toEqual(shown.cursor);
}

test('the first question is answered at once, a later one with the change, and the last by the end of the program', async () => {
  const id = await start(
    'stty -echo; printf "\\033]2;name\\007ready"; read -r x; printf "\\r\\033[1;31m$x\\033[m\\a"; read -r x',
  );
  await client.call('wait', { id, until: { text: 'ready' } });
  const mirror = new Mirror();
  const first = await look(id, mirror);
  expect(first).toMatchObject({ complete: true, cols: 80, rows: 24, title: 'name', alt_screen: false, alive: true });
  expect(first.drawn).toEqual([{ row: 0, runs: [['ready']] }]);
  expect(mirror.state.modes).toMatchObject({ application_cursor: false, mouse_tracking: 'none' });

  const waiting = look(id, mirror);
  await client.call('type', { id, text: 'red', submit: true });
  const second = await waiting;
  expect(second).toMatchObject({ copied: [], drawn: [{ row: 0, runs: [['red', '1;31'], ['dy']] }], bells: 1 });
  expect(second.complete).toBeUndefined();

  const ending = look(id, mirror);
  await client.call('press', { id, keys: ['Enter'] });
  expect(await ending).toMatchObject({ copied: [], drawn: [], alive: false });
  expect(mirror.state.alive).toBe(false);
});

test('at the deadline the frame has the same numbers and nothing else', async () => {
  const id = await start('echo here; cat');
  await client.call('wait', { id, until: { text: 'here' } });
  const mirror = new Mirror();
  const { rev, state } = await look(id, mirror);
  const frame = await look(id, mirror, { timeout_ms: 1 });
  expect(frame).toMatchObject({ rev, state, copied: [], drawn: [] });
  expect(Object.keys(frame).toSorted()).toEqual(['copied', 'cursor', 'drawn', 'first_line', 'rev', 'state']);
});

test('the oldest line that is kept is in a complete frame, and in others once lines have been dropped', async () => {
  const { id } = await client.call('create', {
    cmd_args: ['sh', '-c', 'echo here; read -r x; seq 1 200; printf "\\033[3Jcleared"; exec cat'],
    scrollback: 50,
  });
  await client.call('wait', { id, until: { text: 'here' } });
  const mirror = new Mirror();
  expect(await look(id, mirror)).toMatchObject({ complete: true, oldest: 0 });
  expect(mirror.oldest).toBe(0);
  await client.call('press', { id, keys: ['Enter'] });
  await client.call('wait', { id, until: { text: 'cleared' } });
  const frame = await look(id, mirror);
  expect(frame.oldest).toBe(frame.first_line);
  expect(frame.oldest).toBeGreaterThan(150);
  expect(mirror.oldest).toBe(frame.oldest);
  const { first_line: first } = await client.call('text', { id, region: 'all' });
  expect(first).toBe(frame.oldest);
});

test('unknown frames, another size and the other screen get complete frames', async () => {
  const id = await start('stty -echo; echo here; read -r x; printf "\\033[?1049hother"; cat');
  await client.call('wait', { id, until: { text: 'here' } });
  const mirror = new Mirror();
  const { rev, state } = await look(id, mirror);
  expect(await client.call('watch', { id, since: rev + 1000, state })).toMatchObject({ complete: true, rev });
  // A state that this terminal never had: the frame was one of another terminal.
  expect(await client.call('watch', { id, since: rev, state: state - 1 })).toMatchObject({ complete: true, rev });
  await client.call('resize', { id, cols: 40, rows: 10 });
  expect(await look(id, mirror)).toMatchObject({ complete: true, cols: 40, rows: 10 });
  await client.call('press', { id, keys: ['Enter'] });
  expect(await look(id, mirror)).toMatchObject({ complete: true, alt_screen: true });
  await expectSame(id, mirror);
});

test('a frame of a removed terminal is not taken for one of its namesake', async () => {
  const make = async (): Promise<void> => {
    await start('echo here; cat', { name: 'again' });
    await client.call('wait', { id: 'again', until: { text: 'here' } });
  };
  await make();
  const mirror = new Mirror();
  await look('again', mirror);
  const waiting = client.call('watch', { id: 'again', ...mirror.question, timeout_ms: LONG_MS });
  await client.call('kill', { id: 'again' });
  // The end of the program may come as a frame of its own.
  const ended = await waiting.then((frame) => mirror.apply(frame)).catch((error: unknown) => error);
  if (ended instanceof Error) expect(ended).toMatchObject({ code: 'terminal_not_found' });
  else expect(mirror.state.alive).toBe(false);
  await make();
  expect(await client.call('watch', { id: 'again', ...mirror.question })).toMatchObject({ complete: true });
});

test('a question is cancelled, and does not change the meaning of "@"', async () => {
  const [first, last] = [await start('cat'), await start('cat')];
  const { rev, state } = await request(daemon, { cmd: 'watch', id: first });
  expect(await request(daemon, { cmd: 'status', id: '@' })).toMatchObject({ id: last });
  const connection = new RawConnection(daemon.socketPath);
  connection.write(`${JSON.stringify({ cmd: 'watch', id: first, since: rev, state, timeout_ms: LONG_MS, req: 1 })}\n`);
  connection.write('{"cmd":"cancel","of":1,"req":2}\n');
  const replies = [(await connection.reply()).header, (await connection.reply()).header];
  expect(replies.find(({ req }) => req === 1)).toMatchObject({ ok: false, code: 'cancelled' });
  expect(replies.find(({ req }) => req === 2)).toMatchObject({ ok: true, cancelled: true });
  connection.close();
});

test.each([{ since: -1 }, { state: 'x' }, { gather_ms: 1001 }, { timeout_ms: -1 }, { follow: true }, { id: '../etc' }])(
  'the field of %j is refused',
  async (field) => {
    const { header } = await rawRequest(daemon.socketPath, { cmd: 'watch', id: 'a', ...field });
    expect(header).toMatchObject({ ok: false, code: expect.stringMatching(/^(invalid|unknown)_field$/) });
  },
);

itNeeds('vim')('vim scrolls as copies, and every mirror shows what it shows', async () => {
  const id = await start('seq 1 300 > "$HOME/n"; exec vim -u NONE -N "$HOME/n"');
  await client.call('wait', { id, until: { settled_ms: 200 } });
  const [eager, lazy] = [new Mirror(), new Mirror()];
  for (const mirror of [eager, lazy]) await expectSame(id, mirror);
  let copies = 0;
  for (const keys of [['Ctrl+E'], ['Ctrl+E'], ['Ctrl+D'], ['Ctrl+Y'], ['G'], ['g', 'g'], ['Ctrl+F']]) {
    await client.call('press', { id, keys, wait: { until: { settled_ms: 50 } } });
    const frame = await look(id, eager);
    copies += frame.copied.reduce((sum, [, , count]) => sum + count, 0);
    await expectSame(id, eager);
  }
  expect(copies).toBeGreaterThan(50);
  await expectSame(id, lazy);
});

itNeeds('less')('less is shown as it scrolls, and the shell again after it', async () => {
  const id = await start('echo before; seq 1 500 | less; echo after; cat');
  await client.call('wait', { id, until: { settled_ms: 200 } });
  const mirror = new Mirror();
  for (const keys of [['j'], ['Space'], ['k'], ['G']]) {
    await client.call('press', { id, keys, wait: { until: { settled_ms: 50 } } });
    await expectSame(id, mirror);
  }
  await client.call('press', { id, keys: ['q'], wait: { until: { text: 'after' } } });
  await expectSame(id, mirror);
  expect(textOf(mirror)).toContain('after');
});

test('watchers of any speed follow a flood, and a redraw in place, to its end', async () => {
  const flood = await start('read -r x; seq 1 200000; echo END');
  const redraw = await start(
    'read -r x; i=0; while [ $i -lt 300 ]; do printf "\\033[H%s\\033[K\\r\\nrow\\033[7m $((i % 7)) \\033[m" $i; i=$((i+1)); done; printf "\\r\\nEND"',
  );
  for (const id of [flood, redraw]) {
    const mirrors = [new Mirror(), new Mirror(), new Mirror()];
    const follow = async (mirror: Mirror, every: number): Promise<void> => {
      for (let n = 0; mirror.state.alive; n++) {
        await look(id, mirror);
        // A slow one asks after others have asked and been answered.
        for (let i = 1; i < every; i++) await client.call('watch', { id });
      }
    };
    const following = mirrors.map((mirror, i) => follow(mirror, 1 + 4 * i));
    await client.call('press', { id, keys: ['Enter'] });
    await Promise.all(following);
    for (const mirror of mirrors) await expectSame(id, mirror);
    expect(textOf(mirrors[0]!)).toContain('END');
  }
});
