import { describe, expect, test } from 'vitest';
import { openRigOfFile } from '../../support/rig.js';

const rig = openRigOfFile();

describe('press', () => {
  test.each([
    [['a', 'Enter', 'Up'], 'a^M^[[A', 5],
    [['Ctrl+A', 'Alt+x'], '^A^[x', 3],
    [['Escape', 'Escape', 'b'], '^[^[b', 3],
    [['x', 'Ctrl+C'], 'x^C', 2],
    [['Ctrl+C'], '^C', 1],
    [['Ctrl+C', 'a', 'b'], '^Cab', 3],
    [['Ctrl+\\', 'Escape'], '^\\^[', 2],
  ])('of %j sends %s and reports its bytes', async (keys, shown, bytes) => {
    const id = await rig.showing();
    expect(await rig.ask('press', { id, keys })).toEqual({ ok: true, bytes_sent: bytes });
    expect(await rig.linesWith(id, shown)).toEqual([shown]);
  });

  test('of an unknown key, or of a key that the mode cannot send, sends nothing', async () => {
    const id = await rig.showing();
    expect(await rig.ask('press', { id, keys: ['a', 'Entre'] })).toMatchObject({
      code: 'unknown_key',
      field: 'keys.1',
    });
    expect(await rig.ask('press', { id, keys: ['a', 'Super+a'] })).toMatchObject({
      code: 'key_not_sendable',
      field: 'keys',
    });
    expect(await rig.ask('press', { id, keys: ['Ctrl+C', 'Super+a'] })).toMatchObject({ code: 'key_not_sendable' });
    await rig.ask('press', { id, keys: ['.'] });
    expect(await rig.linesWith(id, '.')).toEqual(['.']);
  });

  test('expects the echo of plain keys, which does not end a wait for the typed text', async () => {
    const id = await rig.echoing();
    const until = [{ text: 'hi' }, { event: 'resized' }];
    const waiting = rig.ask('press', { id, keys: ['h', 'i'], wait: { until } });
    expect(await rig.ask('wait', { id, until: { text: 'hi' } })).toMatchObject({ outcome: 'matched' });
    await rig.ask('resize', { id, cols: 81, rows: 25 });
    expect(await waiting).toMatchObject({ wait: { outcome: 'matched', index: 1 } });
  });
});

describe('input with a wait', () => {
  test('lets others send input as soon as it is written', async () => {
    const id = await rig.showing();
    const waiting = rig.ask('press', { id, keys: ['a', 'Escape', 'b'], wait: { until: { text: 'later' } } });
    expect(await rig.ask('send', { id, input: 'later' })).toEqual({ ok: true });
    expect(await waiting).toMatchObject({ bytes_sent: 3, wait: { outcome: 'matched', match: { text: 'later' } } });
    expect(await rig.linesWith(id, 'later')).toEqual(['a^[blater']);
  });

  test('is not sent if the wait is refused, and blocks no other input', async () => {
    const id = await rig.showing();
    const wait = { until: { regex: '(' } };
    expect(await rig.ask('press', { id, keys: ['x'], wait })).toMatchObject({ code: 'bad_regex' });
    expect(await rig.ask('press', { id, keys: ['Ctrl+C'], wait })).toMatchObject({ code: 'bad_regex' });
    expect(await rig.ask('send', { id, input: 'y', wait })).toMatchObject({ code: 'bad_regex' });
    await rig.ask('press', { id, keys: ['.'] });
    expect(await rig.linesWith(id, '.')).toEqual(['.']);
  });

  test('to an ended program is refused at once', async () => {
    const id = await rig.printed('gone');
    const wait = { until: { text: 'never' } };
    for (const fields of [{}, { wait }]) {
      for (const keys of [['x'], ['Ctrl+C'], ['x', 'Escape', 'y']]) {
        expect(await rig.ask('press', { id, keys, ...fields })).toMatchObject({ code: 'terminal_exited' });
      }
      expect(await rig.ask('type', { id, text: 'x', ...fields })).toMatchObject({ code: 'terminal_exited' });
    }
  });
});

