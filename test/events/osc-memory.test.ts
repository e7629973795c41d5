/** Notices and marks must not hold the long messages that they were read from: histories keep thousands of them. */
import { describe, expect, test } from 'vitest';
import { CommandMarks } from '../terminal/shell/one-shell.js';
import { parseShellMark } from '../../src/terminal/shell/osc-marks.js';
import { OscNotices } from '../../src/events/osc-notices.js';
import { heldBytes } from '../support/held-memory.js';

const MEGABYTE = 1024 * 1024;
const COUNT = 40;
const LONG = 'x'.repeat(MEGABYTE);
const BASE64 = Buffer.from(LONG).toString('base64');

/** A payload of its own: one run of memory, as the parser makes them. */
function payload(data: string, i: number): string {
  return Buffer.from(data.replace('#', String(i).padStart(20, '0'))).toString('latin1');
}

describe('40 messages of 1 MB hold only the memory of the reported text', () => {
  test.each([
    [7, 'file://#/home/x'],
    [7, `file://#${LONG}/home/x`],
    [9, `#${LONG}`],
    [52, `c;${BASE64}`],
    [99, `i=#${LONG};title`],
    [99, `;#${LONG}`],
    [777, `notify;title #;${LONG}`],
    [777, `notify;${LONG};body #`],
  ])('in OSC %d, case %#', (code, data) => {
    const notices = new OscNotices();
    const before = heldBytes();
    const kept = Array.from({ length: COUNT }, (_, i) => notices.feed({ code, data: payload(data, i) }));
    expect(heldBytes() - before).toBeLessThan(6 * MEGABYTE);
    expect(kept.filter((notice) => notice === undefined)).toEqual([]);
  });

  test('in pieces of an incomplete OSC 99', () => {
    const before = heldBytes();
    const terminals = Array.from({ length: COUNT }, () => new OscNotices());
    for (const [i, notices] of terminals.entries()) {
      expect(notices.feed({ code: 99, data: payload(`i=#${LONG}:d=0;title #${LONG}`, i) })).toBeUndefined();
    }
    expect(heldBytes() - before).toBeLessThan(6 * MEGABYTE);
    expect(terminals[0]!.feed({ code: 99, data: ';' })).toBeUndefined();
  });

  test.each([
    [133, `C;aid=some-shell-#;x=${LONG}`],
    [133, `C;aid=#${LONG}`],
    [133, `C;cmdline=make\\ all\\ #${LONG}`],
    [133, `C;cmdline_url=make all #${LONG}`],
    [133, `C;cmdline_url=make all #;${LONG}`],
    [633, `E;make all #${LONG}`],
    [633, `E;make all of it #;${LONG}`],
    [7777, `shell;#${LONG}`],
    [7777, `shell;some-shell-#;${LONG}`],
  ])('in marks of OSC %d, case %#', (code, data) => {
    const before = heldBytes();
    const kept = Array.from({ length: COUNT }, (_, i) => parseShellMark({ code, data: payload(data, i) }));
    expect(heldBytes() - before).toBeLessThan(4 * MEGABYTE);
    expect(kept.filter((mark) => mark === undefined)).toEqual([]);
  });

  test('in the state of a shell that reports its id', () => {
    const before = heldBytes();
    const terminals = Array.from({ length: COUNT }, () => new CommandMarks());
    for (const [i, marks] of terminals.entries()) {
      for (const data of [`A;aid=#${LONG}`, `B;aid=#${LONG}`, `C;aid=#${LONG};cmdline=#${LONG}`, `D;0;aid=#${LONG}`]) {
        marks.feed({ code: 133, data: payload(data, i) });
      }
    }
    expect(heldBytes() - before).toBeLessThan(4 * MEGABYTE);
    expect(terminals.map(({ phase }) => phase)).toEqual(Array(COUNT).fill('done'));
  });
});
