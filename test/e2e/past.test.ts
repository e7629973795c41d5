/** Reads of the past: what they show equals what the same read showed then. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Mirror } from '../../src/mirror/mirror.js';
import { connect, type Client } from '../../src/client/client.js';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { rawRequest } from '../support/raw.js';
import { TestTerminal } from '../support/screen-fence.js';

let daemon: TestDaemon;
let client: Client;
beforeAll(async () => {
  daemon = await startDaemon({ env: { LC_ALL: 'C.UTF-8' } });
  client = await connect({ socketPath: daemon.socketPath });
});
afterAll(async () => {
  await client.close();
  await daemon.stop();
});

interface Shot {
  readonly rev: number;
  readonly bytes: Uint8Array;
  readonly lines: readonly string[];
}

/** Nothing may change between the picture and the text. */
async function look(id: string): Promise<Shot> {
  for (;;) {
    const { rev, bytes } = await client.call('screenshot', { id });
    const text = await client.call('text', { id });
    if (rev === text.rev) return { rev, bytes: Buffer.from(bytes ?? []), lines: text.lines };
  }
}

/** A program that is driven by keys, each followed by a look. */
async function looks(command: readonly string[], ready: string | RegExp, keys: readonly string[]): Promise<string> {
  const terminal = await TestTerminal.start(daemon, [...command]);
  await terminal.untilShows(ready);
  const shots = [await look(terminal.id)];
  for (const key of keys) {
    const before = shots.at(-1)?.rev ?? 0;
    // Some keys change nothing.
    const wait = { until: { changed_since: before }, timeout_ms: 1000 };
    await request(daemon, { cmd: 'press', id: terminal.id, keys: [key], wait });
    await request(daemon, { cmd: 'wait', id: terminal.id, until: { settled_ms: 30 }, timeout_ms: 2000 });
    shots.push(await look(terminal.id));
  }
  expect(new Set(shots.map(({ rev }) => rev)).size).toBeGreaterThan(keys.length / 2);
  for (const { rev, bytes, lines } of shots.toReversed()) {
    const past = await client.call('screenshot', { id: terminal.id, at: rev });
    expect(past.at).toMatchObject({ rev });
    expect(Buffer.from(past.bytes ?? []).equals(Buffer.from(bytes))).toBe(true);
    expect((await client.call('text', { id: terminal.id, at: `rev:${rev}` })).lines).toEqual(lines);
  }
  return terminal.id;
}

const ARROWS = Array.from({ length: 12 }, (_, i) => ['Down', 'Right', 'Down', 'Up'][i % 4] ?? 'Down');

describe('live pictures, asked again by their revision, are byte for byte the same', () => {
  itNeeds('vim')('of vim', async () => {
    const file = path.join(daemon.dir, 'a.json');
    writeFileSync(file, JSON.stringify({ name: 'x', list: ['\u4e16\u754c', 1, true] }, null, 2));
    await looks(['vim', '-u', 'NONE', '-N', file], '"name"', [...ARROWS, ':', 'v', 'i', 'm']);
  });

  itNeeds('htop')('of htop', async () => {
    await looks(['htop'], /PID/, ['Down', 'Down', 'F2', 'Down', 'Escape', 'Up']);
  });

  itNeeds('mc')('of mc', async () => {
    await looks(['mc', '-u', '/', '/'], /1Help/, [...ARROWS.slice(0, 8), 'F9', 'Right', 'Escape', 'Tab']);
  });
});

/** Prints a line for each line that it is given, and rings the bell for "bell". */
const ECHO =
  'stty -echo; echo ready; while read -r line; do [ "$line" = bell ] && printf "\\a"; echo "got $line"; done';

async function echo(fields: object = {}): Promise<string> {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', ECHO], ...fields });
  await request(daemon, { cmd: 'wait', id, until: { text: 'ready' } });
  return String(id);
}

async function say(id: string, text: string): Promise<number> {
  const wait = { until: { text: `got ${text}` } };
  await request(daemon, { cmd: 'send', id, input: `${text}\n`, wait });
  return (await client.call('cursor', { id })).rev;
}

test('every read takes a moment, and the reply says which it was', async () => {
  const id = await echo();
  await say(id, 'one');
  const rung = await client.call('send', { id, input: 'bell\n', wait: { until: { event: 'bell' } } });
  const seq = rung.wait?.event?.seq ?? 0;
  await client.call('wait', { id, until: { text: 'got bell' } });
  await say(id, 'two');
  const atBell = `seq:${Number(seq)}`;
  const text = await client.call('text', { id, at: atBell });
  expect(text.lines.join('\n')).toMatch(/got one/);
  expect(text.lines.join('\n')).not.toMatch(/got two/);
  expect(text.at).toMatchObject({ rev: text.rev, seq });
  expect(text.at?.ago_ms).toBeGreaterThanOrEqual(0);
  expect((await client.call('text', { id, at: 'input:-2' })).lines.join('\n')).not.toMatch(/bell/);
  expect((await client.call('grep', { id, pattern: 'got', at: atBell })).at?.seq).toBe(seq);
  expect((await client.call('find', { id, text: 'two', at: 'end' })).total).toBe(1);
  expect((await client.call('find', { id, text: 'two', at: 'input' })).total).toBe(0);
  expect((await client.call('cursor', { id, at: 'start' })).row).toBe(0);
});

