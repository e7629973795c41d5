import { expect, test } from 'vitest';
import { openRig } from '../../support/rig.js';

/** No letters are drawn for it. */
const PICTURE = { format: 'svg' };

test('a picture is raw bytes after the reply, or base64 within it', async () => {
  const rig = openRig();
  const id = await rig.printed('hello');
  const { line, bytes } = await rig.send('screenshot', { id, ...PICTURE });
  const header = JSON.parse(Buffer.from(line ?? '').toString()) as Record<string, unknown>;
  const picture = Buffer.concat(bytes ?? []);
  expect(picture.toString()).toContain('<svg');
  expect(header).toMatchObject({ ok: true, len: picture.length, rev: rig.terminal(id).screen.rev });
  expect(header).not.toHaveProperty('data');
  const inline = await rig.send('screenshot', { id, inline: true, ...PICTURE });
  expect(inline.bytes ?? []).toEqual([]);
  const reply = JSON.parse(Buffer.from(inline.line ?? '').toString()) as Record<string, unknown>;
  expect(reply['data']).toBe(picture.toString('base64'));
});

test('a picture of the revision that the caller has is not drawn again', async () => {
  const rig = openRig();
  const id = await rig.echoing('hello');
  const { rev } = await rig.ask('cursor', { id });
  expect(await rig.ask('screenshot', { id, if_rev: rev, ...PICTURE })).toEqual({
    ok: true,
    unchanged: true,
    rev,
    len: 0,
  });
  await rig.print(id, 'more');
  const { line, bytes } = await rig.send('screenshot', { id, if_rev: rev, ...PICTURE });
  expect(JSON.parse(Buffer.from(line ?? '').toString())).not.toHaveProperty('unchanged');
  expect(bytes?.length).toBeGreaterThan(0);
});

test('run and turns attach a picture only on request', async () => {
  const rig = openRig();
  const plain = await rig.send('run', { command: 'echo a', keep: true });
  expect(plain.bytes).toBeUndefined();
  const drawn = await rig.send('run', { command: 'echo a', screenshot: PICTURE });
  expect(Buffer.concat(drawn.bytes ?? []).toString()).toContain('<svg');
  const looked = await rig.send('wait', {
    id: '@',
    until: { exit: true },
    observe: { text: true, screenshot: PICTURE },
  });
  expect(JSON.parse(Buffer.from(looked.line ?? '').toString())).toMatchObject({
    outcome: 'matched',
    observed: { lines: ['a'] },
  });
  expect(Buffer.concat(looked.bytes ?? []).toString()).toContain('<svg');
  expect((await rig.send('wait', { id: '@', until: { exit: true } })).bytes).toBeUndefined();
});
