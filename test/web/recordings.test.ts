/** Recordings as the server gives them to pages: by numbers, closed with the page. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../support/temp-dir.js';
import { admitted, servedForFile } from './served.js';

const shared = servedForFile();

const CAST = '{"version":2,"width":40,"height":8}\n[0.1,"o","shown"]\n';

type Listed = readonly { readonly recording: string; readonly name: string }[];

async function withRecording() {
  const server = await shared();
  const { path: dir } = tempDir();
  mkdirSync(dir, { recursive: true });
  const file = path.join(dir, 'kept.cast');
  writeFileSync(file, CAST);
  await server.client.call('open', { path: file, name: 'kept' });
  onTestFinished(() => server.client.call('kill', { id: 'kept' }).then(() => {}));
  const opened = async (): Promise<string[]> =>
    (await server.client.call('list', { recordings: true })).terminals
      .map(({ id }) => id)
      .filter((id) => id !== 'kept');
  return { server, file, opened, socket: await admitted(server) };
}

test('recordings have numbers and names, and a page that is gone leaves none open', async () => {
  const { socket, opened, file } = await withRecording();
  const { recordings } = await socket.ask('web_recordings');
  const [one] = recordings as Listed;
  expect(one).toMatchObject({ name: 'kept.cast', recording: expect.stringMatching(/^[0-9a-f]{24}$/) });
  expect(JSON.stringify(recordings)).not.toContain(path.dirname(file));
  const reply = await socket.ask('web_open', { recording: one?.recording });
  expect(reply).toMatchObject({ ok: true, complete: true });
  expect(await opened()).toEqual([reply['id']]);
  socket.socket.close();
  await expect.poll(opened).toEqual([]);
});

test('a page has four recordings open at most: another closes the oldest', async () => {
  const { socket, opened } = await withRecording();
  const { recordings } = await socket.ask('web_recordings');
  const recording = (recordings as Listed)[0]?.recording;
  const ids: unknown[] = [];
  for (let i = 0; i < 6; i++) ids.push((await socket.ask('web_open', { recording }))['id']);
  expect(await opened()).toEqual(ids.slice(2));
});

test('a page opens no path, and closes only what it has opened', async () => {
  const { server, socket, file, opened } = await withRecording();
  expect(await socket.ask('open', { path: file })).toMatchObject({ ok: false, code: 'not_allowed' });
  for (const recording of [file, '../x', '', 3, null, '__proto__']) {
    expect(await socket.ask('web_open', { recording })).toMatchObject({ ok: false, code: 'recording_not_found' });
  }
  expect(await socket.ask('web_open', { path: file })).toMatchObject({ ok: false, code: 'not_allowed' });
  await server.client.call('create', { name: 'build', cmd_args: ['sleep', '600'] });
  for (const id of ['build', 'kept', 7, undefined]) {
    expect(await socket.ask('web_close', { id })).toMatchObject({ ok: false, code: 'recording_not_found' });
  }
  expect(await opened()).toEqual(['build']);
});

test.each([
  ['its second part before the first', [{ part: 'eHg=' }], 'has no beginning'],
  ['more bytes than it has', [{ part: btoa(CAST), size: 3, name: 'a' }], 'has changed'],
  ['a size beyond the bound', [{ part: '', size: 17 * 1024 * 1024, name: 'a' }], 'up to 16'],
  ['no bytes', [{ part: '', size: 3, name: 'a' }], 'has changed'],
  ['a size that is none', [{ part: 'eHg=', size: -1, name: 'a' }], 'is empty'],
])('a file of which a page sends %s is refused', async (_, parts, words) => {
  const socket = await admitted(await shared());
  for (const part of parts) {
    expect(await socket.ask('web_upload', part)).toMatchObject({ ok: false, error: expect.stringContaining(words) });
  }
});

test('a film is that of a terminal, never of a file', async () => {
  const { socket } = await withRecording();
  for (const id of ['--help', '/etc/hosts', 'no-such', '../x.cast', 5]) {
    expect(await socket.ask('web_film', { id })).toMatchObject({ ok: false });
  }
});

test('screens of the past are asked for beside the two that wait for a change', async () => {
  const { server, socket } = await withRecording();
  await server.client.call('create', { name: 'build', cmd_args: ['sh', '-c', 'printf made; exec sleep 600'] });
  await server.client.call('wait', { id: 'build', until: { text: 'made' } });
  const frame = await socket.ask('watch', { id: 'build' });
  const { rev, state } = frame;
  for (const req of ['w1', 'w2']) await socket.say({ cmd: 'watch', req, id: 'build', since: rev, state });
  for (let i = 0; i < 5; i++) expect(await socket.ask('watch', { id: 'build', at: 'end' })).toMatchObject({ ok: true });
  await socket.say({ cmd: 'watch', req: 'w3', id: 'build', since: rev, state });
  expect(await socket.closed()).toMatchObject({ reason: 'Too many watches.' });
});