test('the screen of a moment is a frame for mirrors', async () => {
  const id = await echo({ cols: 30, rows: 6 });
  const rev = await say(id, 'one');
  await say(id, 'two');
  const mirror = new Mirror();
  mirror.apply(await client.call('watch', { id, at: rev }));
  expect(mirror.rows.map(({ runs }) => runs.map(([text]) => text).join('')).slice(0, 3)).toEqual([
    'ready',
    'got one',
    '',
  ]);
});

test('"since" is a moment, too: what has changed since then, or between two moments', async () => {
  const id = await echo();
  await say(id, 'one');
  const middle = await say(id, 'two');
  await say(id, 'three');
  const sinceInput = await client.call('text', { id, since: 'input:-1', trim: true });
  expect(sinceInput.lines.filter((line) => line !== '')).toEqual(['got three']);
  const between = await client.call('text', { id, at: middle, since: 'input:-2', trim: true });
  expect(between.lines.filter((line) => line !== '')).toEqual(['got two']);
  const faded = await client.call('screenshot', { id, at: middle, since: 'input:-2' });
  expect(faded.bytes).not.toEqual((await client.call('screenshot', { id, at: middle })).bytes);
});

test('a past read of the scrollback has its lines, and counts what is not rebuilt', async () => {
  const script = 'seq 1 3000; echo half; read -r line; seq 1 50; echo end; read -r line';
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script], rows: 10 });
  await client.call('wait', { id: String(id), until: { text: 'half' } });
  const live = await client.call('text', { id: String(id), region: 'all' });
  await request(daemon, { cmd: 'send', id, input: '\n', wait: { until: { text: 'end' } } });
  const past = await client.call('text', { id: String(id), region: 'all', at: live.rev });
  expect(past.lines).toEqual(live.lines.slice(-past.lines.length));
  expect(past.lines.length).toBe(1010);
  expect(past.lost_lines).toBe(live.lines.length - past.lines.length);
  const found = await client.call('grep', { id: String(id), pattern: '^2999$', at: live.rev });
  expect(found.total).toBe(1);
});

test.each([
  [{ cmd: 'text', at: 'soon' }, 'invalid_field', 'at'],
  [{ cmd: 'text', at: -1 }, 'invalid_field', 'at'],
  [{ cmd: 'text', at: 'rev:99999' }, 'revision_unknown', 'at'],
  [{ cmd: 'screenshot', at: 99999 }, 'revision_unknown', 'at'],
  [{ cmd: 'text', at: 'ts:99999999999999' }, 'moment_unknown', 'at'],
  [{ cmd: 'text', at: '2000-01-01T00:00:00Z' }, 'moment_lost', 'at'],
  [{ cmd: 'grep', pattern: 'x', at: '-10h' }, 'moment_lost', 'at'],
  [{ cmd: 'text', at: 'seq:99999' }, 'moment_unknown', 'at'],
  [{ cmd: 'text', at: 'marker:none' }, 'moment_unknown', 'at'],
  [{ cmd: 'text', at: 'command:-1' }, 'moment_unknown', 'at'],
  [{ cmd: 'cursor', at: 'input:-99' }, 'moment_unknown', 'at'],
  [{ cmd: 'text', since: 'input:-99' }, 'moment_unknown', 'since'],
  [{ cmd: 'text', at: 'end', wait: { until: { exit: true } } }, 'invalid_field', 'wait'],
  [{ cmd: 'text', at: 'end', observe: { text: true } }, 'invalid_field', 'observe'],
  [{ cmd: 'text', at: 'end', command: 1 }, 'invalid_field', 'command'],
  [{ cmd: 'screenshot', at: 'end', if_rev: 1 }, 'invalid_field', 'if_rev'],
  [{ cmd: 'watch', at: 'rev:99999' }, 'revision_unknown', 'at'],
])('%j is refused with %s', async (fields, code, field) => {
  const id = await echo();
  const { header } = await rawRequest(daemon.socketPath, { ...fields, id });
  expect(header).toMatchObject({ ok: false, code, field });
  if (code === 'moment_lost') expect(header['hint']).toMatch(/revision 0/);
});

test('the command line takes moments, also before now', async () => {
  const id = await echo();
  const rev = await say(id, 'one');
  await say(id, 'two');
  const cli = (...args: string[]): ReturnType<typeof runCliHere> => runCliHere(args, { socketPath: daemon.socketPath });
  expect((await cli('text', id, '--at', String(rev))).stdout).not.toMatch(/two/);
  expect((await cli('text', id, '--at', '-0.001s')).stdout).toMatch(/two/);
});

test('a handle of a terminal that has gone never shows a later one of its name', async () => {
  const shown = async (text: string) => {
    const { id } = await client.call('create', { name: 'again', cmd_args: ['cat'] });
    const wait = { until: { text }, timeout_ms: 10_000 };
    const { rev } = await client
      .call('type', { id, text, submit: true, wait, observe: { text: true } })
      .then(({ observed }) => observed ?? { rev: undefined });
    return Number(rev);
  };
  const first = await shown('FIRST');
  expect((await client.call('text', { id: `again@${first}`, trim: true })).lines).toContain('FIRST');
  await client.call('kill', { id: ['again'] });
  const second = await shown('SECOND');
  await expect(client.call('text', { id: `again@${first}` })).rejects.toMatchObject({ code: 'moment_lost' });
  expect((await client.call('text', { id: `again@${second}`, trim: true })).lines).toContain('SECOND');
  expect((await client.call('text', { id: 'again', at: 'start', trim: true })).lines.join('')).toBe('');
  // Who has seen the earlier one reads all lines of the later one.
  expect(await client.call('text', { id: 'again', since: first })).toMatchObject({ complete: true });
});
