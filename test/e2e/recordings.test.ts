/** Recordings of real terminals: the file replayed shows what the terminal shows; what may go wrong harms no terminal. */
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowText } from '../../src/vt/rows/row-text.js';
import { runCliHere } from '../support/cli-in-process.js';
import { builtDaemonEntry, request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { startOwnDaemon } from '../support/own-daemon.js';
import { rawRequest } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { EventStream } from '../support/wait-for.js';
import { bytesOf, openScreen } from '../vt/screens.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

type CastEvent = readonly [number, string, string];

function parse(file: string): { header: Record<string, unknown>; events: CastEvent[] } {
  const bytes = readFileSync(file);
  const text = file.endsWith('.gz') ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes;
  const [first = '', ...lines] = text.toString('utf8').split('\n').slice(0, -1);
  return {
    header: JSON.parse(first) as Record<string, unknown>,
    events: lines.map((line) => JSON.parse(line) as CastEvent),
  };
}

/** The rows that the file shows at its end, without blanks at their ends. */
async function replay(file: string): Promise<string[]> {
  const { header, events } = parse(file);
  const screen = openScreen(header['term'] as { cols: number; rows: number });
  for (const [, code, text] of events) {
    const [cols = 0, rows = 0] = text.split('x').map(Number);
    if (code === 'r') await screen.resize(cols, rows);
    if (code === 'o') screen.write(bytesOf(text));
    await screen.settle(60_000);
  }
  return screen.snapshot().lines.map((row) => rowText(row).trimEnd());
}

async function rowsOf(id: string): Promise<string[]> {
  const { lines } = await request(daemon, { cmd: 'text', id });
  return (lines as string[]).map((line) => line.trimEnd());
}

const ends = (events: readonly CastEvent[], code: string): string[] =>
  events.filter((event) => event[1] === code).map(([, , text]) => text);

const SCRIPT =
  'printf "\\033[31mred \\344\\270\\255 e\\314\\201\\033[m\\n"; seq 1 60; printf "\\033[3;5Hhere\\033[?25l"; read line; echo "got $line"; exit 3';

describe.each(['.cast', '.cast.gz'])('a recording to a %s file', (ending) => {
  it('has all that the terminal has shown once it is flushed', async () => {
    const file = path.join(daemon.dir, `flushed${ending}`);
    const cmd_args = ['sh', '-c', 'stty -echo; while read x; do seq 1 20000; printf "end of $x"; done'];
    const id = String((await request(daemon, { cmd: 'create', cmd_args }))['id']);
    await request(daemon, { cmd: 'record', id, path: file });
    for (const word of ['one', 'two']) {
      await request(daemon, { cmd: 'send', id, input: `${word}\n` });
      await request(daemon, { cmd: 'wait', id, until: { text: `end of ${word}` } });
      expect(await request(daemon, { cmd: 'record', id, action: 'flush' })).toMatchObject({ ok: true, live: true });
      expect(await replay(file)).toEqual(await rowsOf(id));
    }
    await request(daemon, { cmd: 'record', id, action: 'stop' });
    expect(await request(daemon, { cmd: 'record', id, action: 'flush' })).toMatchObject({
      code: 'recording_not_found',
    });
  });

  it('shows at its end what the terminal shows, across a change of size', async () => {
    const file = path.join(daemon.dir, `late${ending}`);
    const wait = { until: { text: 'here' } };
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', SCRIPT], wait });
    const started = await request(daemon, { cmd: 'record', id, path: file, title: 'A title' });
    expect(started).toMatchObject({ ok: true, path: file, live: true, gaps: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await request(daemon, { cmd: 'resize', id, cols: 60, rows: 20 });
    await request(daemon, { cmd: 'record', id, action: 'mark', label: 'now' });
    await request(daemon, { cmd: 'send', id, input: 'word\r', wait: { until: { exit: true } } });
    const shown = await rowsOf(id as string);
    // The file is complete once the recording is over.
    await request(daemon, { cmd: 'record', id, action: 'stop' });
    const { header, events } = parse(file);
    expect(header).toMatchObject({ version: 3, term: { cols: 80, rows: 24 }, title: 'A title', t4a: { terminal: id } });
    expect(events.every(([since]) => since >= 0)).toBe(true);
    expect({ r: ends(events, 'r'), m: ends(events, 'm'), x: ends(events, 'x'), i: ends(events, 'i') }).toEqual({
      r: ['60x20'],
      m: ['now'],
      x: ['3'],
      i: [],
    });
    expect(await replay(file)).toEqual(shown);
  });
});

it('create with record has all output from the first byte, in the folder that recordings lists', async () => {
  const { id } = await request(daemon, {
    cmd: 'create',
    name: 'whole',
    cmd_args: ['seq', '1', '2000'],
    record: true,
    wait: { until: { exit: true } },
  });
  await request(daemon, { cmd: 'record', id, action: 'stop' });
  const { recordings } = await request(daemon, { cmd: 'recordings' });
  const found = (recordings as { terminal: string; path: string }[]).find(({ terminal }) => terminal === id);
  expect(found).toMatchObject({ live: false, title: null, size: expect.any(Number) });
  const file = found?.path ?? '';
  expect(path.dirname(file)).toBe(path.join(daemon.dir, '.local/state/t4a/recordings'));
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  const numbers = Array.from({ length: 2000 }, (_, i) => `${i + 1}\r\n`).join('');
  expect(ends(parse(file).events, 'o').join('')).toBe(numbers);
  expect(await replay(file)).toEqual(await rowsOf('whole'));
});

it('the command line records to a path of its own directory', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
  const options = { socketPath: daemon.socketPath, cwd: daemon.dir };
  const begun = await runCliHere(['record', String(id), '--path', 'mine.cast'], options);
  expect({ status: begun.status, stderr: begun.stderr }).toEqual({ status: 0, stderr: '' });
  const ended = await runCliHere(['record', String(id), 'stop', '--json'], options);
  expect(JSON.parse(ended.stdout)).toMatchObject({ path: path.join(daemon.dir, 'mine.cast'), live: false });
  expect(parse(path.join(daemon.dir, 'mine.cast')).header).toMatchObject({ version: 3 });
});

describe('refused', () => {
  it.each([
    ['a path that is taken', 'taken.cast', 'recording_exists'],
    ['a link', 'link.cast', 'recording_exists'],
    ['a folder that does not exist', 'none/x.cast', 'recording_failed'],
    ['another ending', 'x.txt', 'invalid_field'],
  ])('is %s, and what stands there stays', async (_what, name, code) => {
    const dir = tempDir();
    writeFileSync(dir.join('taken.cast'), 'kept');
    symlinkSync(dir.join('aim.cast'), dir.join('link.cast'));
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
    expect(await request(daemon, { cmd: 'record', id, path: dir.join(name) })).toMatchObject({ ok: false, code });
    expect(readFileSync(dir.join('taken.cast'), 'utf8')).toBe('kept');
    expect(existsSync(dir.join('aim.cast'))).toBe(false);
    expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ alive: true });
  });

  it('is a second recording of a terminal, and the end of none', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
    expect(await request(daemon, { cmd: 'record', id, action: 'stop' })).toMatchObject({ code: 'recording_not_found' });
    expect(await request(daemon, { cmd: 'record', id, label: 'x' })).toMatchObject({ code: 'invalid_field' });
    await request(daemon, { cmd: 'record', id });
    expect(await request(daemon, { cmd: 'record', id })).toMatchObject({ code: 'recording_exists' });
  });
});

