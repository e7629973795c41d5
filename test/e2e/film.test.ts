/** What happened in a terminal: films, seeking, markers, and what is forgotten of it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Client } from '../../src/client/client.js';
import { estimateTokens } from '../../src/render/costs.js';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { rawRequest } from '../support/raw.js';

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

/** Shows a page for each line that it is given. */
const PAGES =
  'stty -echo; echo ready; while read -r line; do printf "\\033[2J\\033[Hpage %s\\n" "$line"; seq 1 5; done';

async function pages(...names: string[]): Promise<string> {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', PAGES], cols: 30, rows: 8 });
  await client.call('wait', { id: String(id), until: { text: 'ready' } });
  for (const name of names) {
    await client.call('send', { id: String(id), input: `${name}\n`, wait: { until: { text: `page ${name}` } } });
    await client.call('wait', { id: String(id), until: { idle_ms: 20 } });
  }
  return String(id);
}

function size(png: Uint8Array): number[] {
  expect(Buffer.from(png.subarray(1, 4)).toString()).toBe('PNG');
  const view = new DataView(png.buffer, png.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
}

describe('a film', () => {
  test('has the screens that were there, each text once, and the last one', async () => {
    const id = await pages('one', 'two', 'three');
    const film = await client.call('film', { id, from: 'start', format: 'text' });
    const titles = film.frames.flatMap(({ lines = [] }) => lines.filter((line) => /page|ready/.test(line)));
    expect(titles).toEqual(['ready', 'page one', 'page two', 'page three']);
    expect(film.frames.at(-1)).toMatchObject({ reason: 'last' });
    expect(film.left_out).toBe(0);
    const shorter = await client.call('film', { id, from: 'start', format: 'text', max_frames: 2 });
    expect(shorter.frames.length).toBe(2);
    expect(shorter.left_out).toBeGreaterThan(0);
  });

  test('begins with the last input by default', async () => {
    const id = await pages('one', 'two');
    const film = await client.call('film', { id, format: 'text' });
    const all = film.frames.flatMap(({ lines = [] }) => lines).join('\n');
    expect(all).toMatch(/page one[^]*page two/);
    expect(all).not.toMatch(/ready/);
  });

  test('is one picture of all frames, or a picture of each, within a budget', async () => {
    const id = await pages('one', 'two', 'three');
    const sheet = await client.call('film', { id, from: 'start' });
    expect(size(sheet.bytes ?? new Uint8Array())).toEqual([sheet.width, sheet.height]);
    expect(sheet.frames.length).toBe(4);
    const apart = await client.call('film', { id, from: 'start', sheet: false });
    for (const { offset = 0, len = 0, width, height, at } of apart.frames) {
      const picture = (apart.bytes ?? new Uint8Array()).slice(offset, offset + len);
      expect(size(picture)).toEqual([width, height]);
      const live = await client.call('screenshot', { id, at: at.rev });
      expect(Buffer.from(live.bytes ?? []).equals(Buffer.from(picture))).toBe(true);
    }
    const small = await client.call('film', { id, from: 'start', max_tokens: 60 });
    expect(small.tokens?.claude).toBeLessThanOrEqual(60);
    expect(small.frames.length).toBeLessThan(4);
  });

  test('of pictures of each frame, and of text, is within its budget', async () => {
    const id = await pages('one', 'two', 'three');
    const apart = await client.call('film', { id, from: 'start', sheet: false, max_tokens: 60 });
    const tokens = apart.frames.map(({ width = 0, height = 0 }) => estimateTokens(width, height).claude);
    expect(tokens.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(60);
    expect(apart.frames.length).toBeLessThan(4);
    const linesOf = async (max_tokens: number): Promise<string[][]> =>
      (await client.call('film', { id, from: 'start', format: 'text', max_tokens })).frames.map(
        ({ lines = [] }) => lines,
      );
    // 24 bytes: two frames have 28 and more, and the last one has "page three" and five numbers.
    expect(await linesOf(6)).toEqual([['page three', '1', '2', '3', '4', '5']]);
    expect(await linesOf(2)).toEqual([['2', '3', '4', '5']]);
  });

  test('is printed, written to a file or to a directory by the command line', async () => {
    const id = await pages('one', 'two');
    const cli = (...args: string[]): ReturnType<typeof runCliHere> =>
      runCliHere(['film', id, '--from', 'start', ...args], { socketPath: daemon.socketPath });
    expect((await cli()).stdout).toMatch(/^--- [\d.]+ s ago, \w+, revision \d+\nready\n--- /);
    const file = path.join(daemon.dir, 'film.png');
    expect(await cli('-o', file)).toMatchObject({ status: 0, stdout: '' });
    expect(size(readFileSync(file))[0]).toBeGreaterThan(0);
    const strip = path.join(daemon.dir, 'strip');
    expect(await cli('--frames', strip)).toMatchObject({ status: 0 });
    expect(readdirSync(strip)).toEqual(['01.png', '02.png', '03.png']);
  });
});

test('seek finds when a text appeared, when it was gone, and the last time', async () => {
  const id = await pages('one', 'two', 'one', 'three');
  const rows = async (at: number): Promise<string> => (await client.call('text', { id, at })).lines[0]?.trim() ?? '';
  const first = await client.call('seek', { id, text: 'page one' });
  expect(first).toMatchObject({ outcome: 'found', total: 1, match: { row: 0, col: 0, text: 'page one' } });
  const last = await client.call('seek', { id, regex: 'page o.e', last: true });
  expect(last.at?.rev).toBeGreaterThan(first.at?.rev ?? Infinity);
  expect(await rows(last.at?.rev ?? 0)).toBe('page one');
  const gone = await client.call('seek', { id, gone: 'page one' });
  expect(gone.at?.rev).toBeGreaterThan(first.at?.rev ?? Infinity);
  expect(await rows(gone.at?.rev ?? 0)).not.toBe('page one');
  expect(await client.call('seek', { id, text: 'never' })).toMatchObject({ outcome: 'none', total: 0 });
  expect((await client.call('seek', { id, text: 'page one', to: first.at?.rev ?? 0 })).outcome).toBe('found');
});

test('a marker is a moment, an event, and a marker of the recording', async () => {
  const id = await pages('one');
  const file = path.join(daemon.dir, 'marked.cast');
  await client.call('record', { id, path: file });
  const { seq } = await client.call('marker', { id, label: 'here' });
  await client.call('send', { id, input: 'two\n', wait: { until: { text: 'page two' } } });
  expect((await client.call('text', { id, at: 'marker:here' })).lines[0]).toMatch(/page one/);
  expect((await client.call('text', { id, at: `seq:${seq}` })).lines[0]).toMatch(/page one/);
  await client.call('record', { id, action: 'stop' });
  expect(readFileSync(file, 'utf8')).toMatch(/"m", ?"here"/);
});

describe('what is forgotten', () => {
  test('is in no read of the past any more, and the files that may have it are named', async () => {
    const id = await pages('before');
    const file = path.join(daemon.dir, 'kept.cast');
    await client.call('record', { id, path: file });
    await client.call('marker', { id, label: 'told' });
    const say = (line: string): Promise<unknown> =>
      client.call('send', { id, input: `${line}\n`, wait: { until: { text: `page ${line}` } } });
    await say('hunter2');
    const { rev } = await client.call('cursor', { id });
    await say('after');
    const dropped = await client.call('forget', { id, from: 'marker:told' });
    expect(dropped).toMatchObject({ files: [file], first: { rev: 0 } });
    expect(dropped.last.rev).toBeGreaterThan(rev);
    for (const at of [rev, 'input', 'start']) {
      await expect(client.call('text', { id, at }), String(at)).rejects.toMatchObject({ code: 'moment_lost' });
    }
    const { bytes } = await client.call('output', { id });
    expect(Buffer.from(bytes ?? []).toString()).not.toMatch(/hunter2|ready/);
    await expect(client.call('output', { id, since: 0 })).rejects.toMatchObject({ code: 'offset_gone' });
    await say('later');
    expect(await client.call('seek', { id, text: 'hunter2' })).toMatchObject({ outcome: 'none' });
    const cast = await client.call('export', { id });
    expect(Buffer.from(cast.bytes ?? []).toString()).not.toContain('hunter2');
    const film = await client.call('film', { id, format: 'text' });
    expect(film.frames.flatMap(({ lines = [] }) => lines).join(' ')).toMatch(/page after.*page later/);
  });

  test('is named by the command line', async () => {
    const id = await pages('one');
    const options = { socketPath: daemon.socketPath };
    const { stdout, status } = await runCliHere(['forget', id, '--json'], options);
    expect({ status, reply: JSON.parse(stdout) as unknown }).toMatchObject({
      status: 0,
      reply: { ok: true, files: [] },
    });
    expect(await runCliHere(['forget', id, '--from', 'marker:none'], options)).toMatchObject({ status: 1 });
  });
});

test.each([
  [{ cmd: 'forget', from: 'rev:99999' }, 'revision_unknown', 'from'],
  [{ cmd: 'forget', from: 'end', to: 'start' }, 'invalid_field', 'to'],
  [{ cmd: 'film', from: 'rev:99999' }, 'revision_unknown', 'from'],
  [{ cmd: 'film', to: 'marker:none' }, 'moment_unknown', 'to'],
  [{ cmd: 'film', max_frames: 0 }, 'invalid_field', 'max_frames'],
  [{ cmd: 'film', from: 'end', to: 'start' }, 'invalid_field', 'to'],
  [{ cmd: 'seek' }, 'invalid_field', 'text'],
  [{ cmd: 'seek', text: 'a', gone: 'b' }, 'invalid_field', 'gone'],
  [{ cmd: 'seek', regex: '(' }, 'bad_regex', 'regex'],
  [{ cmd: 'seek', text: 'a', from: 'end', to: 'start' }, 'invalid_field', 'to'],
  [{ cmd: 'marker', label: '' }, 'invalid_field', 'label'],
])('%j is refused with %s', async (fields, code, field) => {
  const id = await pages('one');
  const { header } = await rawRequest(daemon.socketPath, { ...fields, id });
  expect(header).toMatchObject({ ok: false, code, field });
});

test('without a history there is no past', async () => {
  const { history_bytes: before } = await request(daemon, { cmd: 'config' });
  await request(daemon, { cmd: 'config', history_bytes: 0 });
  const id = await pages('one');
  await request(daemon, { cmd: 'config', history_bytes: before });
  for (const fields of [{ cmd: 'film' }, { cmd: 'text', at: 'end' }]) {
    const { header } = await rawRequest(daemon.socketPath, { ...fields, id });
    expect(header).toMatchObject({ ok: false, code: 'moment_lost', hint: expect.stringMatching(/history_bytes/) });
  }
});