describe('type', () => {
  test('sends a text, and Enter after it with submit', async () => {
    const id = await rig.showing();
    expect(await rig.ask('type', { id, text: 'é\nb' })).toMatchObject({ ok: true, bytes_sent: 4 });
    expect(await rig.ask('type', { id, text: 'c', submit: true, wait: { until: { text: 'c^M' } } })).toMatchObject({
      bytes_sent: 2,
      wait: { outcome: 'matched' },
    });
    expect(await rig.linesWith(id, 'c^M')).toEqual(['M-CM-)^Mbc^M']);
  });
});

describe('send', () => {
  test('sends bytes unchanged', async () => {
    const id = await rig.showing();
    await rig.ask('send', { id, input: 'a\r\x1b' });
    await rig.ask('send', { id, input_base64: '/w==' });
    await rig.ask('send', { id, input: '\x03' });
    expect(await rig.linesWith(id, 'M-^?^C')).toEqual(['a^M^[M-^?^C']);
    expect(await rig.ask('send', { id })).toMatchObject({ code: 'invalid_field', field: 'input' });
  });
});

describe('paste', () => {
  test.each([
    ['', { bytes_sent: 3, bracketed: false, removed: 0 }, 'a^Mb'],
    ['\x1b[?2004h', { bytes_sent: 15, bracketed: true, removed: 0 }, '^[[200~a^Mb^[[201~'],
  ])('in a program that has printed %j reports %j', async (asked, facts, shown) => {
    const id = await rig.showing(asked);
    expect(await rig.ask('paste', { id, text: 'a\nb' })).toMatchObject({ ok: true, ...facts });
    expect(await rig.linesWith(id, shown)).toEqual([shown]);
  });

  test('reports the removed characters, and presses Enter with submit', async () => {
    const id = await rig.showing();
    const reply = await rig.ask('paste', { id, text_base64: Buffer.from('a\x1bé').toString('base64'), submit: true });
    expect(reply).toMatchObject({ bytes_sent: 4, removed: 1 });
    expect(await rig.linesWith(id, '^M')).toEqual(['aM-CM-)^M']);
  });

  test('refuses bytes that are not UTF-8, and keeps a byte order mark', async () => {
    const id = await rig.showing();
    expect(await rig.ask('paste', { id, text_base64: '/w==' })).toMatchObject({
      code: 'invalid_utf8',
      field: 'text_base64',
    });
    expect(await rig.ask('paste', { id, text_base64: '77u/YQ==' })).toMatchObject({ ok: true, bytes_sent: 4 });
  });
});

describe('a secret', () => {
  test.each([
    ['type', { text: 'two\nlines' }, 'text'],
    ['paste', { text: 'two\nlines' }, 'text'],
    ['paste', { text_base64: 'dHdvCmxpbmVz' }, 'text_base64'],
    ['send', { input: 'two\nlines' }, 'input'],
    ['send', { input_base64: 'dHdvCmxpbmVz' }, 'input_base64'],
  ] as const)('of %s must be one line: %j', async (cmd, fields, field) => {
    const id = await rig.showing();
    expect(await rig.ask(cmd, { id, secret: true, ...fields })).toMatchObject({ code: 'invalid_field', field });
    expect(await rig.ask(cmd, { id, even_if_shown: true, ...fields })).toMatchObject({ field: 'even_if_shown' });
  });

  test('is not written if it may be shown, unless the request insists', async () => {
    const requests = [
      ['type', { text: 'word' }],
      ['paste', { text: 'word' }],
      ['send', { input: 'word' }],
    ] as const;
    await Promise.all(
      requests.map(async ([cmd, fields]) => {
        const id = await rig.showing();
        expect(await rig.ask(cmd, { id, secret: true, ...fields })).toMatchObject({ code: 'would_echo' });
        expect(await rig.ask(cmd, { id, secret: true, even_if_shown: true, ...fields })).toMatchObject({ ok: true });
        expect(await rig.linesWith(id, 'word')).toEqual(['word']);
      }),
    );
  });
});
