/** Files of the owner's folder, and others that are open as terminals. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { Recordings } from '../../../src/features/recording/recordings.js';
import { openRig } from '../../support/rig.js';
import { tempDir } from '../../support/temp-dir.js';
import { eventually } from '../../support/eventually.js';

test('listed are open files from elsewhere, then those of the folder, each once, with the terminals that they are open as', async () => {
  const dir = tempDir();
  const folder = dir.join('t4a/recordings');
  mkdirSync(folder, { recursive: true });
  const cast = (title: string): string => `{"version":3,"term":{"cols":80,"rows":24},"title":"${title}"}\n`;
  writeFileSync(`${folder}/b.cast`, cast('second'));
  writeFileSync(`${folder}/a.cast`, cast('first'));
  writeFileSync(`${folder}/notes.txt`, 'no recording');
  writeFileSync(dir.join('x.ttyrec'), 'twelve bytes');
  const recordings = new Recordings({
    clock: systemClock,
    version: '1',
    env: { XDG_STATE_HOME: dir.path, XDG_DATA_HOME: dir.path },
    warn: () => {},
    limits: { maxPendingBytes: 1, maxBytes: 1, minFreeBytes: 0 },
  });
  const open = [
    { id: 't1', path: `${folder}/a.cast` },
    { id: 't2', path: dir.join('x.ttyrec') },
    { id: 't3', path: `${folder}/a.cast` },
    { id: 't4', path: dir.join('gone.cast') },
  ];
  expect(await recordings.list(open)).toMatchObject([
    { path: dir.join('x.ttyrec'), title: null, size: 12, opened: ['t2'] },
    { path: `${folder}/a.cast`, title: 'first', opened: ['t1', 't3'] },
    { path: `${folder}/b.cast`, title: 'second', opened: [] },
  ]);
});

test('one that is being written is listed once, as live', async () => {
  const dir = tempDir();
  const rig = openRig({ env: { PATH: '/bin:/usr/bin', XDG_STATE_HOME: dir.path, XDG_DATA_HOME: dir.path } });
  const id = await rig.showing('here');
  const path = dir.join('t4a/recordings/x.cast');
  mkdirSync(dir.join('t4a/recordings'), { recursive: true });
  await rig.ask('record', { id, action: 'start', path });
  await rig.ask('record', { id, action: 'mark', label: 'a' });
  // Once the file can be read, it is one of the folder, too.
  await eventually(() => expect(readFileSync(path, 'utf8')).toContain('"a"'));
  expect(await rig.ask('recordings')).toMatchObject({ ok: true, recordings: [{ path, terminal: id, live: true }] });
  await rig.ask('record', { id, action: 'stop' });
  expect(await rig.ask('recordings')).toMatchObject({ ok: true, recordings: [{ path, terminal: id, live: false }] });
});
