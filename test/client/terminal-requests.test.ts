/** What each method of a terminal asks the daemon for, and what it makes of the answer. */
import { describe, expect, test } from 'vitest';
import { Terminal } from '../../src/client/terminal.js';
import { WaitFailure } from '../../src/client/wait-failure.js';
import { type Answers, recordedDaemon } from '../support/recorded-daemon.js';

const MATCHED = { outcome: 'matched', index: 0, elapsed_ms: 1, rev: 1, tail: [] };

async function terminalOf(answers: Answers = {}, ownsClient?: boolean) {
  const daemon = await recordedDaemon({ wait: () => MATCHED, text: () => ({ lines: ['a', 'b'] }), ...answers });
  const owned = ownsClient === undefined ? {} : { ownsClient };
  return { ...daemon, terminal: new Terminal(daemon.client, { id: 't1', pid: 7, ...owned }) };
}

const UNTIL_UP = { until: { text: 'up' }, fresh: true };

const REQUESTS: readonly [string, (terminal: Terminal) => Promise<unknown>, object][] = [
  ['a key', (t) => t.press('Enter'), { cmd: 'press', keys: ['Enter'] }],
  ['keys', (t) => t.press(['Escape', 'q']), { cmd: 'press', keys: ['Escape', 'q'] }],
  ['typing', (t) => t.type('ls', { submit: true }), { cmd: 'type', text: 'ls', submit: true }],
  ['pasting', (t) => t.paste('ls'), { cmd: 'paste', text: 'ls' }],
  ['sending a text', (t) => t.send('ls\n'), { cmd: 'send', input: 'ls\n' }],
  ['sending bytes', (t) => t.send(Uint8Array.of(0, 255)), { cmd: 'send', input_base64: 'AP8=' }],
  ['a line for the shell', (t) => t.run('make', { timeout_ms: 5 }), { cmd: 'run', command: 'make', timeout_ms: 5 }],
  ['words for the shell', (t) => t.run(['make', 'all']), { cmd: 'run', cmd_args: ['make', 'all'] }],
  ['a click on a text', (t) => t.click('OK'), { cmd: 'mouse', action: 'click', on_text: 'OK' }],
  ['a click on a match', (t) => t.click(/O./), { cmd: 'mouse', action: 'click', on_regex: 'O.' }],
  ['a click in any case', (t) => t.click(/o./i), { cmd: 'mouse', action: 'click', on_regex: '(?i)o.' }],
  ['a click in a cell', (t) => t.click({ row: 1, col: 2 }), { cmd: 'mouse', action: 'click', row: 1, col: 2 }],
  ['other buttons', (t) => t.click('x', { clicks: 2 }), { cmd: 'mouse', action: 'click', on_text: 'x', clicks: 2 }],
  ['reading', (t) => t.text(), { cmd: 'text', trim: true }],
  ['reading with blanks', (t) => t.text({ trim: false }), { cmd: 'text', trim: false }],
  ['reading after a wait', (t) => t.text({ wait: UNTIL_UP }), { cmd: 'text', trim: true, wait: UNTIL_UP }],
  [
    'searching after a wait',
    (t) => t.call('grep', { pattern: 'x', wait: UNTIL_UP }),
    { cmd: 'grep', pattern: 'x', wait: UNTIL_UP },
  ],
  ['a wait', (t) => t.wait({ until: { exit: true } }), { cmd: 'wait', until: { exit: true } }],
  ['a text', (t) => t.waitForText('up'), { cmd: 'wait', until: { text: 'up' } }],
  ['a match', (t) => t.waitForText(/up$/), { cmd: 'wait', until: { regex: 'up$' } }],
  ['a match in any case', (t) => t.waitForText(/up/gi), { cmd: 'wait', until: { regex: '(?i)up' } }],
  ['silence', (t) => t.waitUntilSettled(), { cmd: 'wait', until: { settled_ms: 500 } }],
  ['longer silence', (t) => t.waitUntilSettled(900), { cmd: 'wait', until: { settled_ms: 900 } }],
  ['a size', (t) => t.resize(90, 20), { cmd: 'resize', cols: 90, rows: 20 }],
  ['the end', (t) => t.kill(), { cmd: 'kill' }],
  ['a signal', (t) => t.kill('INT'), { cmd: 'kill', signal: 'INT' }],
  ['any command', (t) => t.call('grep', { pattern: 'x' }), { cmd: 'grep', pattern: 'x' }],
];

test.each(REQUESTS)('%s is one request that names the terminal', async (_, act, expected) => {
  const { terminal, requests } = await terminalOf();
  await act(terminal);
  expect(requests).toEqual([{ ...expected, id: 't1' }]);
});

test('an aborted signal sends nothing', async () => {
  const { terminal, requests } = await terminalOf();
  const signal = AbortSignal.abort(new Error('enough'));
  for (const call of [
    terminal.type('x', { signal }),
    terminal.kill(undefined, { signal }),
    terminal.observe({ signal }),
    terminal.waitForExit({ signal }),
  ]) {
    await expect(call).rejects.toThrow('enough');
  }
  expect(requests).toEqual([]);
});

test('the text is its lines, joined by line breaks', async () => {
  const { terminal } = await terminalOf();
  expect(await terminal.text()).toBe('a\nb');
});

