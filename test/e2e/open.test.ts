/** Recordings opened as terminals: what reads works on them, what writes is refused, and they have no effects. */
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Client } from '../../src/client/client.js';
import { Mirror } from '../../src/mirror/mirror.js';
import { castV3, type Line, ttyrec, typescript } from '../history/recording/recordings.js';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { rawRequest } from '../support/raw.js';
import { casesOf, inTrial } from '../support/trial.js';
import { EventStream } from '../support/wait-for.js';

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

/** With everything that a live terminal would publish. */
const LINES: readonly Line[] = [
  [0, 'o', '\u001b]133;A\u0007$ \u001b]133;B\u0007make\r\n\u001b]133;C\u0007'],
  [500, 'o', 'first\r\n\u0007\u001b]52;c;eA==\u0007\u001b]9;done\u0007\u001b[6n'],
  [1000, 'm', 'half'],
  [2000, 'r', '30x6'],
  [2500, 'o', '\u001b[31msecond\u001b[m\r\n\u001b]133;D;2\u0007'],
  [3000, 'x', '2'],
];

function castFile(name = 'a.cast', content: string | Uint8Array = castV3(LINES)): string {
  const file = path.join(daemon.dir, name);
  writeFileSync(file, content);
  return file;
}

async function opened(fields: object = {}): Promise<Record<string, unknown>> {
  const reply = await request(daemon, { cmd: 'open', path: castFile(), ...fields });
  expect(reply).toMatchObject({ ok: true });
  return reply;
}

async function rowsOf(id: unknown): Promise<string[]> {
  const { lines } = await request(daemon, { cmd: 'text', id });
  return (lines as string[]).map((line) => line.trimEnd()).filter((line) => line !== '');
}

it('shows its end to all that reads, and is no live terminal', async () => {
  const { id, ...facts } = await opened({ name: 'demo' });
  expect(facts).toMatchObject({
    cols: 30,
    rows: 6,
    format: 'asciicast-v3',
    duration_ms: 3000,
    at_ms: 3000,
    complete: true,
    repaired: 0,
  });
  expect(id).toBe('demo');
  expect(await rowsOf('demo')).toEqual(['$ make', 'first', 'second']);
  const status = await request(daemon, { cmd: 'status', id });
  const state = { alive: false, pid: null, recording: path.join(daemon.dir, 'a.cast'), exit_code: 2, exited_at: null };
  expect(status).toMatchObject({ ...state, state: 'exited', foreground: null, cols: 30 });
  expect(await request(daemon, { cmd: 'grep', id, pattern: 'sec' })).toMatchObject({ matches: [{ text: 'second' }] });
  expect(await request(daemon, { cmd: 'find', id, text: 'second' })).toMatchObject({ matches: [{ row: 2, col: 0 }] });
  expect(await request(daemon, { cmd: 'cursor', id })).toMatchObject({ row: 3, col: 0 });
  expect(await request(daemon, { cmd: 'commands', id })).toMatchObject({ commands: [{ code: 2 }] });
  expect(await request(daemon, { cmd: 'wait', id, until: { exit: true } })).toMatchObject({ outcome: 'matched' });
  const picture = await rawRequest(daemon.socketPath, { cmd: 'screenshot', id });
  expect(picture.header).toMatchObject({ ok: true, format: 'png', cols: 30, rows: 6 });
  await request(daemon, { cmd: 'kill', id });
  expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ code: 'terminal_not_found' });
});

it.each([
  ['start', ['$ make'], 0, 40],
  ['0.4s', ['$ make'], 400, 40],
  ['500ms', ['$ make', 'first'], 500, 40],
  ['marker:half', ['$ make', 'first'], 1000, 40],
  ['-900ms', ['$ make', 'first'], 2100, 30],
  ['0:02.5', ['$ make', 'first', 'second'], 2500, 30],
  ['1h', ['$ make', 'first', 'second'], 3000, 30],
])('at %s it shows that moment', async (at, rows, atMs, cols) => {
  const { id, at_ms: shown, cols: shownCols, duration_ms: duration } = await opened({ at });
  expect({ shown, shownCols, duration }).toEqual({ shown: atMs, shownCols: cols, duration: 3000 });
  expect(await rowsOf(id)).toEqual(rows);
  await request(daemon, { cmd: 'kill', id });
});

