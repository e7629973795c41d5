import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAX_PAYLOAD_LENGTH } from '../../../src/vt/xterm/control-strings.js';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import { heldBytes } from '../../support/held-memory.js';
import { bytesOf, openScreen, show, textOf } from '../screens.js';
import { casesOf, runsOf } from '../../support/trial.js';
import { anyText } from '../../support/any-text.js';
import { onEffect } from '../../support/screen-effects.js';

function openEmulator(): Emulator {
  const emulator = new Emulator({ cols: 20, rows: 2, scrollback: 0 });
  onTestFinished(() => emulator.dispose());
  return emulator;
}

function firstLine(emulator: Emulator): string {
  return emulator.terminal.buffer.active.getLine(0)!.translateToString(true);
}

/** All events of the screen except parses. */
function tellingScreen() {
  const screen = openScreen();
  const told: string[] = [];
  screen.onUnknownSequence.on(({ kind, text }) => told.push(`unhandled ${kind} ${text}`));
  screen.onQuery.on(({ kind, text }) => told.push(`query ${kind} ${text}`));
  onEffect(screen, 'osc', ({ message: { code, data } }) => told.push(`osc ${code} of ${data.length}`));
  onEffect(screen, 'title', ({ title }) => told.push(`title of ${title.length}`));
  screen.onReply.on((bytes) => told.push(`reply of ${bytes.length}`));
  screen.onFault.on((error) => told.push(String(error)));
  return { screen, told };
}

test('a picture of kitty is reported with any cut in its introducer', async () => {
  for (let cut = 1; cut < 4; cut++) {
    const { screen, told } = tellingScreen();
    await show(screen, 'xy\x1b_Ga=T;AAAA\x1b\\'.slice(0, 2 + cut));
    await show(screen, 'xy\x1b_Ga=T;AAAA\x1b\\'.slice(2 + cut));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^unhandled apc G/);
  }
});

const INTRODUCERS = [
  ...[0, 1, 2, 4, 5, 7, 8, 9, 10, 52, 99, 104, 133, 633, 777, 1337, 7777, 31_337].map((code) => `\x1b]${code};`),
  '\x1b]1',
  '\x1b];',
  '\x1bP$q',
  '\x1bP+q',
  '\x1bPq',
  '\x1bP1;2z',
  '\x1b_G',
  '\x1b^',
  '\x1bX',
  '\x1bk',
];
/** One of each way: a title, a link, the longer bound, an unknown code, none, and each kind of string. */
const OF_EACH_WAY = [
  '\x1b]2;',
  '\x1b]8;',
  '\x1b]52;',
  '\x1b]31337;',
  '\x1b];',
  '\x1bP$q',
  '\x1bP1;2z',
  '\x1b_G',
  '\x1b^',
  '\x1bk',
];
const MEGABYTE = 1_000_000;
const PIECE = Buffer.alloc(MEGABYTE / 20, '1');

describe.each(casesOf(INTRODUCERS, (introducer) => OF_EACH_WAY.includes(introducer)))(
  'a string of 10 MB after %j',
  (introducer) => {
    test('holds little memory before its end and after it', async () => {
      const { screen, told } = tellingScreen();
      await show(screen, `${introducer}1\x18${introducer}`);
      const before = heldBytes();
      for (let bytes = 0; bytes < 10 * MEGABYTE; bytes += PIECE.length) screen.write(PIECE);
      await screen.settle(60_000);
      expect(heldBytes() - before).toBeLessThan(2 * MEGABYTE);
      await show(screen, '\x1b\\');
      expect(heldBytes() - before).toBeLessThan(2 * MEGABYTE);
      expect(textOf(await show(screen, '\x1b\\after'))[0]).toBe('after');
      expect(told.filter((line) => !line.startsWith('unhandled'))).toEqual([]);
    });
  },
);

