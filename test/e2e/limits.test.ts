/** Every limit of the configuration, set to a low value and exceeded. */
import { setTimeout as delay } from 'node:timers/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, test } from 'vitest';
import { DEFAULT_CONFIG } from '../../src/protocol/commands/config.js';
import { configShape } from '../../src/protocol/config-shape.js';
import { DIST, request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { EventStream } from '../support/wait-for.js';

let shared: TestDaemon;
/** Of the test: the shared one, unless it has asked for its own. */
let daemon: TestDaemon;

beforeAll(async () => {
  shared = await startDaemon();
});
afterAll(() => shared.stop());

beforeEach(() => {
  daemon = shared;
});
afterEach(async () => {
  const { terminals } = (await request(shared, { cmd: 'list' })) as { terminals: { id: string }[] };
  for (const { id } of terminals) await request(shared, { cmd: 'kill', id });
  await request(shared, { cmd: 'config', ...DEFAULT_CONFIG });
});

/** For what is counted since the start, and for memory. */
async function ownDaemon(): Promise<void> {
  const own = await startDaemon();
  daemon = own;
  onTestFinished(() => own.stop());
}

async function configure(fields: object): Promise<void> {
  expect(await request(daemon, { cmd: 'config', ...fields })).toMatchObject({ ok: true, ...fields });
}

async function create(fields: object = {}): Promise<Record<string, unknown>> {
  return request(daemon, { cmd: 'create', cmd_args: ['cat'], ...fields });
}

test('the defaults are those that config returns, and within their bounds', async () => {
  expect(await request(daemon, { cmd: 'config' })).toEqual({ ok: true, ...DEFAULT_CONFIG });
  for (const [name, shape] of Object.entries(configShape)) {
    expect(shape.safeParse(DEFAULT_CONFIG[name as keyof typeof configShape]).success, name).toBe(true);
  }
});

it('the daemon refuses terminals beyond max_terminals', async () => {
  await configure({ max_terminals: 1 });
  expect(await create()).toMatchObject({ ok: true });
  expect(await create()).toMatchObject({ code: 'too_many_terminals', hint: expect.stringContaining('max_terminals') });
});

it('a name has max_terminals_per_owner terminals, also ended ones, and others have as many', async () => {
  const refused = {
    ok: false,
    code: 'too_many_terminals',
    error: expect.stringContaining('"many"') as string,
    hint: expect.stringContaining('max_terminals_per_owner') as string,
  };
  await configure({ max_terminals_per_owner: 2 });
  await create({ as: 'many', name: 'first' });
  await create({ as: 'many', cmd_args: ['true'], wait: { until: { exit: true } } });
  expect(await create({ as: 'many' })).toMatchObject(refused);
  expect(await request(daemon, { cmd: 'run', command: 'true', as: 'many' })).toMatchObject(refused);
  expect(await create({ as: 'many', name: 'first', reuse: true })).toMatchObject({ ok: true, id: 'first' });
  for (const author of [{ as: 'other' }, { as: 'other' }, {}, {}, {}])
    expect(await create(author)).toMatchObject({ ok: true });
  await request(daemon, { cmd: 'kill', id: 'first' });
  expect(await create({ as: 'many' })).toMatchObject({ ok: true });
  expect(await create({ as: 'many' })).toMatchObject(refused);
  await configure({ max_terminals_per_owner: 0 });
  expect(await create({ as: 'many' })).toMatchObject({ ok: true });
});

it('a trigger has max_trigger_runs running commands, and runs one more when one has ended', async () => {
  await configure({ max_trigger_runs: 2 });
  await create({ name: 'busy' });
  const events = await EventStream.open(daemon.socketPath, { types: ['created', 'warning', 'exit'] });
  const fire = () => request(daemon, { cmd: 'publish', name: 'go' });
  const run = { command: 'exec cat' };
  await request(daemon, { cmd: 'trigger', id: 'busy', when: { published: 'go' }, do: [{ run }] });
  await fire();
  const { terminal: oldest } = await events.next();
  await fire();
  expect(await events.next()).toMatchObject({ event: 'created' });
  await fire();
  const message = expect.stringMatching(/too_many_terminals: 2 runs of it have not ended/) as string;
  expect(await events.next()).toMatchObject({ event: 'warning', message });
  const { triggers } = await request(daemon, { cmd: 'triggers', id: 'busy' });
  expect(triggers).toMatchObject([{ state: 'armed', last_error: message }]);
  await request(daemon, { cmd: 'press', id: oldest, keys: ['Ctrl+D'] });
  expect(await events.next()).toMatchObject({ event: 'exit', terminal: oldest });
  await fire();
  expect(await events.next()).toMatchObject({ event: 'created' });
  events.close();
});

it('the daemon refuses a scrollback beyond max_scrollback, which also limits the default', async () => {
  await configure({ max_scrollback: 100 });
  expect(await create({ scrollback: 101 })).toMatchObject({ code: 'over_limit', field: 'scrollback' });
  const { id } = await create();
  expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ scrollback_limit: 100 });
});

