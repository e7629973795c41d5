import { expect, onTestFinished, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import { Hyperlinks, MAX_TARGETS_BYTES } from '../../../src/vt/xterm/hyperlinks.js';
import { MAX_TARGET_LENGTH } from '../../../src/vt/xterm/row-links.js';
import { openScreen, show } from '../screens.js';

/** Where each of the first cells of the screen leads. */
async function targetsOf(output: string): Promise<(string | undefined)[]> {
  const { lines } = await show(openScreen(), output);
  return Array.from({ length: 4 }, (_, col) => lines[0]?.links?.get(col));
}

const A = 'http://a.example/?b=1;c=2';
const B = 'http://b.example/';

test.each<readonly [name: string, output: string, targets: (string | undefined)[]]>([
  ['covers the text that is written until it ends', `\x1b]8;;${A}\x07ab\x1b]8;;\x07cd`, [A, A, undefined, undefined]],
  ['is replaced by the next link at once', `\x1b]8;;${A}\x07ab\x1b]8;;${B}\x07cd`, [A, A, B, B]],
  ['may have parameters', `\x1b]8;id=1:x=y;${A}\x07a\x1b]8;id=1;\x07bcd`, [A, undefined, undefined, undefined]],
  ['outlasts colours and their reset', `\x1b]8;;${A}\x07a\x1b[31mb\x1b[0mc`, [A, A, A, undefined]],
  ['outlasts an OSC 8 without a target field', `\x1b]8;;${A}\x07a\x1b]8\x07b\x1b]8;\x07c`, [A, A, A, undefined]],
  ['needs a field for its target', `\x1b]8;${A.slice(0, 8)}\x07a`, [undefined, undefined, undefined, undefined]],
  [
    'that is too long ends the previous link',
    `\x1b]8;;${A}\x07a\x1b]8;;${'x'.repeat(MAX_TARGET_LENGTH + 1)}\x07b`,
    [A],
  ],
  ['is removed where plain text is written over it', `\x1b]8;;${A}\x07abc\x1b]8;;\x07\rx`, [undefined, A, A]],
  ['ends with a full reset', `\x1b]8;;${A}\x07\x1bcab`, []],
])('a link %s', async (_, output, targets) => {
  expect(await targetsOf(output)).toEqual(Array.from({ length: 4 }, (_target, col) => targets[col]));
});

test('a link continues on the alternate screen', async () => {
  expect(await targetsOf(`\x1b]8;;${A}\x07\x1b[?1049h\x1b[Hab`)).toEqual([A, A, undefined, undefined]);
});

test('a target is kept once for any number of links', () => {
  const emulator = new Emulator({ cols: 20, rows: 2, scrollback: 0 });
  onTestFinished(() => emulator.dispose());
  const links = new Hyperlinks(emulator);
  expect([links.size, links.targetOf(0), links.targetOf(1)]).toEqual([0, undefined, undefined]);
  for (const target of [A, B, A, '', B, A]) emulator.parse(`\x1b]8;;${target}\x07x`);
  expect(links.size).toBe(2);
  const attributes = emulator.buffer.lines.get(0)?._extendedAttrs;
  expect([0, 1, 2, 4, 5].map((col) => links.targetOf(attributes?.[col]?.urlId ?? 0))).toEqual([A, B, A, B, A]);
});

test('links of both the shown and the hidden screen are kept', async () => {
  const screen = openScreen({ cols: 40, rows: 3 });
  const long = (number: number): string => `http://c.example/${number}/`.padEnd(2000, '.');
  await show(screen, `\x1b]8;;${A}\x07normal\x1b]8;;\x07\x1b[?1049h\x1b[H\x1b]8;;${B}\x07alternate`);
  for (let number = 0; number < 1000; number += 50) {
    const others = Array.from({ length: 50 }, (_, i) => `\x1b[3H\x1b]8;;${long(number + i)}\x07x`);
    await show(screen, others.join(''));
  }
  await show(screen, `\x1b[2H\x1b]8;;${long(1)}\x07x`);
  expect(screen.snapshot().lines[0]?.links?.get(0)).toBe(B);
  expect(screen.snapshot().lines[1]?.links?.get(0)).toBe(long(1));
  expect((await show(screen, '\x1b[?1049l')).lines[0]?.links?.get(0)).toBe(A);
});

test.each([
  ['Latin-1', 'é', 1],
  ['other', 'ж', 2],
])('targets of %s characters count by their bytes in memory towards the common limit', (_, character, bytes) => {
  const emulator = new Emulator({ cols: 80, rows: 50, scrollback: 0 });
  onTestFinished(() => emulator.dispose());
  const links = new Hyperlinks(emulator);
  const length = 2000;
  for (let number = 0; number < 2000; number++) emulator.parse(`\x1b]8;;${`${number}`.padEnd(length, character)}\x07x`);
  expect(links.size).toBeLessThanOrEqual(MAX_TARGETS_BYTES / (length * bytes));
  expect(links.size).toBeGreaterThan(MAX_TARGETS_BYTES / (length * bytes) / 1.5);
});