test('a string below the limit holds less than 20 bytes for each character', async () => {
  const screens = Array.from({ length: 20 }, () => openScreen());
  for (const screen of screens) await show(screen, '\x1bP$q\x1b\\');
  const before = heldBytes();
  for (const screen of screens) await show(screen, `\x1bP$q${'x'.repeat(MAX_PAYLOAD_LENGTH)}`);
  // Each also keeps four bytes a character of what it parses at once.
  expect(heldBytes() - before).toBeLessThan(20 * MAX_PAYLOAD_LENGTH * 20);
});

test.each([
  ['\x1b]2;', MAX_PAYLOAD_LENGTH, `title of ${MAX_PAYLOAD_LENGTH}`],
  ['\x1b]7;', MAX_PAYLOAD_LENGTH, `osc 7 of ${MAX_PAYLOAD_LENGTH}`],
  ['\x1b]52;', 1024 * 1024, `osc 52 of ${1024 * 1024}`],
  ['\x1bP+q', MAX_PAYLOAD_LENGTH, `query dcs +q${'x'.repeat(254)}`],
])('after %j the longest payload is handled, and a longer one is dropped', async (introducer, longest, taken) => {
  const { screen, told } = tellingScreen();
  for (const end of ['\x1b\\', '\x07', '\u009c']) {
    if (end === '\x07' && introducer.startsWith('\x1bP')) continue;
    const payload = 'x'.repeat(longest);
    await show(screen, `${introducer}${payload}${end}\r\n`);
    expect(told).toEqual([taken]);
    const { lines } = await show(screen, `\x1b[H${introducer}${payload}x${end}`);
    expect(textOf({ ...screen.snapshot(), lines })).toEqual(['', '', '', '', '']);
    const name = `${introducer.startsWith('\x1bP') ? 'dcs' : 'osc'} ${introducer.slice(2)}`;
    expect(told).toEqual([taken, `unhandled ${name}${'x'.repeat(256 - introducer.length + 2)}`]);
    told.length = 0;
  }
});

test('a payload that is too long is reported once, before its end arrives', async () => {
  const { screen, told } = tellingScreen();
  await show(screen, `\x1b]9;${'x'.repeat(MAX_PAYLOAD_LENGTH + 1)}`);
  expect(told).toEqual([`unhandled osc 9;${'x'.repeat(254)}`]);
  await show(screen, `${'x'.repeat(MAX_PAYLOAD_LENGTH)}\x1b\\\x1b]9;hello\x1b\\`);
  expect(told.slice(1)).toEqual(['osc 9 of 5']);
});

test('an unhandled string of any length is reported with its beginning', async () => {
  const { screen, told } = tellingScreen();
  await show(
    screen,
    `\x1b]31337;${'x'.repeat(1000)}\x1b\\\x1b]31337\x07\x1bP1;2z${'x'.repeat(1000)}\x1b\\\x1bPz\x1b\\`,
  );
  expect(told).toEqual([
    `unhandled osc 31337;${'x'.repeat(250)}`,
    'unhandled osc 31337',
    ...Array(2).fill('unhandled dcs z'),
  ]);
});

test.each(['\x18', '\x1a'])('a string that is cancelled by %j is not handled', async (cancel) => {
  const { screen, told } = tellingScreen();
  await show(screen, `\x1b]2;title${cancel}\x1bP$qm${cancel}\x1b]2;other\x07`);
  expect(told).toEqual(['title of 5']);
});

test('payloads arrive complete, for any pieces and any characters', () => {
  const text = anyText({ maxLength: 300 }).map((any) => any.replaceAll(/[\p{Cc}\p{Cs}]/gu, ''));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), fc.boolean(), fc.boolean(), (pieces, isDcs, isLong) => {
      const emulator = openEmulator();
      const payloads: string[] = [];
      const take = (payload: string): boolean => payloads.push(payload) > 0;
      emulator.onOsc(5555, take);
      emulator.onDcs({ final: 'y' }, take);
      const filler = 'é'.repeat(isLong ? MAX_PAYLOAD_LENGTH - 3000 : 0);
      emulator.parse(isDcs ? '\x1bPy' : '\x1b]5555;');
      for (const piece of [...pieces, filler]) emulator.parse(isDcs ? piece : `${piece}\x01\n`);
      emulator.parse('\x1b\\end');
      expect(payloads).toEqual([pieces.join('') + filler]);
      expect(firstLine(emulator)).toBe('end');
    }),
    { numRuns: runsOf({ suite: 24, trial: 100 }) },
  );
});