/** Prints each line that it is given in colour; the second line makes it draw a full screen. */
const PAINTER =
  'stty -echo; echo ready; read -r a; printf "\\033[31mgot $a\\033[m\\n"; read -r b; printf "\\033[?1049h\\033[44mfull $b\\033[K\\n"; read -r c; printf "\\033[?1049lback $c\\n"; cat';

it('has the past of its recording: what a read at a moment shows is what it showed live', async () => {
  const file = path.join(daemon.dir, 'live.cast.gz');
  const { id: live } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', PAINTER], cols: 40, rows: 8 });
  await request(daemon, { cmd: 'wait', id: live, until: { text: 'ready' } });
  await request(daemon, { cmd: 'record', id: live, path: file });
  const looks: { label: string; picture: Buffer; lines: unknown; cursor: unknown }[] = [];
  for (const word of ['one', 'two', 'three']) {
    await request(daemon, { cmd: 'send', id: live, input: `${word}\n`, wait: { until: { text: word } } });
    const { bytes: picture } = await rawRequest(daemon.socketPath, { cmd: 'screenshot', id: live });
    const { lines } = await request(daemon, { cmd: 'text', id: live });
    const { row, col } = await request(daemon, { cmd: 'cursor', id: live });
    looks.push({ label: word, picture, lines, cursor: { row, col } });
    await request(daemon, { cmd: 'marker', id: live, label: word });
  }
  await request(daemon, { cmd: 'record', id: live, action: 'stop' });
  await request(daemon, { cmd: 'kill', id: live });
  const { id } = await opened({ path: file });
  for (const { label, picture, lines, cursor } of looks.toReversed()) {
    const at = `marker:${label}`;
    const past = await rawRequest(daemon.socketPath, { cmd: 'screenshot', id, at });
    expect(past.bytes.equals(picture), label).toBe(true);
    expect(await request(daemon, { cmd: 'text', id, at })).toMatchObject({ lines });
    expect(await request(daemon, { cmd: 'cursor', id, at })).toMatchObject(cursor as object);
  }
  expect(await request(daemon, { cmd: 'find', id, text: 'three', at: 'marker:two' })).toMatchObject({ total: 0 });
  expect(await request(daemon, { cmd: 'grep', id, pattern: 'full', at: 'marker:two' })).toMatchObject({ total: 1 });
  const { at: found } = await request(daemon, { cmd: 'seek', id, from: 'start', text: 'full two' });
  expect(await request(daemon, { cmd: 'text', id, at: (found as { rev: number }).rev })).toMatchObject({
    lines: looks[1]?.lines,
  });
  const { frames } = await request(daemon, { cmd: 'film', id, format: 'text', from: 'start' });
  expect(JSON.stringify(frames)).toMatch(/full two.*back three/);
});

it('is read by "watch" and "output" as well', async () => {
  const { id } = await opened();
  const mirror = new Mirror();
  mirror.apply(await client.call('watch', { id: String(id) }));
  expect(
    mirror.rows
      .map(({ runs }) =>
        runs
          .map(([text]) => text)
          .join('')
          .trimEnd(),
      )
      .slice(0, 3),
  ).toEqual(['$ make', 'first', 'second']);
  const { ended, bytes } = await client.call('output', { id: String(id) });
  expect(ended).toBe(true);
  const printed = LINES.filter(([, code]) => code === 'o').map(([, , text]) => text);
  expect(Buffer.from(bytes ?? []).toString()).toBe(printed.join(''));
});