it('lines beyond a scrollback drop its oldest lines', async () => {
  const cmdArgs = ['sh', '-c', 'seq 1 300; exec cat'];
  const { id } = await create({ cmd_args: cmdArgs, scrollback: 50, rows: 10, wait: { until: { text: '300' } } });
  const { lines } = await request(daemon, { cmd: 'text', id, region: 'all', trim: true });
  // The last row has the cursor alone.
  expect((lines as string[]).filter((line) => line !== '')).toEqual(Array.from({ length: 59 }, (_, i) => `${i + 242}`));
});

it('the daemon refuses connections beyond max_connections with an error line, and counts them', async () => {
  await ownDaemon();
  await configure({ max_connections: 2 });
  const first = new RawConnection(daemon.socketPath);
  await first.request({ cmd: 'ping' });
  const second = new RawConnection(daemon.socketPath);
  await second.request({ cmd: 'ping' });
  const third = new RawConnection(daemon.socketPath);
  const said = JSON.parse((await third.rest()).toString()) as object;
  expect(said).toMatchObject({ ok: false, code: 'too_many_connections' });
  third.close();
  const counts = async () => (await first.request({ cmd: 'stats' })).header['connections'] as { open: number };
  while ((await counts()).open > 2);
  expect(await counts()).toMatchObject({ open: 2, refused: 1 });
  for (const connection of [first, second]) connection.close();
});

it('the daemon refuses a line beyond max_line_bytes, and ends the connection', async () => {
  await configure({ max_line_bytes: 64 * 1024 });
  const connection = new RawConnection(daemon.socketPath);
  connection.write(`${JSON.stringify({ cmd: 'send', id: 'x', input: 'x'.repeat(65_536) })}\n{"cmd":"ping"}\n`);
  const rest = (await connection.rest()).toString();
  expect(JSON.parse(rest)).toMatchObject({ code: 'line_too_long', error: expect.stringContaining('65536') });
  connection.close();
});

it('the daemon refuses requests beyond max_requests_in_flight', async () => {
  const { id } = await create();
  await configure({ max_requests_in_flight: 1 });
  const connection = new RawConnection(daemon.socketPath);
  connection.write(`{"cmd":"wait","id":"${String(id)}","req":1,"until":{"exit":true}}\n{"cmd":"ping","req":2}\n`);
  expect((await connection.reply()).header).toMatchObject({ req: 2, code: 'too_many_requests' });
  connection.close();
});

