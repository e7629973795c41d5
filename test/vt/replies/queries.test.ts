import { expect, test } from 'vitest';
import { paramsText } from '../../../src/vt/replies/queries.js';
import { openScreen, show } from '../screens.js';

/** The screen's events for queries and for unknown sequences. */
async function toldOf(text: string): Promise<string[]> {
  const screen = openScreen({ cols: 20, rows: 5, cellWidth: 8, cellHeight: 16 });
  const told: string[] = [];
  screen.onQuery.on((query) => {
    told.push(`${query.kind} ${query.text} ${query.answer === undefined ? 'unanswered' : 'answered'}`);
  });
  screen.onUnknownSequence.on((sequence) => told.push(`unknown ${sequence.kind} ${sequence.text}`));
  await show(screen, text);
  return told;
}

const ANSWERED = [
  ['primary attributes', '\x1b[c', 'csi c'],
  ['primary attributes, with a 0', '\x1b[0c', 'csi c'],
  ['secondary attributes', '\x1b[>c', 'csi >c'],
  ['the status', '\x1b[5n', 'csi 5n'],
  ['the cursor position in the form of DEC', '\x1b[?6n', 'csi ?6n'],
  ['an ANSI mode', '\x1b[4$p', 'csi 4$p'],
  ['a private mode', '\x1b[?1$p', 'csi ?1$p'],
  ['the version', '\x1b[>q', 'csi >q'],
  ['the kitty keyboard flags', '\x1b[?u', 'csi ?u'],
  ['the text area in pixels', '\x1b[14t', 'csi 14t'],
  ['the window in pixels', '\x1b[14;2t', 'csi 14;2t'],
  ['the text area in pixels, with a 0', '\x1b[14;0t', 'csi 14;0t'],
  ['the cell in pixels', '\x1b[16t', 'csi 16t'],
  ['the text area in cells', '\x1b[18t', 'csi 18t'],
  ['the foreground', '\x1b]10;?\x07', 'osc 10;?'],
  ['the background', '\x1b]11;?\x07', 'osc 11;?'],
  ['the cursor colour', '\x1b]12;?\x07', 'osc 12;?'],
  ['a palette colour', '\x1b]4;1;?\x07', 'osc 4;1;?'],
  ['a setting', '\x1bP$qm\x1b\\', 'dcs $qm'],
] as const;

test.each(ANSWERED)('a query for %s is reported with its answer', async (_, sequence, told) => {
  expect(await toldOf(sequence)).toEqual([`${told} answered`]);
});

const UNANSWERED = [
  ['tertiary attributes', '\x1b[=c', 'csi =c'],
  ['the printer', '\x1b[?15n', 'csi ?15n'],
  ['another kind of version', '\x1b[>1q', 'csi >1q'],
  ['key modifier options', '\x1b[?4m', 'csi ?4m'],
  ['graphics attributes', '\x1b[?1;1;0S', 'csi ?1;1;0S'],
  ['a checksum of an area', '\x1b[1;1;1;1;5;5*y', 'csi 1;1;1;1;5;5*y'],
  ['terminal parameters', '\x1b[1x', 'csi 1x'],
  ['another window in pixels', '\x1b[14;1t', 'csi 14;1t'],
  ['a special colour', '\x1b]5;0;?\x07', 'osc 5;0;?'],
  ['the pointer foreground', '\x1b]13;?\x07', 'osc 13;?'],
  ['the pointer background', '\x1b]14;?\x07', 'osc 14;?'],
  ['the highlight background', '\x1b]17;?\x07', 'osc 17;?'],
  ['the highlight foreground', '\x1b]19;?\x07', 'osc 19;?'],
  ['the clipboard', '\x1b]52;c;?\x07', 'osc 52;c;?'],
  ['a capability', '\x1bP+q544e\x1b\\', 'dcs +q544e'],
] as const;

test.each(UNANSWERED)('a query for %s is reported as unanswered', async (_, sequence, told) => {
  expect((await toldOf(sequence)).filter((line) => !line.startsWith('unknown'))).toEqual([`${told} unanswered`]);
});

test.each([
  ['sets a colour', '\x1b]4;1;#fff\x07\x1b]11;#fff\x07'],
  ['sets the clipboard', '\x1b]52;c;aGk=\x07'],
  ['contains a question mark within a field', '\x1b]11;a?\x07\x1b]11;?a\x07'],
  ['saves and restores the title', '\x1b[22t\x1b[23t'],
  ['requests a size', '\x1b[8;24;80t'],
  ['sets known modes', '\x1b[?1;7;25;1049h\x1b[4;20h\x1b[?1049l\x1b[4;20l'],
])('a sequence that %s is not a query and is known', async (_, sequence) => {
  expect(await toldOf(sequence)).toEqual([]);
});

test.each([
  ['\x1b[?9999h', '?9999h'],
  ['\x1b[?1;9999;25;8888l', '?9999;8888l'],
  ['\x1b[99h', '99h'],
  ['\x1b[4;99l', '99l'],
  ['\x1b[?4h', '?4h'],
  ['\x1b[1h', '1h'],
])('%j is reported as unknown with only its unknown modes', async (sequence, told) => {
  expect(await toldOf(sequence)).toEqual([`unknown csi ${told}`]);
});

test.each([
  [[], ''],
  [[0], ''],
  [[7], '7'],
  [[0, 0], '0;0'],
  [[0, 5], '0;5'],
  [[1, 22, 333], '1;22;333'],
  [[4, [3], 1], '4:3;1'],
  [[38, [2, -1, 0, 7, 255]], '38:2::0:7:255'],
])('the parameters %j are written %j', (params, text) => {
  expect(paramsText(params)).toBe(text);
});
