/** Casts of a terminal's past: opened again, they show what was shown. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Client } from '../../src/client/client.js';
import { loadRecording, type Recording } from '../../src/playback/recording.js';
import { linesOf } from '../history/recording/recordings.js';
import { runCli } from '../support/cli.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
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

const ECHO = 'stty -echo; echo ready; while read -r line; do echo "got $line"; done';

async function echo(...lines: string[]): Promise<string> {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', ECHO], cols: 30, rows: 6 });
  await request(daemon, { cmd: 'wait', id, until: { text: 'ready' } });
  for (const line of lines) await say(String(id), line);
  return String(id);
}

async function say(id: string, line: string): Promise<number> {
  await request(daemon, { cmd: 'send', id, input: `${line}\n`, wait: { until: { text: `got ${line}` } } });
  return (await client.call('cursor', { id })).rev;
}

let files = 0;

async function castOf(id: string, fields: object = {}): Promise<{ file: string; recording: Recording }> {
  const { bytes, len } = await client.call('export', { id, ...fields });
  expect(bytes?.length).toBe(len);
  const file = path.join(daemon.dir, `${++files}.cast`);
  writeFileSync(file, bytes ?? '');
  return { file, recording: await loadRecording(file) };
}

/** Picture of the last screen of a cast. */
async function picture(file: string): Promise<Buffer> {
  const { id } = await client.call('open', { path: file });
  const { bytes } = await client.call('screenshot', { id });
  await client.call('kill', { id });
  return Buffer.from(bytes ?? []);
}

async function pictureAt(id: string, at: string | number): Promise<Buffer> {
  return Buffer.from((await client.call('screenshot', { id, at })).bytes ?? []);
}

test('the whole past is a cast of all output, in its order, with markers and changes of size', async () => {
  const id = await echo('one');
  await client.call('marker', { id, label: 'half' });
  await client.call('resize', { id, cols: 20, rows: 4 });
  await say(id, 'two');
  const { recording, file } = await castOf(id, { title: 'a title' });
  expect(recording.start).toMatchObject({ cols: 30, rows: 6, title: 'a title' });
  const lines = linesOf(recording.events);
  const outputs = lines.filter(([, code]) => code === 'o').map(([, , text]) => text);
  expect(outputs.join('')).toBe('ready\r\ngot one\r\ngot two\r\n');
  expect(lines.filter(([, code]) => code !== 'o').map((line) => line.slice(1))).toEqual([
    ['m', 'half'],
    ['r', '20x4'],
  ]);
  expect((await picture(file)).equals(await pictureAt(id, 'end'))).toBe(true);
});

test('a stretch begins with a repaint of its first screen, and ends with its last', async () => {
  const id = await echo('one');
  const middle = await say(id, 'two');
  const last = await say(id, 'three');
  await say(id, 'four');
  const { recording, file } = await castOf(id, { from: middle, to: last });
  const [first, ...others] = linesOf(recording.events);
  expect(first?.[0]).toBe(0);
  expect(first?.[2]).toMatch(/ready[^]*got one[^]*got two/);
  expect(others.map(([, , text]) => text).join('')).toBe('got three\r\n');
  expect((await picture(file)).equals(await pictureAt(id, last))).toBe(true);
});

test('a stretch that begins with a time begins then, and a second version has times since its start', async () => {
  const id = await echo('one');
  const { at } = await client.call('text', { id, at: 'end' });
  const shownMs = at?.ts ?? 0;
  await say(id, 'two');
  // The clock shows whole milliseconds: the next output is as late or later.
  const { at: next } = await client.call('text', { id, at: 'end' });
  const { bytes, ...reply } = await client.call('export', { id, from: `ts:${shownMs}`, format: 'asciicast-v2' });
  expect(reply).toMatchObject({ format: 'asciicast-v2', cols: 30, rows: 6, first: { ts: shownMs } });
  const [header, first, second] = Buffer.from(bytes ?? [])
    .toString()
    .split('\n')
    .map((line) => JSON.parse(line || '0'));
  expect(header).toMatchObject({ version: 2, width: 30, height: 6, timestamp: Math.floor(shownMs / 1000) });
  expect(first).toEqual([0, 'o', expect.stringContaining('got one')]);
  expect(second).toEqual([((next?.ts ?? 0) - shownMs) / 1000, 'o', 'got two\r\n']);
  const later = client.call('export', { id, from: `ts:${shownMs + 1e9}` });
  await expect(later).rejects.toMatchObject({ code: 'moment_unknown' });
});