it('a file that may not grow ends its recording with a warning, and not the terminal', async () => {
  const dir = tempDir();
  const limited = dir.join('limited.mjs');
  const spawned = `import { execFileSync } from 'node:child_process';
execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=65536']);
process.argv[1] = ${JSON.stringify(builtDaemonEntry)};
await import(process.argv[1]);`;
  writeFileSync(limited, spawned);
  const { PATH = '' } = process.env;
  await startOwnDaemon(limited, dir.socketPath, {
    cwd: dir.path,
    env: { PATH, HOME: dir.path, XDG_CONFIG_HOME: dir.path },
  });
  const ask = async (fields: object) => (await rawRequest(dir.socketPath, fields)).header;
  const { id } = await ask({ cmd: 'create', cmd_args: ['sh', '-c', 'read x; seq 1 50000; exec cat'] });
  const events = await EventStream.open(dir.socketPath, { types: ['warning'] });
  const file = dir.join('small.cast');
  expect(await ask({ cmd: 'record', id, path: file })).toMatchObject({ ok: true });
  await ask({ cmd: 'send', id, input: '\r' });
  expect(await events.until('warning')).toMatchObject({ code: 'recording', terminal: id });
  events.close();
  expect(parse(file).header).toMatchObject({ version: 3 });
  const echoed = { cmd: 'send', id, input: 'alive\r', wait: { until: { text: 'alive' } } };
  expect(await ask(echoed)).toMatchObject({ ok: true, wait: { outcome: 'matched' } });
});

it('a killed daemon leaves what was flushed', async () => {
  const own = await startDaemon();
  try {
    const file = path.join(own.dir, 'torn.cast.gz');
    const { id } = await request(own, { cmd: 'create', cmd_args: ['cat'] });
    await request(own, { cmd: 'record', id, path: file });
    await request(own, { cmd: 'send', id, input: 'before the end' });
    let size = 0;
    // The header and the echo are in the file once it has grown past its first flush, or in it.
    for (let flushed = false; !flushed;) {
      const reply = await request(own, { cmd: 'record', id, action: 'status' });
      size = Number(reply['size']);
      flushed = size > 0 && ends(parse(file).events, 'o').join('').includes('before the end');
    }
    own.process.kill('SIGKILL');
    expect(ends(parse(file).events, 'o').join('')).toContain('before the end');
  } finally {
    await own.stop();
  }
});

