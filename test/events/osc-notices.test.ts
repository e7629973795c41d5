import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_CLIPBOARD_BYTES, MAX_NOTIFICATION_LENGTH, OscNotices } from '../../src/events/osc-notices.js';
import { anyText } from '../support/any-text.js';

/** Feeds sequences written `code;data`; what the last of them brings. */
function notice(...sequences: string[]) {
  const notices = new OscNotices();
  let last;
  for (const sequence of sequences) {
    const semicolon = sequence.indexOf(';');
    last = notices.feed({ code: Number(sequence.slice(0, semicolon)), data: sequence.slice(semicolon + 1) });
  }
  return last;
}

describe('working directory', () => {
  test.each([
    ['7;file://host/home/x', '/home/x', 'host'],
    ['7;file:///tmp/a%20b%C3%A4%25', '/tmp/a bä%', ''],
    ['7;kitty-shell-cwd://h/a%20b', '/a%20b', 'h'],
    ['9;9;/srv/x', '/srv/x', ''],
    ['9;9;"/srv/x y"', '/srv/x y', ''],
  ])('%s', (sequence, cwd, host) => {
    expect(notice(sequence)).toEqual({ notice: 'cwd', cwd, host });
  });

  test.each(['7;', '7;/no/url', '7;file://host', '7;http://host/x', '7;file:///a%00b', '9;9;C:\\Users'])(
    'is not read from %s',
    (sequence) => expect(notice(sequence)).toBeUndefined(),
  );
});

describe('progress', () => {
  test.each([
    ['9;4;0', 'none', null],
    ['9;4;0;50', 'none', null],
    ['9;4;1;0', 'normal', 0],
    ['9;4;1;42', 'normal', 42],
    ['9;4;1;900', 'normal', 100],
    ['9;4;2;10', 'error', 10],
    ['9;4;2', 'error', null],
    ['9;4;3;7', 'indeterminate', null],
    ['9;4;4;99', 'paused', 99],
  ])('%s', (sequence, state, percent) => {
    expect(notice(sequence)).toEqual({ notice: 'progress', state, percent });
  });

  test.each(['9;4', '9;4;', '9;4;7', '9;4;x;1'])('is not read from %s', (sequence) => {
    expect(notice(sequence)).toBeUndefined();
  });
});

describe('notifications', () => {
  test.each([
    ['9;Build done', '', 'Build done'],
    ['9;5 tests failed; see log', '', '5 tests failed; see log'],
    ['777;notify;Title;Body; more', 'Title', 'Body; more'],
    ['777;notify;Only', 'Only', ''],
    ['99;;Hello', 'Hello', ''],
    ['99;i=1:p=body;Text', '', 'Text'],
    ['99;e=1;SGVsbG8=', 'Hello', ''],
  ])('%s', (sequence, title, body) => {
    expect(notice(sequence)).toEqual({ notice: 'notification', title, body });
  });

  test('are joined from pieces of OSC 99 with the same id', () => {
    expect(notice('99;i=a:d=0;Hel', '99;i=b:d=0;other', '99;i=a:d=0;lo', '99;i=a:p=body;World')).toEqual({
      notice: 'notification',
      title: 'Hello',
      body: 'World',
    });
  });

  test("are not read from ConEmu's other commands, queries, icons or empty texts", () => {
    for (const sequence of [
      '9;1;50',
      '9;12',
      '9;',
      '777;notify;;',
      '777;precmd',
      '99;i=1:p=?;',
      '99;p=icon;xx',
      '99;no',
    ]) {
      expect(notice(sequence)).toBeUndefined();
    }
  });

  test('are bounded in number while unfinished, and in length', () => {
    const pieces = Array.from({ length: 40 }, (_, i) => `99;i=${i}:d=0;${i} `);
    expect(notice(...pieces, '99;i=0;end')).toEqual({ notice: 'notification', title: 'end', body: '' });
    expect(notice(...pieces, '99;i=23;end')).toMatchObject({ title: 'end' });
    expect(notice(...pieces, '99;i=24;end')).toMatchObject({ title: '24 end' });
    expect(notice(...pieces, '99;i=39;end')).toEqual({ notice: 'notification', title: '39 end', body: '' });
    const long = notice('99;i=1:d=0;' + 'x'.repeat(10_000), '99;i=1;more');
    expect(long).toMatchObject({ title: `${'x'.repeat(MAX_NOTIFICATION_LENGTH - 1)}…` });
  });
});

describe('clipboard', () => {
  test('a write is reported with its selection, text and size', () => {
    expect(notice('52;c;aMOkIQ==')).toEqual({ notice: 'clipboard', selection: 'c', text: 'hä!', bytes: 4 });
    expect(notice('52;;eA==')).toEqual({ notice: 'clipboard', selection: 's0', text: 'x', bytes: 1 });
  });

  test('read queries, invalid base64 and unknown selections are ignored', () => {
    for (const data of ['c;?', 'c;not base64!', 'c', 'z;eA==']) expect(notice(`52;${data}`)).toBeUndefined();
  });

  test('a sequence may name as many selections as exist, and no more', () => {
    expect(notice('52;cpqs01234567;eA==')).toMatchObject({ selection: 'cpqs01234567' });
    expect(notice(`52;${'c'.repeat(13)};eA==`)).toBeUndefined();
  });

  test.each([0, 1, 2, 3, 4, 5, 3 * MAX_CLIPBOARD_BYTES + 1])(
    '%d bytes are counted correctly with and without padding',
    (bytes) => {
      const text = 'x'.repeat(bytes);
      const base64 = Buffer.from(text).toString('base64');
      for (const encoded of [base64, base64.replace(/=+$/, '')]) {
        expect(notice(`52;c;${encoded}`)).toMatchObject({ bytes, text: text.slice(0, MAX_CLIPBOARD_BYTES) });
      }
    },
  );

  test('a long text is cut between characters, and its full size is reported', () => {
    const text = 'ä'.repeat(MAX_CLIPBOARD_BYTES);
    const told = notice(`52;c;${Buffer.from(`x${text}`).toString('base64')}`);
    expect(told).toEqual({
      notice: 'clipboard',
      selection: 'c',
      text: `x${'ä'.repeat(MAX_CLIPBOARD_BYTES / 2 - 1)}`,
      bytes: 1 + 2 * MAX_CLIPBOARD_BYTES,
    });
  });
});

test('no sequence makes a parser throw', () => {
  const notices = new OscNotices();
  fc.assert(
    fc.property(fc.constantFrom(7, 9, 52, 99, 777, 1337), anyText(), (code, data) => {
      notices.feed({ code, data });
    }),
  );
});
