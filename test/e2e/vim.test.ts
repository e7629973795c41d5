/** An editing session by raw requests, checked by the file that it saves. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds, requireProgram } from '../support/programs.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

itNeeds('vim')('raw requests open vim, insert text, save and quit', async () => {
  const file = path.join(daemon.dir, 'note.txt');
  const vim = requireProgram('vim');
  const { id } = await request(daemon, {
    cmd: 'create',
    cmd_args: [vim, '-u', 'NONE', '-N', file],
    // Without a locale vim takes each byte for a character.
    env: { LC_ALL: 'C.UTF-8' },
  });
  const events = await EventStream.open(daemon.socketPath, { terminal: id, since: 0 });
  const ready = { until: { text: '~' } };
  expect(await request(daemon, { cmd: 'wait', id, ...ready })).toMatchObject({ outcome: 'matched' });
  expect(await request(daemon, { cmd: 'status', id })).toMatchObject({
    alt_screen: true,
    foreground: path.basename(vim).slice(0, 3),
  });
  const input = 'iThe first line.\rThe second: 世界 🚀\x1b';
  const wait = { until: { text: '🚀' } };
  expect(await request(daemon, { cmd: 'send', id, input, wait })).toMatchObject({ wait: { outcome: 'matched' } });
  const { lines } = (await request(daemon, { cmd: 'text', id, trim: true })) as { lines: string[] };
  expect(lines.slice(0, 2)).toEqual(['The first line.', 'The second: 世界 🚀']);
  await request(daemon, { cmd: 'send', id, input: ':wq\r' });
  expect(await events.until('exit')).toMatchObject({ code: 0, signal: null });
  events.close();
  expect(readFileSync(file, 'utf8')).toBe('The first line.\nThe second: 世界 🚀\n');
});