it('with times that go back shows what comes later, and says so', async () => {
  const lines = '[2,"o","one "]\n[-1,"o","two "]\n[1,"o","three"]\n';
  const file = castFile('back.cast', `{"version":3,"term":{"cols":40,"rows":5}}\n${lines}`);
  const { id, repaired, duration_ms: duration } = await opened({ path: file });
  expect({ repaired, duration }).toEqual({ repaired: 1, duration: 3000 });
  expect(await rowsOf(id)).toEqual(['one two three']);
});

it('is in "recordings" while it is open, from wherever it is', async () => {
  symlinkSync(castFile('aim.cast'), path.join(daemon.dir, 'aim-link.cast'));
  const paths = ['aim-link.cast', 'plain.ttyrec'].map((name) => path.join(daemon.dir, name));
  castFile('plain.ttyrec', ttyrec());
  const ids: unknown[] = [];
  for (const each of paths) ids.push((await opened({ path: each })).id);
  const listed = async (): Promise<object[]> => {
    const { recordings } = await request(daemon, { cmd: 'recordings' });
    return (recordings as { path: string }[]).filter((one) => paths.includes(one.path));
  };
  expect(await listed()).toEqual([
    {
      path: paths[0],
      title: null,
      terminal: 't1',
      started_at: 5000,
      size: expect.any(Number),
      live: false,
      opened: [ids[0]],
    },
    {
      path: paths[1],
      title: null,
      terminal: null,
      started_at: null,
      size: ttyrec().length,
      live: false,
      opened: [ids[1]],
    },
  ]);
  for (const id of ids) await request(daemon, { cmd: 'kill', id });
  expect(await listed()).toEqual([]);
});

it('has the times of its recording', async () => {
  const lines: Line[] = [...LINES, [3000, 'i', 'x'], [3400, 'o', 'late']];
  const { id } = await opened({ path: castFile('times.cast', castV3(lines)) });
  const rowsAt = async (at: string): Promise<string> => {
    const { lines: rows } = await request(daemon, { cmd: 'text', id, at });
    return (rows as string[])
      .map((row) => row.trim())
      .join(' ')
      .trim();
  };
  expect(await rowsAt('start')).toBe('');
  expect(await rowsAt('0.4s')).toBe('$ make');
  expect(await rowsAt('marker:half')).toBe('$ make first');
  expect(await rowsAt('-1s')).toBe('$ make first');
  expect(await rowsAt('command:1:end')).toBe('$ make first second');
  expect(await rowsAt('input')).toBe('$ make first second');
  expect(await rowsAt('end')).toBe('$ make first second late');
  expect(await request(daemon, { cmd: 'text', id, at: '1s' })).toMatchObject({
    at: { ago_ms: 2900 },
  });
  expect(await request(daemon, { cmd: 'text', id, at: '9s' })).toMatchObject({
    code: 'moment_unknown',
    hint: expect.stringMatching(/oldest moment kept is revision 0, of .* \(0s\), the last revision \d+ \(3\.4s\)/),
  });
  expect(await request(daemon, { cmd: 'text', id, at: 'marker:none' })).toMatchObject({ code: 'moment_unknown' });
});

it('takes no input, no change of size and no recording', async () => {
  const { id } = await opened();
  for (const fields of [
    { cmd: 'send', input: 'x' },
    { cmd: 'type', text: 'x' },
    { cmd: 'paste', text: 'x' },
    { cmd: 'press', keys: ['Ctrl+C'] },
    { cmd: 'resize', cols: 50, rows: 10 },
    { cmd: 'record' },
    { cmd: 'kill', signal: 'TERM' },
    { cmd: 'run', command: 'true' },
  ]) {
    expect(await request(daemon, { id, ...fields }), fields.cmd).toMatchObject({ ok: false, code: 'read_only' });
  }
  expect(await rowsOf(id)).toEqual(['$ make', 'first', 'second']);
});

/** Sizes that change from line to line. */
const sizes = (count: number, side = 1000): string =>
  castV3(Array.from({ length: count }, (_, i) => [i, 'r', `${side - (i % 2)}x${side}`]));