it('requests without req beyond max_requests_in_flight wait, and are answered in their order', async () => {
  const { id } = await create();
  await configure({ max_requests_in_flight: 1 });
  const connection = new RawConnection(daemon.socketPath);
  const send = { cmd: 'send', id, input: 'early\r' };
  const requests = [{ cmd: 'wait', id, until: { event: 'marker' } }, send, { cmd: 'ping' }];
  connection.write(requests.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const waiting = async () => ((await request(daemon, { cmd: 'stats' }))['connections'] as { waiting: number }).waiting;
  while ((await waiting()) === 0);
  const { lines } = await request(daemon, { cmd: 'text', id, trim: true });
  expect(String(lines)).not.toContain('early');
  await request(daemon, { cmd: 'marker', id, label: 'go' });
  expect((await connection.reply()).header).toMatchObject({ ok: true, outcome: 'matched' });
  expect((await connection.reply()).header).toMatchObject({ ok: true });
  expect((await connection.reply()).header).toMatchObject({ ok: true });
  connection.close();
});

it('the daemon refuses waits beyond max_waits', async () => {
  await configure({ max_waits: 1 });
  const { id } = await create();
  const connection = new RawConnection(daemon.socketPath);
  const wait = (req: number): string => `{"cmd":"wait","id":"${String(id)}","req":${req},"until":{"exit":true}}\n`;
  connection.write(wait(1) + wait(2));
  expect((await connection.reply()).header).toMatchObject({ req: 2, code: 'too_many_waits' });
  connection.close();
});

it('the daemon refuses pictures beyond max_image_side', async () => {
  const { id } = await create();
  await configure({ max_image_side: 100 });
  expect(await request(daemon, { cmd: 'screenshot', id })).toMatchObject({ code: 'image_too_large' });
});

it('the daemon keeps no more drawn glyphs than atlas_bytes', async () => {
  const { id } = await create({
    cmd_args: ['sh', '-c', 'printf "%s" "$0"; exec cat', manyLetters()],
    rows: 5,
    cols: 80,
  });
  const draw = (scale: number) => request(daemon, { cmd: 'screenshot', id, scale, inline: true });
  const glyphBytes = async (): Promise<number> => {
    const { pictures } = (await request(daemon, { cmd: 'stats' })) as { pictures: { glyph_bytes: number } };
    return pictures.glyph_bytes;
  };
  await request(daemon, { cmd: 'wait', id, until: { text: 'ƀ' } });
  expect(await draw(640)).toMatchObject({ ok: true });
  expect(await glyphBytes()).toBeGreaterThan(1024 * 1024);
  await configure({ atlas_bytes: 1024 * 1024 });
  expect(await draw(600)).toMatchObject({ ok: true });
  expect(await glyphBytes()).toBeLessThanOrEqual(1024 * 1024);
});

/** Ends the noise. Base64 has no hyphen: each fourteenth noise had the bare word somewhere, and a wait matches what passes. */
const NOISE_END = '-over-';

/** Prints more than a megabyte that do not get smaller, and says so. */
const NOISE = `head -c 900000 /dev/urandom | base64; echo ${NOISE_END}; exec cat`;

async function firstMoment(): Promise<object> {
  const { id } = await create({ cmd_args: ['sh', '-c', NOISE] });
  await request(daemon, { cmd: 'wait', id, until: { text: NOISE_END } });
  return request(daemon, { cmd: 'text', id, at: 'start' });
}

it('the daemon keeps no more of the history of a terminal than history_bytes', async () => {
  expect(await firstMoment()).toMatchObject({ ok: true });
  await configure({ history_bytes: 256 * 1024 });
  expect(await firstMoment()).toMatchObject({ code: 'moment_lost' });
});

it('the daemon keeps no more of all histories than history_total_bytes', async () => {
  expect(await firstMoment()).toMatchObject({ ok: true });
  await configure({ history_total_bytes: 256 * 1024 });
  expect(await firstMoment()).toMatchObject({ code: 'moment_lost' });
});

it('the daemon keeps unread replies up to client_buffer_bytes, and the one that crosses that limit', async () => {
  await ownDaemon();
  const count = 60;
  const watcher = new RawConnection(daemon.socketPath);
  /** Bytes that the daemon keeps for a client that asks much and reads nothing. */
  const keptFor = async (slow: RawConnection): Promise<number> => {
    slow.socket.pause();
    slow.write('{"cmd":"schema"}\n'.repeat(count));
    for (let before = -1; ;) {
      const { header } = await watcher.request({ cmd: 'stats' });
      const { unread_bytes: unread, waiting } = header['connections'] as { unread_bytes: number; waiting: number };
      if (unread === before && waiting > 0) return unread;
      before = unread;
      // A connection whose requests take long rests while others ask.
      await delay(100);
    }
  };
  const roomy = new RawConnection(daemon.socketPath);
  expect(await keptFor(roomy)).toBeGreaterThan(4 * 1024 * 1024);
  roomy.close();
  await configure({ client_buffer_bytes: 64 * 1024 });
  const slow = new RawConnection(daemon.socketPath);
  const replyBytes = (await slow.request({ cmd: 'schema' })).line.length;
  expect(await keptFor(slow)).toBeLessThanOrEqual(64 * 1024 + replyBytes);
  slow.socket.resume();
  for (let i = 0; i < count; i++) expect((await slow.reply()).header['ok']).toBe(true);
  slow.close();
  watcher.close();
});

test('every limit of the configuration has a test in this file', () => {
  const source = readFileSync(fileURLToPath(import.meta.url), 'utf8');
  const limits = Object.keys(configShape).filter((name) => /^max_|_bytes$|_queue$/.test(name));
  expect(limits.length).toBeGreaterThan(10);
  expect(limits.filter((name) => !source.includes(`configure({ ${name}: `))).toEqual([]);
});

it('the daemon refuses input beyond input_buffer_bytes', async () => {
  await configure({ input_buffer_bytes: 64 * 1024 });
  const { id } = await create({ cmd_args: ['sleep', '1000'] });
  expect(await request(daemon, { cmd: 'send', id, input: `${'x'.repeat(999)}\n`.repeat(70) })).toMatchObject({
    code: 'input_blocked',
  });
});

it('a subscriber with more unread events than event_queue gets the number of lost events', async () => {
  await ownDaemon();
  await configure({ event_queue: 10 });
  const loop = 'read x; i=0; while [ $i -lt 3000 ]; do i=$((i+1)); printf "\\033]0;%01000d\\007" $i; done';
  const { id } = await create({ cmd_args: ['sh', '-c', loop] });
  const slow = new RawConnection(daemon.socketPath);
  await slow.request({ cmd: 'events', ack: true, types: ['title'] });
  slow.socket.pause();
  const exits = await EventStream.open(daemon.socketPath, { types: ['exit'] });
  await request(daemon, { cmd: 'send', id, input: '\r' });
  await exits.until('exit');
  const { events } = (await request(daemon, { cmd: 'stats' })) as { events: { dropped: number } };
  // The sockets and the outbox hold some events of a kilobyte, but with those the queue would have by default it were more.
  expect(3000 - events.dropped).toBeLessThan(DEFAULT_CONFIG.event_queue);
  slow.socket.resume();
  let told = 0;
  for (let seen = 0; seen + told < 3000;) {
    const event = JSON.parse((await slow.line()).toString()) as Record<string, unknown>;
    if (event['event'] === 'lagged') told += Number(event['missed']);
    else seen++;
  }
  expect(told).toBe(events.dropped);
  exits.close();
  slow.close();
});

it('the daemon reports high memory pressure, and refuses terminals at critical pressure', async () => {
  await ownDaemon();
  const memory = async () =>
    ((await request(daemon, { cmd: 'stats' })) as { memory: { rss: number; pressure: string } }).memory;
  /** Memory moves by itself: each try measures anew. */
  const pressureAt = (part: number) => async (): Promise<string> => {
    await configure({ max_memory_bytes: Math.round((await memory()).rss / part) });
    return (await memory()).pressure;
  };
  await expect.poll(pressureAt(0.8)).toBe('high');
  await expect.poll(pressureAt(2)).toBe('critical');
  expect(await create()).toMatchObject({ code: 'memory_low', hint: expect.stringContaining('max_memory_bytes') });
  await configure({ max_memory_bytes: 0 });
  expect(await create()).toMatchObject({ ok: true });
});

it('lines without an end of many connections cost no terminal its scrollback, and no client a new one', async () => {
  await ownDaemon();
  const { memory } = (await request(daemon, { cmd: 'stats' })) as { memory: { rss: number } };
  await configure({ max_memory_bytes: memory.rss + 150_000_000 });
  await create({ name: 'quiet', scrollback: 20_000, cmd_args: ['sh', '-c', 'seq 1 15000; echo end; cat'] });
  await request(daemon, { cmd: 'wait', id: 'quiet', until: { text: 'end' }, timeout_ms: 60_000 });
  const lines = async (): Promise<unknown> =>
    (await request(daemon, { cmd: 'text', id: 'quiet', last: 1 }))['total_lines'];
  const before = await lines();
  const many = Array.from({ length: 40 }, () => new RawConnection(daemon.socketPath));
  for (const each of many) {
    each.write(Buffer.alloc(9_000_000, 0x20));
    each.socket.on('error', () => {});
  }
  const open = async (): Promise<number> =>
    ((await request(daemon, { cmd: 'stats' }))['connections'] as { open: number }).open;
  // Two such lines and one that grows have room, and so has this question.
  await expect.poll(open, { timeout: 60_000 }).toBeLessThanOrEqual(4);
  expect(await lines()).toBe(before);
  for (const each of many) each.close();
  // What was cut off is given back with the next collection of garbage.
  await expect.poll(create, { timeout: 60_000 }).toMatchObject({ ok: true });
});

const FLOOD = `
  const block = Buffer.from(('x'.repeat(280) + '\\r\\n').repeat(200));
  (function print() { while (process.stdout.write(block)); process.stdout.once('drain', print); })();
`;

it('the daemon stays below max_memory_bytes under floods, and drops only their scrollback', async () => {
  await ownDaemon();
  const { memory } = (await request(daemon, { cmd: 'stats' })) as { memory: { rss: number } };
  const limit = memory.rss + 120_000_000;
  await configure({ max_memory_bytes: limit });
  const events = await EventStream.open(daemon.socketPath, { types: ['memory', 'warning'] });
  await create({ name: 'quiet', cmd_args: ['sh', '-c', 'echo quiet; seq 1 500; echo end; cat'] });
  for (let i = 0; i < 6; i++) {
    await create({
      name: `flood${i}`,
      cols: 300,
      rows: 50,
      scrollback: 50_000,
      cmd_args: [process.execPath, '-e', FLOOD],
    });
  }
  const steps: unknown[] = [];
  for (let event = await events.next(); ; event = await events.next()) {
    if (event['event'] === 'memory') steps.push(event['state']);
    if (event['event'] === 'warning') {
      expect(event).toMatchObject({ code: 'memory', terminal: expect.stringMatching(/^flood/) });
      expect(event).not.toHaveProperty('rev');
      break;
    }
  }
  expect(steps.slice(0, 3)).toEqual(['high', 'caches_dropped', 'scrollback_dropped']);
  let highest = 0;
  let parsed = 0;
  for (let parsedBefore = 0; parsed < parsedBefore + 10_000_000;) {
    const stats = (await request(daemon, { cmd: 'stats', terminals: true })) as {
      memory: { rss: number };
      output: { parsed_bytes: number };
    };
    highest = Math.max(highest, stats.memory.rss);
    parsed = stats.output.parsed_bytes;
    parsedBefore ||= parsed;
  }
  expect(highest).toBeLessThan(limit);
  expect(await request(daemon, { cmd: 'text', id: 'quiet' })).toMatchObject({
    lines: expect.arrayContaining([expect.stringMatching(/^end +$/)]),
  });
  expect(await request(daemon, { cmd: 'status', id: 'quiet' })).toMatchObject({
    scrollback_limit: 10_000,
    alive: true,
  });
  const { memory: after } = (await request(daemon, { cmd: 'stats' })) as { memory: Record<string, number> };
  expect(after['scrollback_lines_dropped']).toBeGreaterThan(0);
  expect(after['terminals_removed']).toBe(0);
  events.close();
});

it('the daemon reads at most output_buffer_bytes of output ahead of its parser', async () => {
  await configure({ output_buffer_bytes: 128 * 1024 });
  await create({ name: 'flood', cmd_args: ['yes'] });
  const connection = new RawConnection(daemon.socketPath);
  let parsed = 0;
  while (parsed < 1_000_000) {
    const { output } = (await connection.request({ cmd: 'stats' })).header as {
      output: { parsed_bytes: number; pending_bytes: number };
    };
    expect(output.pending_bytes).toBeLessThanOrEqual(128 * 1024);
    parsed = output.parsed_bytes;
  }
  connection.close();
});

it('the log has names and times of commands from log_level on, and no input or output', async () => {
  await configure({ log_level: 'debug' });
  const { id } = await create();
  const echoed = { cmd: 'send', id, input: 'a secret\r', wait: { until: { text: 'a secret' } } };
  expect(await request(daemon, echoed)).toMatchObject({ ok: true, wait: { outcome: 'matched' } });
  expect(await request(daemon, { cmd: 'run', command: 'printf "a %s" secret' })).toMatchObject({ exit_code: 0 });
  await configure({ log_level: 'warn' });
  expect(daemon.log()).toMatch(/ debug "send" took [\d.]+ ms\n/);
  expect(daemon.log()).not.toContain('a secret');
});

it('the daemon begins a new log when the old one exceeds a mebibyte', async () => {
  const { join, socketPath } = tempDir();
  const mebibyte = 1024 * 1024;
  writeFileSync(join('log'), 'x'.repeat(mebibyte));
  const log = openSync(join('log'), 'a');
  const child = spawn(process.execPath, [`${DIST}daemon.cjs`, '--socket', socketPath], {
    stdio: ['ignore', 'ignore', log],
  });
  closeSync(log);
  const size = (): number => statSync(join('log')).size;
  while (!existsSync(socketPath)) await nextTurn();
  const connection = new RawConnection(socketPath);
  await connection.request({ cmd: 'config', log_level: 'debug' });
  await connection.request({ cmd: 'ping' });
  await connection.request({ cmd: 'list' });
  expect(size()).toBeLessThan(1000);
  expect(readFileSync(join('log'), 'utf8')).toMatch(/^[^x].* debug "(config|ping)" took [\d.]+ ms\n/);
  connection.close();
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
});

/** Some 350 of them, as many glyphs. */
function manyLetters(): string {
  return Array.from({ length: 0x180 }, (_, index) => String.fromCodePoint(0x21 + index))
    .filter((letter) => /^[\p{L}\p{N}\p{S}\p{P}]$/u.test(letter))
    .join('');
}
