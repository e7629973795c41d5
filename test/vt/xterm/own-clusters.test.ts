import { expect, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';

const TEXTS = {
  flags: '🇩🇪🇫🇷🇩🇪👍🏽🇮🇹👍🏿🇩🇪👍🏽🇫🇷🇮🇹',
  Hindi: 'नमस्ते दुनिया यह एक लंबी पंक्ति है जो कई बार लपेटी जाती है और फिर से लपेटी जाती है',
  'decomposed Vietnamese': 'Tiếng Việt có dấu thanh và chữ ghép rất dễ nhầm lẫn khi xuống dòng'.normalize('NFD'),
  'plain and joined': 'abé́cdéfghéíjklmnóópq'.normalize('NFD'),
};

/** As they were printed: rows that continue are joined. */
function linesOf({ buffer }: Emulator): string[] {
  const lines: string[] = [];
  for (let row = 0; row < buffer.lines.length; row++) {
    const line = buffer.lines.get(row);
    const text = line?.translateToString(true) ?? '';
    if (line?.isWrapped === true) lines.push((lines.pop() ?? '') + text);
    else lines.push(text);
  }
  return lines;
}

for (const [name, text] of Object.entries(TEXTS)) {
  test.each([
    [20, 13],
    [13, 20],
    [20, 7],
    [7, 31],
  ])(`${name} is the same text after a change from %i to %i columns, on the screen and above it`, (from, to) => {
    const emulator = new Emulator({ cols: from, rows: 4, scrollback: 200 });
    // A blank that falls on the end of a row stays: it is followed by a cell.
    const printed = text.replaceAll(' ', '_');
    emulator.parse(`${printed}\r\n${printed}\r\n${'x\r\n'.repeat(5)}${printed}\r\nend`);
    for (const cols of [to, from, to]) {
      emulator.resize(cols, 4);
      expect(linesOf(emulator).filter((line) => line !== 'x' && line !== 'end' && line !== '')).toEqual([
        printed,
        printed,
        printed,
      ]);
    }
    emulator.dispose();
  });
}