it('of sizes that change, others are answered between two changes', async () => {
  const path_ = castFile('sizes.cast', sizes(30, 500));
  let isOpen = false;
  const opening = opened({ path: path_, name: 'sizes' }).finally(() => (isOpen = true));
  let answers = 0;
  for (; !isOpen; answers++) await client.call('ping', {});
  await opening;
  expect(answers).toBeGreaterThan(20);
  await request(daemon, { cmd: 'kill', id: 'sizes' });
});

it('of several recordings at once, one of them changes its size in each turn', async () => {
  const path_ = castFile('sizes.cast', sizes(10, 500));
  let open = 3;
  const openings = ['a1', 'a2', 'a3'].map((name) => opened({ path: path_, name }).finally(() => open--));
  let answers = 0;
  for (; open > 0; answers++) await client.call('ping', {});
  await Promise.all(openings);
  expect(answers).toBeGreaterThan(20);
  for (const id of ['a1', 'a2', 'a3']) await request(daemon, { cmd: 'kill', id });
});

/** What counts them is tested by itself. */
inTrial(() => {
  it('whose sizes have too many cells in all is refused', async () => {
    const reply = await request(daemon, { cmd: 'open', path: castFile('many.cast', sizes(110)), name: 'many' });
    const error = expect.stringContaining('changes its size to more than 100000000 cells in all');
    expect(reply).toMatchObject({ code: 'recording_invalid', field: 'path', error });
    expect(await request(daemon, { cmd: 'status', id: 'many' })).toMatchObject({ code: 'terminal_not_found' });
  });
});

it('ends when its caller cancels it, however much is left', async () => {
  const own = await connect({ socketPath: daemon.socketPath });
  const stopping = new AbortController();
  const path_ = castFile('long.cast', sizes(95));
  const opening = own.call('open', { path: path_, name: 'long' }, { signal: stopping.signal });
  await own.call('ping', {});
  stopping.abort();
  await expect(opening).rejects.toThrow();
  // The name is free: nothing goes on behind it.
  await request(daemon, { cmd: 'kill', id: (await opened({ name: 'long' })).id });
  await own.close();
});

const HEAD = '{"version":3,"term":{"cols":80,"rows":24}}\n';
const V1 = '{"version":1,"width":80,"height":24,"stdout":[';

/** Each of some kilobytes, or none, on the disk. */
const HOSTILE: readonly [name: string, content: () => string, outcome: object][] = [
  ['a million frames of v1', () => `${V1}${Array(1_000_000).fill('[0,""]').join(',')}]}`, { ok: true }],
  ['deep JSON', () => `${HEAD}${'['.repeat(5_000_000)}\n`, { error: expect.stringContaining('line 2 is no event') }],
  [
    'a number of millions of digits',
    () => `${HEAD}[${'9'.repeat(5_000_000)},"o","x"]\n`,
    { error: expect.stringContaining('line 2 has no time') },
  ],
  [
    'a size of millions of digits',
    () => `${HEAD}[0,"r","${'9'.repeat(5_000_000)}x24"]\n`,
    { error: expect.stringContaining('line 2 has a screen of ?x?') },
  ],
  [
    'millions of comments',
    () => `${HEAD}${'#\n'.repeat(5_000_001)}`,
    { error: expect.stringMatching(/more than 5000000/) },
  ],
  ['many markers', () => `${HEAD}${'[0,"m","x"]\n'.repeat(10_001)}`, { error: expect.stringMatching(/10000 markers/) }],
];

/** Of each way to be long one; a trial has all. */
const SAMPLE = ['deep JSON', 'millions of comments', 'many markers'];

