/** `clear`: what is above the screen, what is on it, and what a program has left. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { tempDir } from '../support/temp-dir.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { HOME: '/dev/null/home', XDG_CONFIG_HOME: '/dev/null/home' } });
});
afterAll(() => daemon.stop());

const QUIET = { until: { event: 'bell' }, timeout_ms: 20_000 };

/** A terminal in which a program has printed this, and waits. */
async function printed(text: string, fields: object = {}): Promise<string> {
  const cmd_args = ['sh', '-c', `printf '${text}\\007'; exec cat`];
  const { id } = await request(daemon, { cmd: 'create', cmd_args, rows: 4, ...fields, wait: QUIET });
  return id as string;
}

const linesOf = async (id: string): Promise<unknown> =>
  (await request(daemon, { cmd: 'text', id, region: 'all', trim: true }))['lines'];

test('the scrollback goes, and the screen stays', async () => {
  const id = await printed('1\\n2\\n3\\n4\\n5\\n6');
  expect(await request(daemon, { cmd: 'clear', id, scrollback: true })).toMatchObject({ ok: true });
  expect(await linesOf(id)).toEqual(['3', '4', '5', '6']);
});

test('the screen goes, into the scrollback where the terminal keeps what is cleared', async () => {
  const [plain, kept] = [await printed('a\\nb'), await printed('a\\nb', { keep_cleared: true })];
  for (const id of [plain, kept]) await request(daemon, { cmd: 'clear', id, screen: true });
  expect(await linesOf(plain)).toEqual(['', '', '', '']);
  expect(await linesOf(kept)).toEqual(['a', 'b', '', '', '', '']);
});

test('a reset ends what a program has left', async () => {
  const left = String.raw`\033[?1049h\033[?1000h\033[?2004h\033[?25l\033[2;3r\033[31mx`;
  const id = await printed(left);
  await request(daemon, { cmd: 'clear', id, reset: true });
  const { modes, cursor } = await request(daemon, { cmd: 'status', id });
  const off = { mouse_tracking: 'none', bracketed_paste: false, alt_screen: false, cursor_visible: true };
  expect({ modes, cursor }).toMatchObject({ modes: off, cursor: { row: 0, col: 0 } });
  await request(daemon, { cmd: 'type', id, text: 'y', wait: { until: { text: 'y' }, timeout_ms: 5000 } });
  const { cells } = await request(daemon, { cmd: 'text', id, format: 'cells' });
  expect((cells as object[][])[0]).toEqual([{ col: 0, cols: 1, width: 1, text: 'y' }]);
});

test('lines of a command that are cleared meanwhile are said to be lost', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh'], wait: { until: { done: true } } });
  const file = tempDir().join('go');
  const command = `seq 40; until [ -e ${file} ]; do sleep 0.01; done; echo last`;
  const run = request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
  await request(daemon, { cmd: 'wait', id, until: { regex: '^40' }, timeout_ms: 20_000 });
  await request(daemon, { cmd: 'clear', id, screen: true, scrollback: true });
  writeFileSync(file, '');
  const { outcome, exit_code: code, lost_lines: lost, lines } = await run;
  expect({ outcome, code, lines }).toEqual({ outcome: 'done', code: 0, lines: ['last'] });
  expect(lost).not.toBe(0);
});

test('a terminal that keeps what is cleared does so in the past, too', async () => {
  const id = await printed('a\\nb\\033[H\\033[2Jc', { keep_cleared: true });
  const { rev } = await request(daemon, { cmd: 'text', id });
  await request(daemon, { cmd: 'clear', id, scrollback: true });
  const { lines } = await request(daemon, { cmd: 'text', id, at: rev, region: 'viewport', trim: true });
  expect(lines).toEqual(['c', '', '', '']);
  expect(await linesOf(id)).toEqual(['c', '', '', '']);
});

test.each([
  [{}, 'invalid_field'],
  [{ scrollback: false }, 'invalid_field'],
  [{ lines: true }, 'unknown_field'],
  [{ id: 'nope', screen: true }, 'terminal_not_found'],
])('%j is refused', async (fields, code) => {
  const id = await printed('x');
  expect(await request(daemon, { cmd: 'clear', id, ...fields })).toMatchObject({ ok: false, code });
  expect(await linesOf(id)).toEqual(['x', '', '', '']);
});

test('a terminal that another holds is not cleared', async () => {
  const id = await printed('x');
  await request(daemon, { cmd: 'control', id, action: 'take', as: 'ada' });
  const refused = await request(daemon, { cmd: 'clear', id, screen: true, as: 'bob' });
  expect(refused).toMatchObject({ ok: false, code: 'control_held' });
  expect(await linesOf(id)).toEqual(['x', '', '', '']);
});