it('with the configuration on, new terminals are recorded', async () => {
  mkdirSync(path.join(daemon.dir, 'state'));
  const own = await startDaemon({ env: { T4A_RECORD: 'on', XDG_STATE_HOME: path.join(daemon.dir, 'state') } });
  try {
    await request(own, { cmd: 'run', command: 'echo seen' });
  } finally {
    await own.stop();
  }
  const folder = path.join(daemon.dir, 'state/t4a/recordings');
  const [name = ''] = readdirSync(folder);
  const { events } = parse(path.join(folder, name));
  expect(ends(events, 'o').join('')).toBe('seen\r\n');
  expect(ends(events, 'x')).toEqual(['0']);
});

describe('input', () => {
  /** Reads a line with echo, then one without, then one with echo again; between them it waits for a signal of the test's. */
  const PROMPTS =
    'printf "name: "; read n; stty -echo; printf "password: "; read p; stty echo; printf "\\nlast: "; read l; echo over; exec cat';

  async function typed(fields: object | undefined, create: object = {}): Promise<CastEvent[]> {
    const file = path.join(tempDir().path, 'input.cast');
    const created = { cmd: 'create', cmd_args: ['sh', '-c', PROMPTS], wait: { until: { text: 'name:' } }, ...create };
    const { id } = await request(daemon, created);
    if (fields !== undefined) await request(daemon, { cmd: 'record', id, path: file, ...fields });
    const line = async (text: string, until: string, more: object = {}): Promise<void> => {
      const sent = { cmd: 'type', id, text, submit: true, ...more, wait: { until: { text: until } } };
      expect(await request(daemon, sent)).toMatchObject({ ok: true, wait: { outcome: 'matched' } });
    };
    await line('shown-name', 'password:');
    await line('typed-password', 'last:');
    await line('shown-last', 'over');
    await request(daemon, { cmd: 'type', id, text: 'a-secret', secret: true, even_if_shown: true });
    await line('after-it', 'after-it');
    const { path: written } = await request(daemon, { cmd: 'record', id, action: 'stop' });
    await request(daemon, { cmd: 'kill', id });
    return parse(String(written)).events;
  }

  it('is recorded only when asked for', async () => {
    expect(ends(await typed({}), 'i')).toEqual([]);
  });

  it('is in the file as far as it is shown, never a secret or what is typed while echo is off', async () => {
    const events = await typed({ input: true });
    const input = ends(events, 'i').join('');
    expect(input).toBe('shown-name\rshown-last\rafter-it\r');
    expect(events.every(([since]) => since >= 0)).toBe(true);
  });

  it('is recorded from the first byte on where create or the configuration asks for it', async () => {
    const expected = 'shown-name\rshown-last\rafter-it\r';
    expect(ends(await typed(undefined, { record_input: true }), 'i').join('')).toBe(expected);
    await request(daemon, { cmd: 'config', record: 'input' });
    try {
      expect(ends(await typed(undefined), 'i').join('')).toBe(expected);
      expect(ends(await typed(undefined, { record_input: false }), 'i')).toEqual([]);
    } finally {
      await request(daemon, { cmd: 'config', record: 'off' });
    }
    const refused = { cmd: 'create', cmd_args: ['cat'], record: false, record_input: true };
    expect(await request(daemon, refused)).toMatchObject({ code: 'invalid_field', field: 'record_input' });
  });

  it('of a program that draws by itself is left out, since it may hide it', async () => {
    const file = path.join(tempDir().path, 'raw.cast');
    const script = 'stty raw -echo; printf ready; dd bs=1 count=3 2>/dev/null | od -c; exec cat';
    const created = { cmd: 'create', cmd_args: ['sh', '-c', script], wait: { until: { text: 'ready' } } };
    const { id } = await request(daemon, created);
    await request(daemon, { cmd: 'record', id, path: file, input: true });
    await request(daemon, { cmd: 'send', id, input: 'key', wait: { until: { text: 'k   e   y' } } });
    await request(daemon, { cmd: 'record', id, action: 'stop' });
    await request(daemon, { cmd: 'kill', id });
    expect(ends(parse(file).events, 'i')).toEqual([]);
  });

  it('goes with the start of a recording alone', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
    const refused = { cmd: 'record', id, action: 'mark', input: true };
    expect(await request(daemon, refused)).toMatchObject({ code: 'invalid_field', field: 'input' });
  });
});