test('the text ends with the last line that has some, unless blank lines are asked for', async () => {
  const lines = ['', 'a', '', 'b', '', ''];
  const { terminal, requests } = await terminalOf({ text: () => ({ lines }) });
  expect(await terminal.text()).toBe('\na\n\nb');
  expect(await terminal.text({ blank_lines: true })).toBe('\na\n\nb\n\n');
  expect(requests).toEqual([
    { cmd: 'text', id: 't1', trim: true },
    { cmd: 'text', id: 't1', trim: true },
  ]);
  const blank = await terminalOf({ text: () => ({ lines: ['', ''] }) });
  expect(await blank.terminal.text()).toBe('');
});

test('the end of the program is read once it has come', async () => {
  const { terminal, requests } = await terminalOf({ status: () => ({ exit_code: 3, signal: null, cols: 80 }) });
  expect(await terminal.waitForExit({ timeout_ms: 9 })).toEqual({ exit_code: 3, signal: null });
  expect(requests).toEqual([
    { cmd: 'wait', until: { exit: true }, timeout_ms: 9, id: 't1' },
    { cmd: 'status', id: 't1' },
  ]);
});

test.each(['timeout', 'failed', 'exited'])('a wait that ends as %s is a failure of waitFor alone', async (outcome) => {
  const { terminal } = await terminalOf({ wait: () => ({ ...MATCHED, outcome }) });
  expect(await terminal.wait({ until: { text: 'x' } })).toMatchObject({ outcome });
  const failure: unknown = await terminal.waitFor({ text: 'x' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(WaitFailure);
  expect((failure as WaitFailure).message).toContain('{"text":"x"} in t1');
});

describe('a glance', () => {
  const cursor = { row: 1, col: 2, visible: true };
  const observed = { lines: ['a', 'b'], cursor, rev: 4 };

  test('requests text, cursor and picture of one instant without a wait', async () => {
    const { terminal, requests } = await terminalOf({ wait: () => ({ ...MATCHED, observed, bytes: 'png' }) });
    const { png, ...rest } = await terminal.observe();
    expect(Buffer.from(png).toString()).toBe('png');
    expect(rest).toEqual({ text: 'a\nb', cursor, rev: 4 });
    const observe = { text: true, cursor: true, screenshot: true };
    expect(requests).toEqual([{ cmd: 'wait', until: { cursor: {} }, observe, id: 't1' }]);
  });

  test('requests the given picture', async () => {
    const { terminal, requests } = await terminalOf({ wait: () => ({ ...MATCHED, observed, bytes: 'png' }) });
    await terminal.observe({ screenshot: { format: 'jpeg' } });
    expect(requests).toMatchObject([{ observe: { screenshot: { format: 'jpeg' } } }]);
  });

  test.each([
    ['the text', { observed: { cursor, rev: 4 }, bytes: 'png' }],
    ['the cursor', { observed: { lines: [], rev: 4 }, bytes: 'png' }],
    ['the picture', { observed }],
    ['all of it', { bytes: 'png' }],
  ])('fails if the daemon leaves out %s', async (_, fields) => {
    const { terminal } = await terminalOf({ wait: () => ({ ...MATCHED, ...fields }) });
    await expect(terminal.observe()).rejects.toMatchObject({ code: 'internal' });
  });
});

test('a picture is its bytes and its facts', async () => {
  const { terminal, requests } = await terminalOf({ screenshot: () => ({ width: 9, rev: 2, bytes: 'picture' }) });
  const { bytes, ...shown } = await terminal.screenshot({ scale: 50 });
  expect(Buffer.from(bytes).toString()).toBe('picture');
  expect(shown).toEqual({ width: 9, rev: 2, len: 7 });
  expect(requests).toEqual([{ cmd: 'screenshot', scale: 50, id: 't1' }]);
});

test('a picture without bytes is a defect of the daemon', async () => {
  const { terminal } = await terminalOf({ screenshot: () => ({ rev: 2 }) });
  await expect(terminal.screenshot()).rejects.toMatchObject({ code: 'internal' });
});

describe('closing', () => {
  const refusal = (code: string): Answers => ({ kill: () => ({ ok: false, code, error: 'No.' }) });

  test('ends the terminal, and the connection only if that is its own', async () => {
    const own = await terminalOf({}, true);
    await own.terminal.close();
    expect(own.requests).toEqual([{ cmd: 'kill', id: 't1' }]);
    expect(own.client.isClosed).toBe(true);
    const shared = await terminalOf();
    await shared.terminal[Symbol.asyncDispose]();
    expect(shared.requests).toEqual([{ cmd: 'kill', id: 't1' }]);
    expect(shared.client.isClosed).toBe(false);
  });

  test.each(['terminal_not_found', 'connection_lost'])('succeeds if the daemon answers %s', async (code) => {
    const { terminal } = await terminalOf(refusal(code));
    await expect(terminal.close()).resolves.toBeUndefined();
  });

  test('fails if the terminal stays, and closes its own connection in any case', async () => {
    const { terminal, client } = await terminalOf(refusal('not_permitted'), true);
    await expect(terminal.close()).rejects.toMatchObject({ code: 'not_permitted' });
    expect(client.isClosed).toBe(true);
  });
});
