/** Entries on a full disk, and triggers that type into programs which do not read: the daemon goes on, and says what failed. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changesIn } from '../../src/protocol/entry-lines.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { XDG_STATE_HOME: '' } });
});
afterAll(() => daemon.stop());

itNeeds('prlimit')('a disk that refuses entries ends their file with a warning, and they go on in memory', async () => {
  const script = 'read x; i=0; while [ $i -lt 600 ]; do i=$((i+1)); echo "a.c:$i:1: error: no"; done; exec cat';
  const created = { cmd: 'create', cmd_args: ['sh', '-c', script], rules: 'generic', activity: 'disk' };
  const { id } = await request(daemon, created);
  const { file } = await request(daemon, { cmd: 'entries', id });
  const events = await EventStream.open(daemon.socketPath, { types: ['entry', 'warning'] });
  execFileSync('prlimit', ['--pid', String(daemon.process.pid), '--fsize=20000:']);
  await request(daemon, { cmd: 'send', id, input: '\r' });
  expect(await events.until('warning')).toMatchObject({
    code: 'activity',
    message: expect.stringMatching(/gets no further entries: E/) as string,
  });
  await events.until('entry', ({ entry }) => (entry as { data: { line: number } }).data.line === 600);
  events.close();
  const { entries } = await request(daemon, { cmd: 'entries', id, last: 20 });
  expect(entries).toContainEqual(expect.objectContaining({ data: expect.objectContaining({ line: 600 }) as object }));
  // The last line may be torn.
  const kept = changesIn(readFileSync(String(file), 'utf8')).map(({ n }) => n);
  expect(kept.length).toBeGreaterThan(10);
  expect(kept).toEqual(kept.map((_, i) => i + 1));
});

it.each([
  ['never reads', 'echo go; exec sleep 1000', 'did not wait for input within 2000 ms: nothing was sent'],
  ['reads one character', 'stty raw -echo; printf go; dd bs=1 count=1 2>&-; exec sleep 1000', 'input_blocked'],
])('a trigger that types much into a program that %s fails, and nothing waits for it', async (_, script, code) => {
  const events = await EventStream.open(daemon.socketPath, { types: ['warning'] });
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script] });
  const paste = [{ paste: 'x'.repeat(60_000) }];
  const { trigger } = await request(daemon, { cmd: 'trigger', id, when: { text: 'go' }, do: paste });
  const warning = await events.until('warning');
  events.close();
  expect(warning).toMatchObject({ code: 'trigger', terminal: id, message: expect.stringContaining(code) as string });
  const { triggers } = await request(daemon, { cmd: 'triggers', id });
  expect(triggers).toMatchObject([{ trigger, fired: 1, last_error: expect.stringContaining(code) as string }]);
  expect(await request(daemon, { cmd: 'text', id })).toMatchObject({ ok: true });
  expect(await request(daemon, { cmd: 'kill', id })).toMatchObject({ ok: true });
});