it.each(casesOf(HOSTILE, ([name]) => SAMPLE.includes(name)))(
  'of a hostile file (%s) delays no other client',
  async (_name, content, outcome) => {
    const file = castFile('hostile.cast.gz', gzipSync(content()));
    let isDone = false;
    const opening = request(daemon, { cmd: 'open', path: file, name: 'hostile' }).finally(() => (isDone = true));
    let answers = 0;
    // Other processes have the time in between: the thread that reads comes behind all of them.
    for (; !isDone; answers++) {
      await client.call('ping', {});
      await delay(1);
    }
    const reply = await opening;
    expect(reply).toMatchObject('ok' in outcome ? outcome : { code: 'recording_invalid', field: 'path', ...outcome });
    // Read by the main thread, each would leave time for one answer or none.
    expect(answers).toBeGreaterThan(10);
    await request(daemon, { cmd: 'kill', id: 'hostile' });
  },
);

it('of a sparse file of a terabyte is refused', async () => {
  const file = castFile('sparse.ttyrec', '');
  truncateSync(file, 1e12);
  const reply = await request(daemon, { cmd: 'open', path: file });
  expect(reply).toMatchObject({
    code: 'recording_invalid',
    error: expect.stringContaining('more than 5000000 events'),
  });
});

it('of a timing file that does not end is refused', async () => {
  const timing = castFile('timing', '1'.repeat(100_000));
  const reply = await request(daemon, { cmd: 'open', path: castFile('script', 'Script started\n'), timing });
  const error = expect.stringMatching(/line 1 of the timing file is longer than 65536 bytes/);
  expect(reply).toMatchObject({ code: 'recording_invalid', error });
});

it('is listed only when recordings are asked for, is never "@", and publishes nothing', async () => {
  const events = await EventStream.open(daemon.socketPath, {});
  const { id: live } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
  const { id } = await opened();
  await request(daemon, { cmd: 'text', id });
  expect(await request(daemon, { cmd: 'status', id: '@' })).toMatchObject({ id: live });
  const idsOf = async (fields: object): Promise<unknown[]> => {
    const { terminals } = await request(daemon, { cmd: 'list', ...fields });
    return (terminals as { id: unknown }[]).map((terminal) => terminal.id);
  };
  expect(await idsOf({})).not.toContain(id);
  expect(await idsOf({ recordings: true })).toContain(id);
  await request(daemon, { cmd: 'kill', id });
  await request(daemon, { cmd: 'kill', id: live });
  // Everything of the live terminal, up to its end; of the other nothing.
  const terminals: unknown[] = [];
  for (let event = await events.next(); ; event = await events.next()) {
    terminals.push(event['terminal']);
    if (event['event'] === 'removed') break;
  }
  expect(new Set(terminals)).toEqual(new Set([live]));
  events.close();
});

it('does not count as a terminal', async () => {
  const own = await startDaemon();
  try {
    await request(own, { cmd: 'config', max_terminals: 1 });
    for (const name of ['a', 'b']) {
      expect(await request(own, { cmd: 'open', path: castFile(), name })).toMatchObject({ ok: true });
    }
    expect(await request(own, { cmd: 'create', cmd_args: ['cat'] })).toMatchObject({ ok: true });
  } finally {
    await own.stop();
  }
});

it('reads a ttyrec, a typescript and a compressed file that was cut off', async () => {
  const own = typescript();
  const timing = castFile('timing', own.timing);
  const torn = gzipSync(castV3(LINES)).subarray(0, -25);
  const shown = async (fields: object): Promise<unknown> => {
    const { id, complete, format } = await opened(fields);
    return { complete, format, first: (await rowsOf(id))[0] };
  };
  expect(await shown({ path: castFile('a.ttyrec', ttyrec()) })).toEqual({
    complete: true,
    format: 'ttyrec',
    first: 'one',
  });
  expect(await shown({ path: castFile('typescript', own.typescript), timing })).toEqual({
    complete: true,
    format: 'script',
    first: 'one',
  });
  expect(await shown({ path: castFile('torn.cast.gz', torn) })).toMatchObject({ complete: false, first: '$ make' });
});