test('the last handler is called first, and the others if it declines', () => {
  const emulator = openEmulator();
  const asked: string[] = [];
  emulator.onOsc(5555, (payload) => asked.push(`first ${payload}`) > 0);
  emulator.onOsc(5555, (payload) => asked.push(`last ${payload}`) < 0);
  emulator.parse('\x1b]5555;a\x07');
  emulator.onOsc(5555, (payload) => asked.push(`newest ${payload}`) > 0);
  emulator.parse('\x1b]5555;b\x07');
  expect(asked).toEqual(['last a', 'first a', 'newest b']);
});

test.each(['_G', '^', 'X'])('a string after ESC %s is not shown, for any characters', async (introducer) => {
  const { screen, told } = tellingScreen();
  expect(textOf(await show(screen, `\x1b${introducer}ä中\u{1F600}text\x07\x1b\\after`))[0]).toBe('after');
  expect(told).toEqual(introducer === '_G' ? ['unhandled apc Gä中\u{1F600}text\u0007'] : []);
});

test('the name of a window is not shown, with any cut in it, and is reported', async () => {
  const given = 'a\x1bkmake ä中\u{1F600}\x07\x1b\\b\x1bk\x1b\\c\x1bkcut\x18d\x1bknext\x1b[31me';
  const bytes = bytesOf(given);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const { screen, told } = tellingScreen();
    screen.write(bytes.subarray(0, cut));
    screen.write(bytes.subarray(cut));
    await screen.settle(60_000);
    expect(textOf(screen.snapshot())[0]).toBe('abcde');
    expect(told).toEqual(
      ['esc kmake ä中\u{1F600}\u0007', 'esc k', 'esc kcut', 'esc knext'].map((line) => `unhandled ${line}`),
    );
  }
});

test('a name of a window that is too long is not shown, and its beginning is reported once', async () => {
  const { screen, told } = tellingScreen();
  expect(textOf(await show(screen, `\x1bk${'x'.repeat(2 * MAX_PAYLOAD_LENGTH)}\x1b\\after`))[0]).toBe('after');
  expect(told).toEqual([`unhandled esc k${'x'.repeat(255)}`]);
});

test('a sequence gets at most 256 replies with colours', async () => {
  const screen = openScreen();
  let answers = '';
  screen.onReply.on((bytes) => (answers += bytes));
  await show(screen, `\x1b]4;${'1;?;'.repeat(10_000)}\x1b\\`);
  expect(answers.split('4;1;rgb:')).toHaveLength(1 + 256);
});

test('a string without end does not block other screens', async () => {
  const screen = openScreen();
  screen.write(bytesOf(`\x1b]2;${'x'.repeat(5 * MEGABYTE)}`));
  const small = openScreen();
  small.write(bytesOf('$ '));
  await small.settle(60_000);
  expect(screen.pendingBytes).toBeGreaterThan(4 * MEGABYTE);
  screen.dispose();
});

test.each([
  ['an unknown sequence', '\x1b]31337;#'],
  ['a query', '\x1bP+q#'],
  ['a string that is too long', '\x1b]2;#'],
])('the record of %s does not keep its payload', async (_name, head) => {
  const screen = openScreen();
  const kept: unknown[] = [];
  screen.onUnknownSequence.on((sequence) => kept.push(sequence));
  screen.onQuery.on((query) => kept.push(query));
  const payload = 'x'.repeat(MAX_PAYLOAD_LENGTH - (head.startsWith('\x1b]2') ? 0 : 1000));
  await show(screen, `${head}${payload}\x1b\\`);
  const before = heldBytes();
  for (let i = 0; i < 200; i++) await show(screen, `${head.replace('#', String(1e6 + i))}${payload}\x1b\\`);
  expect(heldBytes() - before).toBeLessThan(3 * MEGABYTE);
  expect(kept).toHaveLength(201);
});