itNeeds('asciinema')('asciinema prints a second version as the program did', async () => {
  const id = await echo('e\u0301 \u4e2d \u{1f600}', 'two');
  const { file } = await castOf(id, { format: 'asciicast-v2' });
  // It prints to terminals alone.
  const { lines, exit_code: code } = await client.call('run', { cmd_args: ['asciinema', 'cat', file] });
  expect({ lines, code }).toEqual({ lines: ['ready', 'got e\u0301 \u4e2d \u{1f600}', 'got two'], code: 0 });
});

test('a change of size within a stretch shows what it showed', async () => {
  const id = await echo('one', 'two', 'three', 'four', 'five', 'six', 'seven');
  const from = await say(id, 'eight');
  await client.call('resize', { id, cols: 40, rows: 9 });
  const { file } = await castOf(id, { from });
  expect((await picture(file)).equals(await pictureAt(id, 'end'))).toBe(true);
});

itNeeds('bash')(
  'the cast of one command has its output, and of others what the screen shows just before its start',
  async () => {
    // Its start, all of its output and its end may be one screen.
    const terminal = await TestTerminal.start(daemon, ['bash']);
    for (const command of ['echo fir""st', 'echo sec""ond', 'echo thi""rd']) {
      expect(await request(daemon, { cmd: 'run', id: terminal.id, command })).toMatchObject({ outcome: 'done' });
    }
    const { recording } = await castOf(terminal.id, { from: 'command:2:start^', to: 'command:2:end' });
    // What it prints may come in the same millisecond as the screen before.
    const [paint = '', ...others] = recording.events.flatMap((event) =>
      event.kind === 'output' ? [Buffer.from(event.bytes).toString()] : [],
    );
    expect(paint).toContain('first');
    expect(paint).not.toMatch(/second|third/);
    expect(others.join('')).toMatch(/second\r\n/);
    expect(others.join('')).not.toContain('third');
  },
);

itNeeds('vim')('a cast of vim shows the same pictures as the past', async () => {
  const file = path.join(daemon.dir, 'a.txt');
  writeFileSync(file, Array.from({ length: 60 }, (_, i) => `line ${i} of a text`).join('\n'));
  const terminal = await TestTerminal.start(daemon, ['vim', '-u', 'NONE', '-N', file]);
  await terminal.untilShows('line 3');
  const { rev: from } = await client.call('cursor', { id: terminal.id });
  for (const key of ['PageDown', 'j', 'j', 'd', 'd', 'PageDown']) {
    await terminal.press(key);
    await client.call('wait', { id: terminal.id, until: { settled_ms: 40 } });
  }
  // It may draw on between two requests.
  const { rev: to } = await client.call('cursor', { id: terminal.id });
  const whole = await castOf(terminal.id, { to });
  const part = await castOf(terminal.id, { from, to });
  const shown = await pictureAt(terminal.id, to);
  expect((await picture(whole.file)).equals(shown)).toBe(true);
  expect((await picture(part.file)).equals(shown)).toBe(true);
});

test('a moment that is not there, a stretch that goes back and a terminal without a history are refused', async () => {
  const id = await echo('one');
  const refused = (fields: object): Promise<unknown> => client.call('export', { id, ...fields });
  await expect(refused({ from: 99_999 })).rejects.toMatchObject({ code: 'revision_unknown' });
  await expect(refused({ from: 'marker:no' })).rejects.toMatchObject({ code: 'moment_unknown' });
  await expect(refused({ from: 'end', to: 'start' })).rejects.toMatchObject({ code: 'invalid_field' });
  await expect(refused({ format: 'gif' })).rejects.toMatchObject({ code: 'invalid_field' });
  await client.call('config', { history_bytes: 0 });
  try {
    const without = await echo();
    await expect(client.call('export', { id: without })).rejects.toMatchObject({ code: 'moment_lost' });
  } finally {
    await client.call('config', { history_bytes: 8 * 1024 * 1024 });
  }
});

test('t4a export makes a film of what a terminal has shown, without a recording', async () => {
  const id = await echo('one', 'two');
  const options = { socketPath: daemon.socketPath, cwd: daemon.dir };
  const film = await runCli(['export', id, '-o', 'past.gif', '--from', 'input:-2', '--json'], options);
  expect({ stderr: film.stderr, status: film.status }).toEqual({ stderr: '', status: 0 });
  expect(JSON.parse(film.stdout)).toMatchObject({ format: 'gif', width: 300, height: 120 });
  expect(await sharp(path.join(daemon.dir, 'past.gif'), { animated: true }).metadata()).toMatchObject({ width: 300 });
  const text = await runCli(['export', id, '-o', '-', '--format', 'text'], options);
  expect(text.stdout.replaceAll(/^\S+ +/gm, '')).toBe('ready\ngot one\ngot two\n');
  const lost = await runCli(['export', id, '-o', 'x.gif', '--from', 'command:3'], options);
  expect(lost).toMatchObject({ status: 1, stderr: expect.stringContaining('no shell command 3') });
});