it('opened are 64 at most', async () => {
  const own = await startDaemon();
  try {
    const file = castFile();
    // Some at a time: each is read by a thread that waits for all others of the machine.
    for (let count = 0; count < 64; count += 8) {
      const replies = await Promise.all(
        Array.from({ length: 8 }, async () => request(own, { cmd: 'open', path: file })),
      );
      expect(replies.filter(({ ok }) => ok === true)).toHaveLength(8);
    }
    expect(await request(own, { cmd: 'open', path: file })).toMatchObject({ ok: false, code: 'too_many_terminals' });
  } finally {
    await own.stop();
  }
});

describe('refused is', () => {
  it.each([
    ['a file that does not exist', { path: '/nonexistent/a.cast' }, 'recording_not_found'],
    ['a device', { path: '/dev/zero' }, 'recording_invalid'],
    ['a relative path', { path: 'a.cast' }, 'invalid_field'],
    ['a moment that is none', { at: 'soon' }, 'invalid_field'],
    ['a marker that is not there', { at: 'marker:none' }, 'invalid_field'],
    ['a name that is taken', { name: 'taken' }, 'name_taken'],
  ])('%s', async (_what, fields, code) => {
    await request(daemon, { cmd: 'create', name: 'taken', reuse: true, cmd_args: ['cat'] });
    const before = await request(daemon, { cmd: 'list', recordings: true });
    expect(await request(daemon, { cmd: 'open', path: castFile(), ...fields })).toMatchObject({ ok: false, code });
    const after = await request(daemon, { cmd: 'list', recordings: true });
    expect((after['terminals'] as unknown[]).length).toBe((before['terminals'] as unknown[]).length);
  });

  const HEAD = '{"version":3,"term":{"cols":80,"rows":24}}\n';

  it.each<[string, (file: string) => void, string]>([
    ['no header', (file) => writeFileSync(file, '[0,"o","x"]\n'), 'is no recording'],
    ['70,000 columns', (file) => writeFileSync(file, HEAD.replace('80', '70000')), 'screen of 70000x24'],
    ['a change of size to 70,000 columns', (file) => writeFileSync(file, `${HEAD}[0,"r","70000x24"]\n`), 'line 2 has'],
    [
      'a line of a gigabyte',
      (file) => {
        writeFileSync(file, HEAD);
        // With holes: it takes no room.
        truncateSync(file, 1024 ** 3);
      },
      'line 2 is longer than 16777216 bytes',
    ],
    [
      'a line of 64 MB in some kilobytes',
      (file) => writeFileSync(file, gzipSync(Buffer.concat([Buffer.from(HEAD), Buffer.alloc(64 * 1024 ** 2, ' ')]))),
      'line 2 is longer than 16777216 bytes',
    ],
  ])('a file with %s', async (_what, write, message) => {
    const file = path.join(daemon.dir, 'hostile.cast');
    write(file);
    const reply = await request(daemon, { cmd: 'open', path: file });
    expect(reply).toMatchObject({ ok: false, code: 'recording_invalid', error: expect.stringContaining(message) });
    expect(await request(daemon, { cmd: 'ping' })).toMatchObject({ ok: true });
  });

  it('a file that breaks in the middle', async () => {
    const broken = castFile('broken.cast', `${castV3(LINES)}nonsense\n[1,"o","x"]\n`);
    const reply = await request(daemon, { cmd: 'open', path: broken });
    expect(reply).toMatchObject({ code: 'recording_invalid', error: expect.stringContaining('line 8 is no event') });
  });
});

it('the command line opens a file of its own directory', async () => {
  castFile('mine.cast');
  const options = { socketPath: daemon.socketPath, cwd: daemon.dir };
  const { stdout, stderr, status } = await runCliHere(['open', 'mine.cast', '--name', 'mine', '--json'], options);
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect(JSON.parse(stdout)).toMatchObject({ id: 'mine', duration_ms: 3000 });
  expect((await runCliHere(['text', 'mine'], options)).stdout).toContain('second');
  expect((await runCliHere(['list', '--recordings'], options)).stdout).toContain('mine');
});
